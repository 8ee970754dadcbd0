import { availableParallelism } from 'node:os';
import type { WorkerContext } from '@/lib/context';
import { laneSlots } from '@/lib/core/tasks/task-lanes';
import { openEgress } from '@/lib/infra/egress/egress';
import { publicHosts } from '@/lib/infra/egress/own-addresses';
import { newId } from '@/lib/infra/ids';
import { listen as listenToDatabase } from '@/lib/infra/notifications';
import { openQueues } from '@/lib/infra/queue/queue';
import { every } from '../process/every';
import { errorAnswer, jsonAnswer, send } from '../http/answer';
import { listenInternal } from '../http/listen-internal';
import { announcePresence, type Presence } from '../process/presence';
import type { Lifecycle, StartRole } from '../process/lifecycle';
import { startWorkers } from '../process/workers';
import { deliveries, deliveryJobs } from '@/media-worker/webhooks/deliver-webhooks';
import { DeliveryShards } from '@/media-worker/webhooks/delivery-shards';
import { exportAssetJob } from '@/media-worker/vod/export-asset';
import { recordings, sessionJobs } from '@/media-worker/recording/finish-session';
import { importAssetJob } from '@/media-worker/vod/import-asset';
import { storyboardJobs, storyboards } from '@/media-worker/vod/make-storyboards';
import { startNudges } from '@/media-worker/process/nudges';
import { Spool } from '../recording/spool';
import { startDrainingSpool } from '../recording/start-draining-spool';
import { sweepsOf, upkeep } from '@/media-worker/upkeep/sweeps';
import { taskHandlers, taskJobs } from '@/media-worker/tasks/task-jobs';
import { TaskRuns } from '@/media-worker/tasks/task-runs';
import { removeScratch } from '@/media-worker/upkeep/tidy-storage';
import { TestPatterns } from '@/media-worker/upkeep/test-patterns';
import { transcodeAssetJob } from '@/media-worker/vod/transcode-asset';

const slots = laneSlots(availableParallelism());
/** ffmpeg is given 4 s before it is killed; then its task is given back. */
const closeMs = 6_000;
const testPatternMs = 2_000;
/** While none runs. */
const testPatternRestMs = 30_000;
/** A live process stores what it recorded within seconds: one that has not is gone. */
const spoolQuietMs = 30_000;
const scratchMs = 60_000;
const nothingHere = errorAnswer(404, 'Not found.');

/** Work that no viewer or publisher waits for. */
export const startJobs: StartRole = async (ctx, lifecycle, signal) => {
  const http = await listenInternal(
    ctx,
    'jobs',
    (request, response) =>
      send(response, request.url === '/healthz' ? jsonAnswer(200, { ok: true }) : nothingHere),
    { maxConnections: 100 },
  );
  lifecycle.own('http', () => http.close());
  const presence = await announcePresence(ctx, { id: newId(), role: 'jobs', url: http.url }, signal);
  lifecycle.own('place among the nodes', () => presence.close());

  startQueues(ctx, lifecycle, presence);
  const tidying = every(scratchMs, 'scratch cleanup', ctx.log, () => removeScratch(ctx));
  lifecycle.own('scratch cleanup', () => tidying.close());
  startDrainingSpool(ctx, new Spool(ctx.settings.dataDir), lifecycle, { quietMs: spoolQuietMs });

  const patterns = new TestPatterns(ctx);
  // ffmpeg is given 4 s before it is killed.
  lifecycle.own('test patterns', () => patterns.close(), 4_500);
  const looking = every(testPatternMs, 'test patterns', ctx.log, () => patterns.look(), {
    ms: testPatternRestMs,
    when: () => patterns.idle,
  });
  lifecycle.own('looking for test patterns', () => looking.close());
  const { databaseUrl } = ctx.settings;
  const listener = listenToDatabase(databaseUrl, 'stream_changed', () => looking.now(), ctx.log);
  lifecycle.own('notifications', () => listener.close());
  ctx.log.info('ready for jobs');
};

/** Works on the queues, and adds the jobs of what is committed. */
function startQueues(ctx: WorkerContext, lifecycle: Lifecycle, presence: Presence): void {
  const egress = openEgress({
    allowCidrs: ctx.settings.egressAllowCidrs,
    ownHosts: publicHosts(ctx.settings),
  });
  lifecycle.own('outbound calls', () => egress.close());
  const queues = openQueues(ctx.settings, ctx.log);
  lifecycle.own('queues', () => queues.close(), 3_500);
  const shards = new DeliveryShards(ctx, egress);
  const taskKinds = { import: importAssetJob, export: exportAssetJob, transcode: transcodeAssetJob };
  const runs = new TaskRuns(ctx, { egress, handlers: taskKinds, slots });
  const planned = {
    session_due: sessionJobs(ctx, queues),
    task_changed: taskJobs(ctx, queues, slots),
    storyboard_due: storyboardJobs(ctx, queues),
    event_written: deliveryJobs(ctx, queues, shards),
  };
  const handlers = {
    upkeep: upkeep(sweepsOf(ctx, Object.values(planned), presence)),
    ...taskHandlers(runs),
    storyboards: storyboards(ctx, queues),
    recordings: recordings(ctx, queues),
    deliveries: deliveries(ctx, queues, shards),
  };
  const workers = startWorkers(ctx.settings, queues, handlers, ctx.log);
  lifecycle.own('job workers', () => workers.close(3_000), 3_500);
  lifecycle.own('results of deliveries', () => shards.close());
  lifecycle.own('tasks', () => runs.close(), closeMs);
  startNudges(ctx, lifecycle, 'session_due', planned.session_due);
  startNudges(ctx, lifecycle, 'storyboard_due', planned.storyboard_due);
  startNudges(ctx, lifecycle, 'task_changed', planned.task_changed, (id) => runs.look(id));
  startNudges(ctx, lifecycle, 'event_written', planned.event_written);
}
