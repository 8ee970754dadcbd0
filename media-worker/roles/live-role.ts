import type { WorkerContext } from '@/lib/domain/context';
import { processName } from '@/lib/core/nodes/process-slots';
import { SAMPLE_MS } from '@/lib/core/streams/health-range';
import { openEgressSockets } from '@/lib/infra/egress/egress-socket';
import { publicHosts } from '@/lib/infra/egress/own-addresses';
import { newId } from '@/lib/infra/ids';
import { metrics } from '@/lib/infra/metrics/metrics';
import { openMetrics, type OpenMetrics } from '@/lib/infra/metrics/metrics-endpoint';
import { targetTestPath } from '@/lib/domain/nodes';
import { storeRecordingError } from '@/lib/domain/sessions';
import { recordHealth, recordProgress } from '@/lib/domain/streams';
import { runPeriodically } from '@/media-worker/kit/process/run-periodically';
import { listenInternal } from '@/media-worker/kit/http/listen-internal';
import { withAacAudio } from '@/media-worker/ingest/admission/aac-sink';
import { createAdmitPublish } from '@/media-worker/ingest/admission/admit-publish';
import { answerTakeovers } from '@/media-worker/ingest/admission/answer-takeovers';
import { RelayedStandbys } from '@/media-worker/ingest/admission/relayed-standby';
import { answerPublishes } from '@/media-worker/ingest/admission/remote-publishes';
import { answerStandbys } from '@/media-worker/ingest/admission/take-standby';
import { registerProcess } from '@/media-worker/kit/process/presence';
import { Spool } from '@/media-worker/recording/spool';
import {
  SPOOL_QUIET_MS,
  measureSpoolRoom,
  startDrainingSpool,
} from '@/media-worker/recording/start-draining-spool';
import type { Lifecycle, StartRole } from '@/media-worker/kit/process/lifecycle';
import type { AdmitPublish } from '@/media-worker/media/packets/publish';
import type { StartFeature } from '@/media-worker/media/packaging/session-feature';
import { HealthLog } from '@/media-worker/live/health/health-log';
import { WebrtcIssues } from '@/media-worker/live/health/webrtc-issues';
import { servePackets } from '@/media-worker/live/session/serve-packets';
import { createLiveHandler } from '@/media-worker/live/session/live-http';
import { LiveDrain } from '@/media-worker/live/session/live-drain';
import { CapacityGuard } from '@/media-worker/live/session/capacity-guard';
import { LiveSessions } from '@/media-worker/live/session/live-sessions';
import { ProgressMeter } from '@/media-worker/live/session/progress-meter';
import { createRecorder } from '@/media-worker/recording/recorder';
import { createMultistream } from '@/media-worker/live/multistream/multistream';
import { TargetTests } from '@/media-worker/live/multistream/target-tests';
import { createAskWhip } from '@/media-worker/live/multistream/whip-requests';
import { startStreamControl } from '@/media-worker/live/session/stream-control';
import { makeThumbnails } from '@/media-worker/live/thumbnails/make-thumbnails';
import { Thumbnails } from '@/media-worker/live/thumbnails/thumbnails';
import { TranscodeBudget } from '@/media-worker/live/transcode/transcode-budget';
import { createMakeSlate } from '@/media-worker/live/program/make-slate';
import { openPulls } from './open-pulls';
import { type PublisherServers, startPublisherServers } from './publisher-servers';
import { startLayerRenditions } from '@/media-worker/live/transcode/layer-renditions';
import { startTranscoder } from '@/media-worker/live/transcode/transcoder';

/** Interval at which counters are written. With the time to write them, they are at most 5 s old. */
const PROGRESS_INTERVAL_MS = 4_000;
const MAX_ORIGIN_CONNECTIONS = 2_000;

/** Starts the live role: it accepts publishes over RTMP and SRT, packages them in this process, and serves them to origins. */
export const startLive: StartRole = async (ctx, lifecycle, signal) => {
  const nodeId = newId();
  const meter = new ProgressMeter((progress) => recordProgress(ctx, progress), ctx.clock);
  const { budget, startCapacityGuard } = createCapacity(ctx, lifecycle);
  const allowCidrs = ctx.settings.egressAllowCidrs;
  const sockets = openEgressSockets({ allowCidrs, ownHosts: publicHosts(ctx.settings) });
  const health = new HealthLog(ctx.clock, (records) => recordHealth(ctx, records));
  const webrtc = new WebrtcIssues(ctx.settings);
  const spool = openSpool(ctx, lifecycle);
  const whip = { ask: createAskWhip(ctx), url: (): string => http.url };
  const features = [
    health.start,
    ...webrtc.features,
    startRecorder(ctx, spool),
    // Before the transcoder, which may use the names of their renditions for profiles.
    startLayerRenditions(ctx.clock),
    startTranscoder({ clock: ctx.clock, budget }),
    createMultistream({ ctx, nodeId, sockets, whip }),
  ];
  const capacity = startCapacityGuard((): number => sessions.all.length);
  const makeSlate = createMakeSlate(ctx.storage);
  const sessions: LiveSessions = new LiveSessions({ ctx, nodeId, meter, features, capacity, makeSlate });
  const drain = new LiveDrain({ ctx, nodeId, sessions, capacity });

  const standbys = new RelayedStandbys();
  const handler = standbys.wrapListener(openPlayback(ctx, lifecycle, sessions));
  const targetTests = new TargetTests({ ctx, sockets, askWhip: whip.ask });
  const liveMetrics = openMetrics('live', ctx.settings, ctx.log);
  let isAdmitting = false;
  // Publishers that connect before this promise resolves wait for it. Until this node is registered, a publish of
  // the previous process could look like a running one.
  let markReady = (): void => undefined;
  const whenReady = new Promise<void>((resolve) => (markReady = resolve));
  const admitReady: AdmitPublish = (request, connection) => whenReady.then(() => admit(request, connection));
  const http = await listenInternal(ctx, 'live', handler, {
    maxConnections: MAX_ORIGIN_CONNECTIONS,
    isReady: () => isAdmitting && !drain.draining,
    metrics: liveMetrics,
    writes: {
      [targetTestPath]: (body) => targetTests.answer(body),
      ...answerTakeovers(sessions, drain),
      ...answerStandbys(ctx, sessions),
      ...webrtc.writes,
      ...answerPublishes(ctx, admitReady),
    },
  });
  lifecycle.own('live http', () => http.close());

  const admit = withAacAudio(createAdmitPublish(ctx, sessions, drain, { standbys, url: http.url }), ctx.log);
  const servers = await startPublisherServers(ctx, admitReady);
  measureLive(liveMetrics, { sessions, servers, drain });
  const liveNode = { id: nodeId, role: 'live', url: http.url, live: drain } as const;
  const presence = await registerProcess(ctx, liveNode, signal);
  lifecycle.own('node registration', () => presence.close());
  startProgressWrites(ctx, lifecycle, meter);
  startHealthSampling(ctx, lifecycle, health);
  registerPublishes(lifecycle, { sessions, servers, drain });
  const pulls = openPulls(ctx, lifecycle, { nodeId, sockets, admit, drain });
  const control = startStreamControl({ ctx, nodeId, sessions, onChange: () => pulls?.refresh() });
  lifecycle.own('stream control', () => control.close());
  lifecycle.beforeClose(() => drain.stop(() => presence.sendHeartbeat()));
  isAdmitting = true;
  markReady();
  ctx.log.info(servers.ports, 'ready for publishers');
};

/**
 * Opens the spool of recorded segments. The spool of the previous process is drained first, even while the database is
 * unavailable. The spool is closed last, after all publishes.
 */
function openSpool(ctx: WorkerContext, lifecycle: Lifecycle): Spool {
  const { dataDir, processes, slot } = ctx.settings;
  const spool = new Spool(dataDir, processName('live', slot));
  startDrainingSpool(ctx, spool, lifecycle, processes.live > 1 ? { quietMs: SPOOL_QUIET_MS } : {});
  return spool;
}

/** Serves playback to origins. */
function openPlayback({ clock, log }: WorkerContext, lifecycle: Lifecycle, sessions: LiveSessions) {
  const thumbnails = new Thumbnails({ clock, log, make: makeThumbnails });
  lifecycle.own('thumbnails', () => thumbnails.close());
  const findSession = (playbackId: string) => sessions.byPlaybackId(playbackId);
  return servePackets(findSession, createLiveHandler(findSession, thumbnails, log));
}

/**
 * Registers the drain, the servers and the sessions, which are closed in this order: no encoder connects while
 * sessions end.
 */
function registerPublishes(lifecycle: Lifecycle, { sessions, servers, drain }: LiveParts): void {
  lifecycle.own('sessions', () => sessions.close());
  lifecycle.own('publisher servers', () => servers.close());
  lifecycle.own('drain', () => drain.close());
}

/** The parts of a live process that its metrics and its shutdown need. */
interface LiveParts {
  readonly sessions: LiveSessions;
  readonly servers: PublisherServers;
  readonly drain: LiveDrain;
}

/** Sets the gauges of this process when metrics are read. */
function measureLive({ registerReader }: OpenMetrics, { sessions, servers, drain }: LiveParts): void {
  const { rtmp, srt } = servers;
  if (srt) registerReader([metrics.srtConnections], () => metrics.srtConnections.set(srt.connectionCount()));
  registerReader([metrics.liveStreams, metrics.publishers, metrics.rtmpConnections], () => {
    metrics.liveStreams.set(sessions.all.filter(({ isActive: active }) => active).length);
    metrics.publishers.set(sessions.all.filter(({ publisher }) => publisher !== null).length);
    metrics.rtmpConnections.set(rtmp.connectionCount());
  });
  registerReader([metrics.roomStreams, metrics.full], () => {
    if (drain.roomStreams !== null) metrics.roomStreams.set(drain.roomStreams);
    metrics.full.set(drain.fullReason === null ? 0 : 1);
  });
}

function createCapacity({ clock, log, settings }: WorkerContext, lifecycle: Lifecycle) {
  const { processes, transcodeCores, capacityGuard } = settings;
  const budget = new TranscodeBudget(transcodeCores / processes.live, { measures: capacityGuard });
  const startCapacityGuard = (streams: () => number): CapacityGuard => {
    const guard = new CapacityGuard({ clock, log, settings, budget, countStreams: streams });
    lifecycle.own('capacity guard', () => guard.close());
    return guard;
  };
  return { budget, startCapacityGuard };
}

function startProgressWrites(ctx: WorkerContext, lifecycle: Lifecycle, meter: ProgressMeter): void {
  lifecycle.own('final progress', () => meter.flush());
  const writeTimer = runPeriodically(PROGRESS_INTERVAL_MS, 'ingest progress', ctx.log, () => meter.flush());
  lifecycle.own('ingest progress', () => writeTimer.close());
}

/** Starts to sample the health of streams. Sampling continues while the database is unavailable; samples are written later. */
function startHealthSampling(ctx: WorkerContext, lifecycle: Lifecycle, health: HealthLog): void {
  const sampleTimer = setInterval(() => health.sample(), SAMPLE_MS);
  lifecycle.own('health samples', () => clearInterval(sampleTimer));
  const writeTimer = runPeriodically(SAMPLE_MS, 'health samples', ctx.log, () => health.flush());
  lifecycle.own('health writes', () => writeTimer.close());
}

function startRecorder(ctx: WorkerContext, spool: Spool): StartFeature {
  return createRecorder({
    spool,
    readFreeBytes: () => measureSpoolRoom(ctx, spool),
    statusWriter: { reportFailure: (sessionId, reason) => storeRecordingError(ctx, { sessionId, reason }) },
  });
}
