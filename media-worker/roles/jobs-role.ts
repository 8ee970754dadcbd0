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
import { runPeriodically } from '@/media-worker/kit/process/run-periodically';
import { errorAnswer, jsonAnswer, send } from '@/media-worker/kit/http/answer';
import { listenInternal } from '@/media-worker/kit/http/listen-internal';
import { registerProcess, type Presence } from '@/media-worker/kit/process/presence';
import type { Lifecycle, StartRole } from '@/media-worker/kit/process/lifecycle';
import { startWorkers } from '@/media-worker/kit/process/workers';
import { createDeliveryHandler, createDeliveryJobs } from '@/media-worker/webhooks/deliver-webhooks';
import { DeliveryShards } from '@/media-worker/webhooks/delivery-shards';
import { clipJob } from '@/media-worker/vod/import/make-clip';
import { exportAssetJob } from '@/media-worker/vod/import/export-asset';
import { createRecordingHandler, sessionJobs } from '@/media-worker/recording/finish-session';
import { planRenditions, RenditionEncoder } from '@/media-worker/vod/renditions/encode-renditions';
import { importAssetJob } from '@/media-worker/vod/import/import-asset';
import { createStoryboardJobs, createStoryboardHandler } from '@/media-worker/vod/import/make-storyboards';
import { startJobNotifications } from '@/media-worker/kit/process/job-notifications';
import { Spool } from '@/media-worker/recording/spool';
import { SPOOL_QUIET_MS, startDrainingSpool } from '@/media-worker/recording/start-draining-spool';
import { createMaintenanceHandler, createSweeps } from '@/media-worker/maintenance/sweeps';
import { createTaskHandlers, createTaskJobs } from '@/media-worker/vod/tasks/task-jobs';
import { TaskRuns } from '@/media-worker/vod/tasks/task-runs';
import { modelProblemOf } from '@/media-worker/vod/speech/read-model';
import { OlderAssetIndexer } from '@/media-worker/maintenance/index-older-assets';
import { expireScratch } from '@/media-worker/maintenance/expire-scratch';
import {
  TestPatterns,
  createTestPatternJobs,
  createTestPatternHandler,
} from '@/media-worker/maintenance/test-patterns';
import { transcodeAssetJob } from '@/media-worker/vod/import/transcode-asset';
import { transcribeAssetJob } from '@/media-worker/vod/import/transcribe-asset';

/** Number of concurrent tasks of each lane (the tasks of one queue). */
const laneSlotCounts = laneSlots(availableParallelism());
/** Timeout for closing the tasks: ffmpeg gets 4 s to end before it is killed, and then its task is released. */
const TASK_CLOSE_TIMEOUT_MS = 6_000;
/** Interval at which temporary folders of finished tasks are deleted. */
const SCRATCH_INTERVAL_MS = 60_000;
const notFound = errorAnswer(404, 'Not found.');

/** Starts the jobs role: background work for which no viewer or publisher waits. */
export const startJobs: StartRole = async (ctx, lifecycle, signal) => {
  let isReady = false;
  const tracing = await startTracing(ctx.settings, 'jobs');
  if (tracing) lifecycle.own('traces', () => tracing.close(), 2_000);
  const jobsMetrics = openMetrics('jobs', ctx.settings, ctx.log);
  const http = await listenInternal(
    ctx,
    'jobs',
    (request, response) =>
      send(response, request.url === '/healthz' ? jsonAnswer(200, { ok: true }) : notFound),
    { maxConnections: 100, isReady: () => isReady, metrics: jobsMetrics },
  );
  lifecycle.own('http', () => http.close());
  const presence = await registerProcess(ctx, { id: newId(), role: 'jobs', url: http.url }, signal);
  lifecycle.own('node registration', () => presence.close());

  const queues = startQueues(ctx, lifecycle, presence);
  measureService(ctx, queues, jobsMetrics);
  isReady = true;
  const scratchTimer = runPeriodically(SCRATCH_INTERVAL_MS, 'scratch cleanup', ctx.log, () =>
    expireScratch(ctx),
  );
  lifecycle.own('scratch cleanup', () => scratchTimer.close());
  startDrainingSpool(ctx, new Spool(ctx.settings.dataDir, 'jobs'), lifecycle, { quietMs: SPOOL_QUIET_MS });
  ctx.log.info('ready for jobs');
};

/** Starts the workers of all queues, and adds jobs for committed rows. */
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
  const olderAssets = new OlderAssetIndexer(ctx);
  lifecycle.own('index of older assets', () => olderAssets.close());
  const taskKinds = {
    import: importAssetJob,
    export: exportAssetJob,
    transcode: transcodeAssetJob,
    clip: clipJob,
    transcribe: transcribeAssetJob(),
  };
  warnAboutSpeechModel(ctx);
  const runs = new TaskRuns(ctx, { egress, handlers: taskKinds, slots: laneSlotCounts });
  const addJobs = {
    session_due: sessionJobs(ctx, queues),
    task_changed: createTaskJobs(ctx, queues, laneSlotCounts),
    storyboard_due: createStoryboardJobs(ctx, queues),
    event_written: createDeliveryJobs(ctx, queues, shards),
    stream_changed: createTestPatternJobs(ctx, queues),
  };
  const handlers = {
    upkeep: createMaintenanceHandler(
      createSweeps(ctx, [...Object.values(addJobs), { addAll: () => planRenditions(ctx, queues) }], {
        presence,
        olderAssets,
        mailer: ctx.settings.mail ? openMailer(ctx.settings.mail, ctx.log) : null,
      }),
    ),
    ...createTaskHandlers(runs),
    storyboards: createStoryboardHandler(ctx, queues),
    renditions: encoder.handler(),
    recordings: createRecordingHandler(ctx, queues),
    deliveries: createDeliveryHandler(ctx, queues, shards),
    patterns: createTestPatternHandler(ctx, queues, patterns),
  };
  const workers = startWorkers(ctx.settings, queues, handlers, ctx.log);
  lifecycle.own('job workers', () => workers.close(3_000), 3_500);
  lifecycle.own('delivery results', () => shards.close());
  lifecycle.own('tasks', () => runs.close(), TASK_CLOSE_TIMEOUT_MS);
  // ffmpeg gets 4 s to end before it is killed.
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

/** Logs a warning if the speech model cannot be used. Everything but transcription works without it. */
function warnAboutSpeechModel({ settings: { speech }, log }: WorkerContext): void {
  const problem = speech && modelProblemOf(speech.modelDir);
  if (problem) log.warn({ modelDir: speech.modelDir, problem }, 'the model of STT_MODEL_DIR cannot be used');
}

/** Metrics of the whole service: every jobs process reports the same values. */
function measureService(ctx: WorkerContext, queues: JobQueues, { registerReader }: OpenMetrics): void {
  registerReader([metrics.queueJobs, metrics.queueOldest], async () => {
    for (const { name: queue, oldestMs, ...counts } of await queues.backlogs()) {
      for (const state of ['waiting', 'active', 'delayed', 'failed'] as const)
        metrics.queueJobs.set({ queue, state }, counts[state]);
      metrics.queueOldest.set({ queue }, oldestMs / 1_000);
    }
  });
  registerReader([metrics.nodes], async () => {
    const nodes = await listNodes(ctx);
    for (const role of nodeRoles) {
      for (const state of nodeStates) metrics.nodes.set({ role, state }, 0);
    }
    for (const { role, state } of nodes) metrics.nodes.inc({ role, state });
  });
}
