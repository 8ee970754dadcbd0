import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assetKey } from '@/lib/core/storage-keys';
import { systemClock } from '@/lib/infra/clock';
import { createClientAddressReader } from '@/lib/infra/egress/ip-address';
import { newId } from '@/lib/infra/ids';
import { createLogger } from '@/lib/infra/logger';
import { createSecrets } from '@/lib/infra/secrets';
import { openStorage, type StorageDriver } from '@/lib/infra/storage';
import { PreviewTokens } from '@/lib/domain/access';
import { AssetViews, createAssetWatch } from '@/media-worker/delivery/origin/audience/asset-views';
import { createEdgeReportHandler } from '@/media-worker/delivery/origin/audience/edge-reports';
import { createViewerHash } from '@/media-worker/kit/http/viewer-hash';
import { ViewsPerAddress } from '@/media-worker/kit/http/views-per-address';
import { NodeFinder } from '@/media-worker/delivery/origin/live/find-node';
import { LiveProxy, createUpstream } from '@/media-worker/delivery/origin/live/live-proxy';
import { LiveSource } from '@/media-worker/delivery/origin/live/live-source';
import { createServeAsset } from '@/media-worker/delivery/origin/stored/serve-asset';
import { startOrigin, type OriginOptions } from '@/media-worker/delivery/origin/server';
import { startFakeLiveNode, type FakeLiveNode } from '@/media-worker/delivery/origin/testing/fake-live-node';
import { noRecordings } from '@/media-worker/delivery/origin/testing/no-recordings';
import { admitAllViewers } from '@/media-worker/delivery/origin/testing/admit-all-viewers';
import { ViewerCount, type ViewerSample } from '@/media-worker/delivery/origin/audience/viewer-count';
import { ViewerTokens, createPlaylistWatch } from '@/media-worker/delivery/origin/live/watch-playlists';

export const playbackId = 'abcd1234efgh5678';
const assetId = '3c9f2f0e-8f4b-4a40-9a53-0a0b1f1d2c3e';
const asset = {
  assetId,
  // The files are in the folder of the asset itself, as for every asset that is not a replacement.
  filesId: assetId,
  videoKey: assetKey(assetId, 'video.mp4'),
  sourceKey: assetKey(assetId, 'source'),
  sourceFormat: 'mp4',
  hasAudio: false,
  hasVideo: true,
  posterTime: null,
  duration: 10,
  tracks: [],
  name: 'Film',
};

const rejectRequest = () => Promise.reject(new Error('not available at this origin'));
const noUploads = {
  put: rejectRequest,
  logo: rejectRequest,
  slate: rejectRequest,
  poster: rejectRequest,
  tus: { handle: rejectRequest },
};

/** An origin as the upstream of an edge: the real server with a fake live node and one asset, without a database. */
export interface EdgeUpstream {
  readonly url: string;
  readonly live: FakeLiveNode;
  /** Paths and ranges of the requests that reached the origin. */
  readonly requests: string[];
  /** User agents of requests for asset files. */
  readonly assetUserAgents: (string | undefined)[];
  /** Viewers at this moment, and views that began since the last call. */
  counts(): Promise<readonly [viewers: number, views: number]>;
  /** The playback id of each asset view. */
  readonly startedViews: readonly string[];
  /** Stores one file of the asset. */
  putAssetFile(file: string, body: Buffer): Promise<void>;
  deleteAsset(): void;
  /** Stops listening; `start` listens on the same port again. */
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

export async function startTestOrigin(
  trustedProxies: readonly string[] = ['127.0.0.0/8'],
): Promise<EdgeUpstream> {
  const live = await startFakeLiveNode();
  const dataDir = await mkdtemp(join(tmpdir(), 'test-origin-'));
  const storage: StorageDriver = openStorage({ dataDir });
  const liveUpstream = createUpstream(() => ({}));
  const requests: string[] = [];
  const assetUserAgents: (string | undefined)[] = [];
  const counting = createViewerCounting(trustedProxies);
  let isDeleted = false;
  const serveAsset = createServeAsset({ storage, locate: () => Promise.resolve(isDeleted ? null : asset) });
  const options: Omit<OriginOptions, 'port'> = {
    host: '127.0.0.1',
    log: createLogger('test', 'silent'),
    onDelivery: () => undefined,
    guard: admitAllViewers,
    watch: (request, target, serve) => {
      requests.push(`/hls${target}`);
      return counting.watch(request, target, serve);
    },
    watchAsset: counting.watchAsset,
    answerWrite: counting.handleEdgeReport,
    live: new LiveSource({
      nodes: new NodeFinder((id) => Promise.resolve(id === playbackId ? live.url : null), systemClock),
      proxy: new LiveProxy({ fetch: liveUpstream.fetch }),
    }),
    serveAsset: (request) => {
      requests.push(`/asset${request.path} ${request.headers.range ?? ''}`.trim());
      assetUserAgents.push(request.headers['user-agent']);
      return serveAsset(request);
    },
    serveIpfs: rejectRequest,
    serveUploadedPicture: rejectRequest,
    uploads: noUploads,
    recordings: noRecordings,
  };
  let server = await startOrigin({ ...options, port: 0 });
  const { port } = server;
  return {
    url: `http://127.0.0.1:${port}`,
    live,
    requests,
    assetUserAgents,
    counts: () => counting.counts(),
    startedViews: counting.startedViews,
    putAssetFile: async (file, body) => void (await storage.put(assetKey(assetId, file), body)),
    deleteAsset: () => (isDeleted = true),
    stop: () => server.close(),
    start: async () => {
      server = await startOrigin({ ...options, port });
    },
    async close() {
      await server.close();
      liveUpstream.close();
      await live.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Creates the viewer counting of an origin, without a database. */
function createViewerCounting(trustedProxies: readonly string[]) {
  const samples: ViewerSample[] = [];
  const secrets = createSecrets('x'.repeat(32));
  const count = new ViewerCount(systemClock, (batch) => Promise.resolve(void samples.push(...batch)));
  const tokens = new ViewerTokens(secrets, '0123abcd');
  const addressOf = createClientAddressReader(trustedProxies);
  const hashOf = createViewerHash(addressOf);
  const perAddress = new ViewsPerAddress({ clock: systemClock, addressOf });
  const previews = new PreviewTokens({ secrets, clock: systemClock });
  const watch = createPlaylistWatch({
    count,
    tokens,
    previews,
    hashOf,
    perAddress,
  });
  const startedViews: string[] = [];
  const views = new AssetViews({ clock: systemClock, onView: (id) => startedViews.push(id) });
  const handleEdgeReport = createEdgeReportHandler({
    count,
    views,
    tokens,
    perAddress,
    isTrusted: () => trustedProxies.length > 0,
  });
  return {
    watch,
    watchAsset: createAssetWatch({ views, previews, hashOf, perAddress }),
    handleEdgeReport,
    startedViews,
    async counts(): Promise<readonly [viewers: number, views: number]> {
      count.sample();
      // Drops the samples of earlier calls.
      samples.length = 0;
      await count.flush();
      const [sample] = samples;
      return [sample?.viewers ?? 0, sample?.views ?? 0];
    },
  };
}

/** Creates an edge id that is unique in the test. */
export const createEdgeId = (): string => newId().slice(0, 8);
