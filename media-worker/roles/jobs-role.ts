import { availableParallelism } from 'node:os';
import type { WorkerContext } from '@/lib/domain/context';
import { nodeRoles, nodeStates } from '@/lib/core/nodes/node-state';
import { laneSlots } from '@/lib/core/tasks/task-lanes';
import { openEgress } from '@/lib/infra/egress/egress';
import { publicHosts } from '@/lib/infra/egress/own-addresses';
import { newId } from '@/lib/infra/ids';
import { openMailer } from '@/lib/infra/mail/mailer';
import { startTracing } from '@/lib/infra/tracing';
import { metrics } from '@/lib/infra/metrics/metrics';
import { openMetrics, type OpenMetrics } from '@/lib/infra/metrics/metrics-endpoint';
import { openQueues, type JobQueues } from '@/lib/infra/queue/queue';
import { listNodes } from '@/lib/domain/nodes';
import { every } from '@/media-worker/kit/process/every';
import { errorAnswer, jsonAnswer, send } from '@/media-worker/kit/http/answer';
import { listenInternal } from '@/media-worker/kit/http/listen-internal';
import { announcePresence, type Presence } from '@/media-worker/kit/process/presence';
import type { Lifecycle, StartRole } from '@/media-worker/kit/process/lifecycle';
import { startWorkers } from '@/media-worker/kit/process/workers';
import { deliveries, deliveryJobs } from '@/media-worker/webhooks/deliver-webhooks';
import { DeliveryShards } from '@/media-worker/webhooks/delivery-shards';
import { clipJob } from '@/media-worker/vod/import/make-clip';
import { exportAssetJob } from '@/media-worker/vod/import/export-asset';
import { recordings, sessionJobs } from '@/media-worker/recording/finish-session';
import { planRenditions, RenditionEncoder } from '@/media-worker/vod/renditions/encode-renditions';
import { importAssetJob } from '@/media-worker/vod/import/import-asset';
import { storyboardJobs, storyboards } from '@/media-worker/vod/import/make-storyboards';
import { startJobNotifications } from '@/media-worker/kit/process/job-notifications';
import { Spool } from '@/media-worker/recording/spool';
import { spoolQuietMs, startDrainingSpool } from '@/media-worker/recording/start-draining-spool';
import { maintenanceHandler, sweepsOf } from '@/media-worker/maintenance/sweeps';
import { taskHandlers, taskJobs } from '@/media-worker/vod/tasks/task-jobs';
import { TaskRuns } from '@/media-worker/vod/tasks/task-runs';
import { problemOfModel } from '@/media-worker/vod/speech/read-model';
import { OlderAssets } from '@/media-worker/maintenance/index-older-assets';
import { expireScratch } from '@/media-worker/maintenance/expire-scratch';
import { TestPatterns, testPatternJobs, testPatterns } from '@/media-worker/maintenance/test-patterns';
import { transcodeAssetJob } from '@/media-worker/vod/import/transcode-asset';
import { transcribeAssetJob } from '@/media-worker/vod/import/transcribe-asset';

const slots = laneSlots(availableParallelism());
/** ffmpeg gets 4 s before it is killed, then its task is released. */
const closeMs = 6_000;
const scratchMs = 60_000;
const nothingHere = errorAnswer(404, 'Not found.');

/** Runs background work, for which no viewer or publisher waits. */
export const startJobs: StartRole = async (ctx, lifecycle, signal) => {
  let working = false;
  const tracing = await startTracing(ctx.settings, 'jobs');
  if (tracing) lifecycle.own('traces', () => tracing.close(), 2_000);
  const jobsMetrics = openMetrics('jobs', ctx.settings, ctx.log);
  const http = await listenInternal(
    ctx,
    'jobs',
    (request, response) =>
      send(response, request.url === '/healthz' ? jsonAnswer(200, { ok: true }) : nothingHere),
    { maxConnections: 100, isReady: () => working, metrics: jobsMetrics },
  );
  lifecycle.own('http', () => http.close());
  const presence = await announcePresence(ctx, { id: newId(), role: 'jobs', url: http.url }, signal);
  lifecycle.own('node registration', () => presence.close());

  const queues = startQueues(ctx, lifecycle, presence);
  measureService(ctx, queues, jobsMetrics);
  working = true;
  const expiryTimer = every(scratchMs, 'scratch cleanup', ctx.log, () => expireScratch(ctx));
  lifecycle.own('scratch cleanup', () => expiryTimer.close());
  startDrainingSpool(ctx, new Spool(ctx.settings.dataDir, 'jobs'), lifecycle, { quietMs: spoolQuietMs });
  ctx.log.info('ready for jobs');
};

/** Handles the queues, and adds jobs for committed rows. */
function startQueues(ctx: WorkerContext, lifecycle: Lifecycle, presence: Presence): JobQueues {
  const egress = openEgress({
    allowCidrs: ctx.settings.egressAllowCidrs,
    ownHosts: publicHosts(ctx.settings),
  });
  lifecycle.own('outbound calls', () => egress.close());
  const queues = openQueues(ctx.settings, ctx.log);
  lifecycle.own('queues', () => queues.close(), 3_500);
  const shards = new DeliveryShards(ctx, egress);
  const patterns = new TestPatterns(ctx);
  patterns.prepare();
  const encoder = new RenditionEncoder(ctx);
  lifecycle.own('load measurement', () => encoder.close());
  const older = new OlderAssets(ctx);
  lifecycle.own('index of older assets', () => older.close());
  const taskKinds = {
    import: importAssetJob,
    export: exportAssetJob,
    transcode: transcodeAssetJob,
    clip: clipJob,
    transcribe: transcribeAssetJob(),
  };
  warnOfModel(ctx);
  const runs = new TaskRuns(ctx, { egress, handlers: taskKinds, slots });
  const addJobs = {
    session_due: sessionJobs(ctx, queues),
    task_changed: taskJobs(ctx, queues, slots),
    storyboard_due: storyboardJobs(ctx, queues),
    event_written: deliveryJobs(ctx, queues, shards),
    stream_changed: testPatternJobs(ctx, queues),
  };
  const handlers = {
    upkeep: maintenanceHandler(
      sweepsOf(ctx, [...Object.values(addJobs), { all: () => planRenditions(ctx, queues) }], {
        presence,
        older,
        mailer: ctx.settings.mail ? openMailer(ctx.settings.mail, ctx.log) : null,
      }),
    ),
    ...taskHandlers(runs),
    storyboards: storyboards(ctx, queues),
    renditions: encoder.handler(),
    recordings: recordings(ctx, queues),
    deliveries: deliveries(ctx, queues, shards),
    patterns: testPatterns(ctx, queues, patterns),
  };
  const workers = startWorkers(ctx.settings, queues, handlers, ctx.log);
  lifecycle.own('job workers', () => workers.close(3_000), 3_500);
  lifecycle.own('delivery results', () => shards.close());
  lifecycle.own('tasks', () => runs.close(), closeMs);
  // ffmpeg gets 4 s before it is killed.
  lifecycle.own('test patterns', () => patterns.close(), 4_500);
  startJobNotifications(ctx, lifecycle, 'session_due', addJobs.session_due);
  startJobNotifications(ctx, lifecycle, 'storyboard_due', addJobs.storyboard_due);
  startJobNotifications(ctx, lifecycle, 'task_changed', addJobs.task_changed, (id) => runs.checkTask(id));
  startJobNotifications(ctx, lifecycle, 'event_written', addJobs.event_written);
  startJobNotifications(ctx, lifecycle, 'stream_changed', addJobs.stream_changed, (id) =>
    patterns.refresh(id),
  );
  return queues;
}

/** Warns about a missing model folder; everything but transcription works without it. */
function warnOfModel({ settings: { speech }, log }: WorkerContext): void {
  const problem = speech && problemOfModel(speech.modelDir);
  if (problem) log.warn({ modelDir: speech.modelDir, problem }, 'the model of STT_MODEL_DIR cannot be used');
}

/** Metrics of the whole service: every jobs process reports the same values. */
function measureService(ctx: WorkerContext, queues: JobQueues, { read: readGauges }: OpenMetrics): void {
  readGauges([metrics.queueJobs, metrics.queueOldest], async () => {
    for (const { name: queue, oldestMs, ...counts } of await queues.backlogs()) {
      for (const state of ['waiting', 'active', 'delayed', 'failed'] as const)
        metrics.queueJobs.set({ queue, state }, counts[state]);
      metrics.queueOldest.set({ queue }, oldestMs / 1_000);
    }
  });
  readGauges([metrics.nodes], async () => {
    const nodes = await listNodes(ctx);
    for (const role of nodeRoles) {
      for (const state of nodeStates) metrics.nodes.set({ role, state }, 0);
    }
    for (const { role, state } of nodes) metrics.nodes.inc({ role, state });
  });
}
