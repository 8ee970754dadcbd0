import { once } from 'node:events';
import type { ChildProcess } from 'node:child_process';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { notify } from '@/lib/infra/notifications';
import type { Answer } from '@/lib/infra/testing/receiver';
import { hasRedis, createRedisServer } from './testing/redis-server';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { createWebhookFixtures } from '@/lib/domain/webhooks/testing/webhook-fixtures';
import { Packaging } from '@/media-worker/media/packaging/testing/packaging';
import {
  audioConfig,
  steadyFrames,
  videoConfig,
} from '@/media-worker/media/packaging/testing/synthetic-packets';
import { createRecordedSessions } from '@/media-worker/recording/testing/recorded-session';
import { startWebhookReceiver } from '@/media-worker/webhooks/testing/delivery-worker';
import { createJobsProcesses, killAndWait } from '@/media-worker/vod/tasks/testing/jobs-process';

/** Processes of the jobs role on both backends that are killed, frozen, or lose their queue. */

const databaseUrl = await createTestDatabase();
const sessions = await createRecordedSessions();
const { ctx, db, createTeam, createStream, createWebhook, emitStarted, deliveriesOf, attemptsOf } =
  createWebhookFixtures(databaseUrl);
const settings = { ...ctx.settings, dataDir: sessions.folder };
const pollOptions = { timeout: 150_000, interval: 100 };
const idsOf = (requests: readonly { readonly body: string }[]) =>
  requests.map(({ body }) => (JSON.parse(body) as { id: string }).id);

interface Backend {
  readonly redisUrl: string | undefined;
  /** Empties the queues. */
  readonly empty: () => Promise<void>;
}

function testSurvival({ redisUrl, empty }: Backend): void {
  let processes = createJobsProcesses({ ...settings, redisUrl }, process.env.PATH);
  afterEach(async () => {
    await processes.end();
    processes = createJobsProcesses({ ...settings, redisUrl }, process.env.PATH);
  });

  /** Starts a webhook receiver for a new stream. `events` emits events of the stream, and returns their ids. */
  async function startListening(answer: Answer) {
    const endpoint = await startWebhookReceiver(answer);
    const teamId = await createTeam();
    const { id: streamId } = await createStream(teamId);
    const { id } = await createWebhook(teamId, { url: endpoint.url });
    const events = async (count: number) => {
      const ids: string[] = [];
      for (let event = 0; event < count; event++) ids.push(await emitStarted(teamId, streamId));
      return ids;
    };
    return { endpoint, id, events };
  }
  const pendingOf = (webhookId: string) =>
    db.webhookDelivery.count({ where: { webhookId, state: 'pending' } });

  test('500 deliveries complete although one process is killed and the queue is emptied', async () => {
    let count = 0;
    // Every third response is slow enough for a kill during its delivery.
    const { endpoint, id, events } = await startListening((_request, response) => {
      setTimeout(() => response.end(), ++count % 3 === 0 ? 60 : 0);
    });
    let jobs = processes.start();
    const committedIds = await events(500);
    await endpoint.waitForRequests(100);
    await killAndWait(jobs);
    jobs = processes.start();
    await endpoint.waitForRequests(250);
    await empty();
    committedIds.push(...(await events(20)));
    await expect.poll(() => pendingOf(id), pollOptions).toBe(0);
    expect((await deliveriesOf(id)).filter(({ state }) => state !== 'ok')).toEqual([]);
    const arrivedIds = idsOf(endpoint.received);
    expect(committedIds.filter((event) => !arrivedIds.includes(event))).toEqual([]);
    // Twice, by the kill and by the loss of its job, deliveries are sent again: the 32 in progress, and at most 100 whose outcomes
    // were not stored yet.
    expect(arrivedIds.length - new Set(arrivedIds).size).toBeLessThanOrEqual(2 * (32 + 100));
    expect(jobs.exitCode).toBeNull();
  });

  test('a frozen process loses its job, and changes nothing when it resumes', async () => {
    const answers: (() => void)[] = [];
    const { endpoint, id, events } = await startListening((_request, response) => {
      if (answers.push(() => response.writeHead(500).end()) > 1) response.end();
    });
    const frozenProcess = processes.start();
    await events(1);
    await endpoint.waitForRequests(1);
    frozenProcess.kill('SIGSTOP');
    try {
      processes.start();
      await expect.poll(() => deliveriesOf(id), pollOptions).toMatchObject([{ state: 'ok', attempt: 2 }]);
      answers[0]?.();
    } finally {
      frozenProcess.kill('SIGCONT');
    }
    const firstAttemptError = async () => (await attemptsOf(id))[0]?.error ?? '';
    await expect
      .poll(firstAttemptError, pollOptions)
      .toMatch(/receiver answered 500|request was given up|no complete response/);
    expect(await deliveriesOf(id)).toMatchObject([{ state: 'ok', attempt: 2 }]);
    expect(endpoint.received).toHaveLength(2);
    frozenProcess.kill('SIGTERM');
    await waitForExit(frozenProcess);
  });

  test('each recorded session becomes one asset although the process is killed and the queue emptied', async () => {
    const teamId = await createTeam();
    const packaging = new Packaging();
    packaging.run([videoConfig(), audioConfig(), ...steadyFrames({ untilMs: 6_000 })]);
    const ids: string[] = [];
    for (let count = 0; count < 6; count++) {
      const parent = await createStream(teamId, { record: true });
      const sessionData = { teamId, parentId: parent.id, name: 'Town hall', playbackId: parent.playbackId };
      // The publisher has left, and the reconnect window has passed.
      const ended = { record: true, state: 'waiting', recording: 'waiting', lastSeen: new Date(0) } as const;
      const { id } = await db.session.create({ data: { ...sessionData, ...ended } });
      await sessions.store(id, packaging);
      ids.push(id);
    }
    const jobs = processes.start();
    const assetCount = () => db.asset.count({ where: { sourceSessionId: { in: ids } } });
    for (const id of ids) await notify(db, 'session_due', id);
    await expect.poll(assetCount, pollOptions).toBeGreaterThan(0);
    await killAndWait(jobs);
    await empty();
    processes.start();
    await expect.poll(assetCount, pollOptions).toBe(ids.length);
    for (const sourceSessionId of ids) {
      expect(await db.asset.count({ where: { sourceSessionId } })).toBe(1);
      expect(await db.task.count({ where: { outputAsset: { sourceSessionId } } })).toBe(1);
    }
  });
}

async function waitForExit(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

afterAll(() => sessions.remove());

describe('queues in PostgreSQL', () => {
  testSurvival({
    redisUrl: undefined,
    async empty() {
      const client = new Client({ connectionString: databaseUrl });
      await client.connect();
      try {
        await client.query('truncate queue.job, queue.scheduler cascade');
      } finally {
        await client.end();
      }
    },
  });
});

const redis = hasRedis ? await createRedisServer() : null;

describe.skipIf(!redis)('queues in Redis (apt-get install redis-server)', () => {
  beforeAll(() => redis?.start());
  afterAll(() => redis?.remove());
  testSurvival({ redisUrl: redis?.url, empty: () => Promise.resolve(redis?.flush()) });

  test('deliveries wait for a Redis that is not started yet', async () => {
    await redis?.stop();
    const processes = createJobsProcesses({ ...settings, redisUrl: redis?.url }, process.env.PATH);
    const endpoint = await startWebhookReceiver();
    const teamId = await createTeam();
    const { id: streamId } = await createStream(teamId);
    const { id } = await createWebhook(teamId, { url: endpoint.url });
    const jobs = processes.start();
    const countAliveNodes = () =>
      db.node.count({ where: { role: 'jobs', seenAt: { gt: new Date(Date.now() - 3_000) } } });
    await expect.poll(countAliveNodes, pollOptions).toBe(1);
    await emitStarted(teamId, streamId);
    // The next heartbeat shows that the process is still running.
    const emittedAt = new Date();
    await expect
      .poll(() => db.node.count({ where: { role: 'jobs', seenAt: { gt: emittedAt } } }), pollOptions)
      .toBe(1);
    expect(await deliveriesOf(id)).toMatchObject([{ state: 'pending', attempt: 0 }]);
    await redis?.start();
    await endpoint.waitForRequests(1);
    await expect.poll(() => deliveriesOf(id)).toMatchObject([{ state: 'ok', attempt: 1 }]);
    expect(jobs.exitCode).toBeNull();
    await processes.end();
  });
});
