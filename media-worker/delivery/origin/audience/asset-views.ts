import type { IncomingMessage } from 'node:http';
import { MINUTE_MS } from '@/lib/core/units';
import { isPlaybackStatus, startedPlaybackId } from '@/lib/core/assets/asset-view';
import type { Clock } from '@/lib/infra/clock';
import type { PreviewTokens } from '@/lib/domain/access';
import { queryValue, pathOf } from '@/media-worker/kit/http/request-url';
import { parseEdges } from '@/media-worker/kit/http/via';
import type { ViewerHash } from '@/media-worker/kit/http/viewer-hash';
import type { ViewsPerAddress } from '@/media-worker/kit/http/views-per-address';
import { readPreviewToken, type Watch } from '@/media-worker/delivery/origin/live/watch-playlists';

interface AssetViewsOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly onView: (playbackId: string) => void;
  /** A viewer who starts again within this time continues the same view. */
  readonly viewTimeoutMs?: number;
  /** Maximum number of viewers remembered; the oldest are evicted beyond it. */
  readonly maxViewers?: number;
}

/** Counts a view when a viewer starts an asset, unless it started the asset within the last half hour. */
export class AssetViews {
  readonly #options: Required<AssetViewsOptions>;
  /** When each viewer last started each asset, newest last. */
  readonly #startTimes = new Map<string, number>();

  constructor({ viewTimeoutMs = 30 * MINUTE_MS, maxViewers = 100_000, ...options }: AssetViewsOptions) {
    this.#options = { ...options, viewTimeoutMs, maxViewers };
  }

  /**
   * Records that a viewer started an asset.
   * @param viewer hash of the viewer, made by this origin or an edge
   */
  recordStart(playbackId: string, viewer: string): void {
    const { clock, onView, viewTimeoutMs } = this.#options;
    const now = clock.monotonic();
    const key = `${playbackId} ${viewer}`;
    const startedBefore = this.#startTimes.get(key);
    this.#startTimes.delete(key);
    this.#startTimes.set(key, now);
    this.#expire(now);
    if (startedBefore === undefined || now - startedBefore > viewTimeoutMs) onView(playbackId);
  }

  #expire(now: number): void {
    const { viewTimeoutMs, maxViewers } = this.#options;
    for (const [key, startedAt] of this.#startTimes) {
      if (now - startedAt <= viewTimeoutMs && this.#startTimes.size <= maxViewers) return;
      this.#startTimes.delete(key);
    }
  }
}

interface WatchAssetsOptions {
  readonly views: Pick<AssetViews, 'recordStart'>;
  readonly previews: Pick<PreviewTokens, 'isValid'>;
  readonly hashOf: ViewerHash;
  readonly perAddress: Pick<ViewsPerAddress, 'counts'>;
}

/** Counts the viewers who start an asset. */
export function createAssetWatch({ views, previews, hashOf, perAddress }: WatchAssetsOptions): Watch {
  return (request, target, serve) => {
    const playbackId = request.method === 'GET' ? startedPlaybackIdOf(request, target) : null;
    // Edges report their own viewers.
    if (playbackId === null || parseEdges(request.headers.via).length > 0) return serve();
    const preview = readPreviewToken(target);
    if (preview !== null && previews.isValid(playbackId, preview)) return serve();
    return serve().then((answer) => {
      if (!isPlaybackStatus(answer.status)) return answer;
      const viewer = hashOf(request);
      if (perAddress.counts(request, playbackId, viewer)) views.recordStart(playbackId, viewer);
      return answer;
    });
  };
}

function startedPlaybackIdOf({ headers }: IncomingMessage, target: string): string | null {
  const isDownload = queryValue(target, 'download') !== null;
  return startedPlaybackId({ path: pathOf(target), isDownload, rangeHeader: headers.range });
}
