import { forgetEndedSessions, forgetOldDelivered } from '@/lib/accounts';
import type { SystemContext, WorkerContext } from '@/lib/context';
import { forgetOldRequests } from '@/lib/idempotency';
import { openEgress } from '@/lib/infra/egress';
import { publicHosts } from '@/lib/infra/own-addresses';
import { newId } from '@/lib/infra/ids';
import { listen as listenToDatabase } from '@/lib/infra/notifications';
import { forgetOldHealth, forgetOldViewers } from '@/lib/streams';
import { forgetOldAttempts } from '@/lib/webhooks';
import { every } from '../every';
import { errorAnswer, jsonAnswer, send } from '../http/answer';
import { listen } from '../http/listen';

import { takePlace } from '../presence';
import type { Lifecycle } from '../lifecycle';
import type { StartRole } from '../role';
import { startJobWorkers } from '../runtime';
import { WebhookDeliveries } from './deliver-webhooks';
import { FinishRecordings } from './finish-recordings';
import { createSweep } from './sweep';
import { Spool } from '../recording/spool';
import { startDrainingSpool } from '../recording/start-draining-spool';
import { startWork } from './start-work';
import { createTidying } from './tidy-storage';
import { TestPatterns } from './test-patterns';

const sweepMs = 2_000;
const testPatternMs = 2_000;
const recordingMs = 1_000;
/** A live process stores what it recorded within seconds: one that has not is gone. */
const spoolQuietMs = 30_000;
const forgetMs = 60_000;
const tidyMs = 60_000;
const forgetAttemptsMs = 3_600_000;
/** Finds what lost its nudge; retries of receivers that failed wait for this turn. */
const deliveryMs = 1_000;
const nothingHere = errorAnswer(404, 'Not found.');

/** Work that no viewer or publisher waits for. */
export const startJobs: StartRole = async (ctx, lifecycle, signal) => {
  const http = await listen(
    (request, response) =>
      send(response, request.url === '/healthz' ? jsonAnswer(200, { ok: true }) : nothingHere),
    { host: '127.0.0.1', port: 0, maxConnections: 100, log: ctx.log },
  );
  lifecycle.own('http', () => http.close());
  const url = `http://127.0.0.1:${http.port}`;
  const place = await takePlace(ctx, { id: newId(), role: 'jobs', url }, signal);
  lifecycle.own('place among the nodes', () => place.close());

  // Its own timer, because no promise may depend on the queue; a job only makes it run sooner (ADR 3).
  const sweep = every(sweepMs, 'sweep', ctx.log, createSweep(ctx));
  lifecycle.own('sweep', () => sweep.close());
  const nudge = () => {
    sweep.now();
    return Promise.resolve();
  };
  const workers = startJobWorkers(ctx.settings, { sweep: nudge }, ctx.log);
  lifecycle.own('job workers', () => workers.close(3_000), 3_500);

  const forgetting = every(forgetMs, 'forgetting what is old', ctx.log, async () => {
    await forgetOldRequests(ctx);
    await forgetOldHealth(ctx);
    await forgetOldViewers(ctx);
    await forgetOldDelivered(ctx);
    await forgetEndedSessions(ctx);
  });
  lifecycle.own('forgetting what is old', () => forgetting.close());

  startWork(ctx, lifecycle);
  const tidying = every(tidyMs, 'tidying the storage', ctx.log, createTidying(ctx));
  lifecycle.own('tidying the storage', () => tidying.close());
  finishRecordings(ctx, lifecycle);

  const patterns = new TestPatterns(ctx);
  // ffmpeg is given 4 s before it is killed.
  lifecycle.own('test patterns', () => patterns.close(), 4_500);
  const looking = every(testPatternMs, 'test patterns', ctx.log, () => patterns.look());
  lifecycle.own('looking for test patterns', () => looking.close());
  const { databaseUrl } = ctx.settings;
  const listener = listenToDatabase(databaseUrl, 'stream_changed', () => looking.now(), ctx.log);
  lifecycle.own('notifications', () => listener.close());
  startDeliveries(ctx, lifecycle);
  ctx.log.info('ready for work');
};

/** An event nudges when it is committed; the timer finds what is due without a nudge (ADR 3). */
function startDeliveries(ctx: SystemContext, lifecycle: Lifecycle): void {
  const egress = openEgress({
    allowCidrs: ctx.settings.egressAllowCidrs,
    ownHosts: publicHosts(ctx.settings),
  });
  lifecycle.own('outbound calls', () => egress.close());
  const wake = () => looking.now();
  const deliveries = new WebhookDeliveries(ctx, egress, { wake });
  lifecycle.own('deliveries', () => deliveries.close(), 3_000);
  const looking = every(deliveryMs, 'webhook deliveries', ctx.log, () => deliveries.look());
  lifecycle.own('looking for deliveries', () => looking.close());
  const forgetting = every(forgetAttemptsMs, 'forgetting old deliveries', ctx.log, async () => {
    await forgetOldAttempts(ctx);
  });
  lifecycle.own('forgetting old deliveries', () => forgetting.close());
  const listener = listenToDatabase(ctx.settings.databaseUrl, 'event_written', wake, ctx.log);
  lifecycle.own('notifications of events', () => listener.close());
}

function finishRecordings(ctx: WorkerContext, lifecycle: Lifecycle): void {
  startDrainingSpool(ctx, new Spool(ctx.settings.dataDir), lifecycle, { quietMs: spoolQuietMs });
  const recordings = new FinishRecordings(ctx);
  lifecycle.own('recordings', () => recordings.close());
  const looking = every(recordingMs, 'finishing recordings', ctx.log, () => recordings.look());
  lifecycle.own('looking for recordings', () => looking.close());
  const { databaseUrl } = ctx.settings;
  const listener = listenToDatabase(databaseUrl, 'recording_due', () => looking.now(), ctx.log);
  lifecycle.own('notifications of recordings', () => listener.close());
}
