import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { startReceiver } from '@/lib/infra/testing/receiver';
import { startWorkerProcess } from '@/media-worker/vod/tasks/testing/jobs-process';
import { createWebhookFixtures } from '@/lib/domain/webhooks/testing/webhook-fixtures';
import { migrate } from '../migrate';
import { openCluster } from '../postgres/cluster';
import { runSql, startPostgres } from '../postgres/server';

const folder = await mkdtemp(join(tmpdir(), 'headwater-outage-'));
const cluster = await openCluster(folder, { durable: true });
let server = await startPostgres(cluster);
let jobs: ChildProcess | undefined;
afterAll(async () => {
  if (jobs?.exitCode === null && jobs.kill('SIGKILL')) await once(jobs, 'exit');
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Simulates a power failure: connections break, and uncommitted data is lost. */
async function crash(): Promise<void> {
  const [pid] = (await readFile(join(cluster.directory, 'postmaster.pid'), 'utf8')).split('\n');
  process.kill(Number(pid), 'SIGQUIT');
  await server.stop();
}

/** Starts the jobs role with its queues in the same PostgreSQL. */
function startJobsRole(databaseUrl: string, appSecret: string): ChildProcess {
  return startWorkerProcess('jobs', {
    PATH: process.env.PATH,
    NODE_ENV: 'test',
    DATABASE_URL: databaseUrl,
    DATA_DIR: folder,
    APP_SECRET: appSecret,
    EGRESS_ALLOW_CIDRS: '127.0.0.1/32',
    LOG_LEVEL: 'error',
  });
}

test('every committed event arrives although PostgreSQL, including its queues, crashes twice', async () => {
  const databaseUrl = server.url('headwater');
  await runSql(server.url('postgres'), 'create database headwater');
  await migrate(databaseUrl);
  const { ctx, db, createTeam, createStream, createWebhook, emitStarted } =
    createWebhookFixtures(databaseUrl);
  const receiver = await startReceiver();
  afterAll(() => receiver.close());
  const teamId = await createTeam();
  const { id } = await createWebhook(teamId, { url: receiver.url });
  jobs = startJobsRole(databaseUrl, ctx.settings.appSecret);

  const committedIds: string[] = [];
  let failedWriteCount = 0;
  let isWriting = true;
  const writers = Array.from({ length: 4 }, async () => {
    const { id: streamId } = await createStream(teamId);
    while (isWriting) {
      try {
        committedIds.push(await emitStarted(teamId, streamId));
      } catch {
        failedWriteCount += 1;
        await sleep(50);
      }
    }
  });
  for (let outage = 1; outage <= 2; outage++) {
    await receiver.waitForRequests(receiver.received.length + 40);
    await crash();
    server = await startPostgres(cluster);
  }
  await receiver.waitForRequests(receiver.received.length + 40);
  isWriting = false;
  await Promise.all(writers);

  const countPending = () => db.webhookDelivery.count({ where: { webhookId: id, state: 'pending' } });
  await expect.poll(countPending, { timeout: 100_000, interval: 200 }).toBe(0);
  const receivedIds = new Set(receiver.received.map(({ body }) => (JSON.parse(body) as { id: string }).id));
  expect(failedWriteCount).toBeGreaterThan(0);
  expect(committedIds.filter((event) => !receivedIds.has(event))).toEqual([]);
  // No uncommitted event was delivered: every delivered id exists.
  expect(await db.event.count({ where: { id: { in: [...receivedIds] } } })).toBe(receivedIds.size);
  expect(await db.webhookDelivery.count({ where: { state: { not: 'ok' } } })).toBe(0);
  expect(jobs.exitCode).toBeNull();
});
