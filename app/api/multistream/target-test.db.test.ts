import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type { TargetTest } from '@/lib/contract/targets/target-test';
import type { TargetState } from '@/lib/core/targets/target-state';
import { createLimiters, limitSizes } from '@/lib/http/limits/rate-limit';
import { newId } from '@/lib/infra/ids';
import type { Logger } from '@/lib/infra/logger';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { addTarget, createStream } from '@/lib/domain/streams';
import { neverRead, startRawTarget } from '@/media-worker/live/multistream/testing/raw-target';
import { startIngest } from '@/media-worker/ingest/rtmp/testing/ingest-harness';
import { startLiveNode } from '@/app/api/testing/live-node';
import { openTestApi, type Person } from '@/app/api/testing/test-api';

/** Tests of targets through the API, with a live node that may connect to loopback addresses. */
const api = openTestApi(await createTestDatabase(), {
  limiters: createLimiters({ ...limitSizes, targetTest: { points: 10, seconds: 3_600 } }),
});
const { services } = api;
const { db } = services;
const path = '/api/multistream/target';

const logLines: string[] = [];
const recordLine = (...line: unknown[]) => void logLines.push(JSON.stringify(line));
const log = { debug: recordLine, info: recordLine, warn: recordLine, error: recordLine } as unknown as Logger;
const startNode = () => startLiveNode(api, { log, allowCidrs: ['127.0.0.1/32'] });
let node = await startNode();
afterAll(() => node.close());
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of cleanups.splice(0)) await close();
});

/** Starts an RTMP server that accepts stream keys starting with `good`. */
async function startService() {
  const ingest = await startIngest();
  cleanups.push(() => ingest.server.close());
  return { ingest, urlOf: (key: string) => `rtmp://127.0.0.1:${ingest.port}/live/${key}` };
}

async function saveTarget(person: Person, url: string): Promise<string> {
  const response = await api.request('POST', path, { key: person.key, body: { url } });
  return ((await response.json()) as { id: string }).id;
}

async function readResult(response: Promise<Response>): Promise<TargetTest> {
  const receivedResponse = await response;
  expect(receivedResponse.status).toBe(200);
  return (await receivedResponse.json()) as TargetTest;
}

const testSaved = (person: Person, id: string) =>
  api.request('POST', `${path}/${id}/test`, { key: person.key });
const testUrl = (person: Person, url: string) =>
  api.request('POST', `${path}/test`, { key: person.key, body: { url } });
const errorsOf = async (response: Response) => ((await response.json()) as { errors: string[] }).errors;

describe('testing a saved target', () => {
  test('whose service accepts the key succeeds, and is in the audit log', async () => {
    const ada = await api.createPerson();
    const { ingest, urlOf } = await startService();
    const id = await saveTarget(ada, urlOf('good-secret-key'));
    const { outcome, message } = await readResult(testSaved(ada, id));
    expect(outcome).toBe('accepted');
    expect(message).toBe(
      '127.0.0.1 accepted the stream key. Some services check it again when video arrives.',
    );
    expect(ingest.publishes).toHaveLength(1);
    expect(await db.auditEntry.count({ where: { action: 'target.tested', objectId: id } })).toBe(1);
  });

  test('stores the result without the key, and a new URL deletes it', async () => {
    const ada = await api.createPerson();
    const { urlOf } = await startService();
    const id = await saveTarget(ada, urlOf('bad-secret-key'));
    const { id: streamId } = await createStream(ada.ctx, { name: 'Town hall' });
    await addTarget(ada.ctx, { id: streamId, reference: { id, profile: 'source' } });
    const readStatus = async () => {
      const response = await api.request('GET', `/api/stream/${streamId}/multistream`, { key: ada.key });
      return (await response.json()) as unknown[];
    };
    const { message } = await readResult(testSaved(ada, id));
    expect(await readStatus()).toMatchObject([
      { reached: false, lastTest: { outcome: 'publish_rejected', message } },
    ]);
    expect(JSON.stringify(await readStatus())).not.toContain('secret-key');
    await api.request('PATCH', `${path}/${id}`, { key: ada.key, body: { url: urlOf('good-key') } });
    expect(await readStatus()).toMatchObject([{ reached: null, lastTest: null }]);
  });

  test('whose service rejects the key fails, and neither the response nor the log contains the key', async () => {
    const ada = await api.createPerson();
    const { urlOf } = await startService();
    const result = await readResult(testSaved(ada, await saveTarget(ada, urlOf('bad-secret-key'))));
    expect(result.outcome).toBe('publish_rejected');
    expect(JSON.stringify(result)).not.toContain('secret-key');
    expect(logLines.join('\n')).not.toContain('secret-key');
  });

  test('of another team is rejected as not found', async () => {
    const [ada, eve] = [await api.createPerson(), await api.createPerson()];
    const { ingest, urlOf } = await startService();
    const response = await testSaved(eve, await saveTarget(ada, urlOf('good-key')));
    expect(response.status).toBe(404);
    expect(ingest.publishes).toEqual([]);
  });

  test.each(['connecting', 'connected'] as const)('that a stream is %s to is rejected', async (state) => {
    const ada = await api.createPerson();
    const { ingest, urlOf } = await startService();
    const url = urlOf(`good-${state}`);
    const id = await saveTarget(ada, url);
    await setTargetState(ada, id, state);
    const response = await testSaved(ada, id);
    expect(response.status).toBe(409);
    const [message] = await errorsOf(response);
    expect(message).toContain('the stream "Town hall" is');
    // A URL with the same stream key is rejected as well, before it is saved.
    expect((await testUrl(ada, url)).status).toBe(409);
    expect(ingest.publishes).toEqual([]);
  });

  test.each(['waiting', 'error', 'disconnected'] as const)(
    'works while a stream is in state %s at the target',
    async (state) => {
      const ada = await api.createPerson();
      const { urlOf } = await startService();
      const id = await saveTarget(ada, urlOf('good-key'));
      await setTargetState(ada, id, state);
      expect((await readResult(testSaved(ada, id))).outcome).toBe('accepted');
    },
  );
});

async function setTargetState({ ctx }: Person, targetId: string, state: TargetState): Promise<void> {
  const { id: streamId } = await createStream(ctx, { name: 'Town hall' });
  await addTarget(ctx, { id: streamId, reference: { id: targetId, profile: 'source' } });
  await db.targetStatus.create({
    data: { streamId, targetId, profile: 'source', state, since: new Date() },
  });
}

describe('testing a URL that is not saved', () => {
  test('with a closed port, and of a server without TLS, reports the reason', async () => {
    const ada = await api.createPerson();
    const targetWithoutTls = await startRawTarget((socket) => socket.end('220 hello\r\n'));
    expect(
      (await readResult(testUrl(ada, `rtmps://127.0.0.1:${targetWithoutTls.port}/live/key`))).outcome,
    ).toBe('tls_failed');
    await targetWithoutTls.close();
    expect(
      (await readResult(testUrl(ada, `rtmp://127.0.0.1:${targetWithoutTls.port}/live/key`))).outcome,
    ).toBe('connection_refused');
    expect(await db.multistreamTarget.count({ where: { teamId: ada.teamId } })).toBe(0);
  });

  test.each([
    ['rtmp://127.0.0.1:1936', 'url_invalid'],
    ['rtmp://10.0.0.1/live/key', 'address_not_public'],
    ['rtmp://169.254.169.254:80/live/key', 'address_not_public'],
  ])('%s has the outcome %s', async (url, outcome) => {
    const ada = await api.createPerson();
    expect((await readResult(testUrl(ada, url))).outcome).toBe(outcome);
  });

  test('of our own ingest is invalid', async () => {
    const ada = await api.createPerson();
    const response = await testUrl(ada, services.settings.rtmpUrl);
    expect(response.status).toBe(422);
  });
});

describe('tests are limited', () => {
  test('to one at a time for each team, and a target that hangs does not delay other teams', async () => {
    const [ada, eve] = [await api.createPerson(), await api.createPerson()];
    const { urlOf } = await startService();
    const silentTarget = await startRawTarget(neverRead);
    const firstTest = testUrl(ada, `rtmp://127.0.0.1:${silentTarget.port}/live/key`);
    await expect.poll(() => silentTarget.connectionCount).toBe(1);
    const secondTest = await testUrl(ada, urlOf('good-key'));
    expect(secondTest.status).toBe(409);
    expect(await errorsOf(secondTest)).toEqual([
      'another test of a target is running: try again when it has ended',
    ]);
    expect((await readResult(testUrl(eve, urlOf('good-key')))).outcome).toBe('accepted');
    await silentTarget.close();
    await firstTest;
    expect((await readResult(testUrl(ada, urlOf('good-key')))).outcome).toBe('accepted');
  });

  test('to a number per hour for each team', async () => {
    const ada = await api.createPerson();
    const statuses: number[] = [];
    for (let count = 0; count < 11; count += 1)
      statuses.push((await testUrl(ada, 'rtmp://127.0.0.1:1936')).status);
    expect(statuses.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 200));
    expect(statuses.at(-1)).toBe(429);
  });

  test('without a live node, testing is unavailable', async () => {
    const ada = await api.createPerson();
    await node.close();
    try {
      const response = await testUrl(ada, 'rtmp://127.0.0.1:1/live/key');
      expect(response.status).toBe(503);
    } finally {
      node = await startNode();
    }
  });

  test('a command that none of our processes signed is rejected', async () => {
    const response = await fetch(`${node.url}/target-tests`, {
      method: 'POST',
      body: JSON.stringify({ teamId: newId(), sealed: Buffer.from('rtmp://127.0.0.1/a').toString('base64') }),
    });
    expect(response.status).toBe(401);
    await response.body?.cancel();
  });
});
