import { PreviewTokens } from '@/lib/domain/access';
import type { WorkerContext } from '@/lib/domain/context';
import { homeOf, ORIGIN_SILENT_MS } from '@/lib/core/nodes/playback-home';
import { createRangeTest, createClientAddressReader } from '@/lib/infra/egress/ip-address';
import { findNodes, readViewerReport, reportViewers, viewersPath } from '@/lib/domain/nodes';
import { recordViewers } from '@/lib/domain/streams';
import { errorAnswer } from '@/media-worker/kit/http/answer';
import { createViewerHash } from '@/media-worker/kit/http/viewer-hash';
import { ViewsPerAddress } from '@/media-worker/kit/http/views-per-address';
import { AssetViews, createAssetWatch } from './asset-views';
import { createEdgeReportHandler } from './edge-reports';
import type { AnswerWrite, InternalWrites } from '@/media-worker/kit/http/internal-writes';
import { SharedViewerCount } from './shared-viewer-count';
import { ViewerCount } from './viewer-count';
import {
  type WatchConnection,
  createConnectionWatch,
} from '@/media-worker/delivery/origin/live/watch-connections';
import {
  ViewerTokens,
  type Watch,
  createPlaylistWatch,
} from '@/media-worker/delivery/origin/live/watch-playlists';

interface ViewerCounting {
  readonly watch: Watch;
  readonly watchAsset: Watch;
  /** Counts viewers over WebRTC. */
  readonly watchConnection: WatchConnection;
  /** Handles reports of other origins. */
  readonly writes: InternalWrites;
  readonly edgeReports: AnswerWrite;
  /** Number of viewers at the last sample. */
  currentViewers(): number;
  sample(): void;
  /** Writes samples, and reports playbacks to other origins. Rejects if either fails. */
  write(): Promise<void>;
  /** Writes the last values. */
  finish(): Promise<void>;
}

/**
 * Creates the count of the viewers of one origin, alone or among others; the caller runs `sample` and `write` every
 * few seconds.
 * @param onView called with the playback id of each asset view
 */
export function createViewerCount(
  ctx: Omit<WorkerContext, 'storage'>,
  nodeId: string,
  onView: (playbackId: string) => void,
): ViewerCounting {
  const count = new ViewerCount(ctx.clock, (samples) => recordViewers(ctx, nodeId, samples));
  const sharedCount = new SharedViewerCount({
    nodeId,
    clock: ctx.clock,
    count,
    origins: async () => (await findNodes(ctx, ORIGIN_SILENT_MS)).filter(({ role }) => role === 'origin'),
    report: (url, playbacks) => reportViewers(ctx, url, playbacks),
  });
  const tokens = new ViewerTokens(ctx.secrets, homeOf(nodeId));
  const addressOf = createClientAddressReader(ctx.settings.trustedProxies);
  const isTrusted = createRangeTest(ctx.settings.trustedProxies);
  const hashOf = createViewerHash(addressOf);
  const perAddress = new ViewsPerAddress({ clock: ctx.clock, addressOf });
  const previews = new PreviewTokens(ctx);
  const views = new AssetViews({ clock: ctx.clock, onView });
  const receive = (body: string) => {
    const playbacks = readViewerReport(body);
    if (playbacks) sharedCount.receive(playbacks);
    return Promise.resolve(playbacks ? { status: 204 } : errorAnswer(400, 'Not a report of viewers.'));
  };
  return {
    watch: createPlaylistWatch({ count: sharedCount, tokens, previews, hashOf, perAddress }),
    watchAsset: createAssetWatch({ views, previews, hashOf, perAddress }),
    watchConnection: createConnectionWatch({ count: sharedCount, tokens, previews, perAddress }),
    writes: { [viewersPath]: receive },
    edgeReports: createEdgeReportHandler({
      count: sharedCount,
      views,
      tokens,
      perAddress,
      isTrusted: (request) => isTrusted(addressOf(request)),
    }),
    currentViewers: () => count.viewers,
    sample: () => count.sample(),
    async write() {
      // Both run independently: an unreachable origin must not keep viewers from being written.
      const results = await Promise.allSettled([count.flush(), sharedCount.exchange()]);
      for (const result of results) if (result.status === 'rejected') throw result.reason;
    },
    async finish() {
      count.sample();
      await count.flush();
    },
  };
}
