import { expect, test } from 'vitest';
import type { Stream } from '@/lib/contract/streams/stream';
import type { Prisma } from '@/lib/generated/prisma/client';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import { openTestApi } from '@/app/api/testing/test-api';
import { authorizePublish, endsStandby, noProgram, readLiveSettings } from '@/lib/domain/streams';

const databaseUrl = await createTestDatabase();
const api = openTestApi(databaseUrl);
const { db, createNode } = createLiveFixtures(databaseUrl);
const ctx = { ...api.services, actor: { kind: 'system' as const } };
const ada = await api.createPerson('ada');
const bob = await api.createPerson('bob');

const keyFormat = /^([0-9a-z]{4}-){3}[0-9a-z]{4}$/;

async function createStream(body: object = {}): Promise<Stream> {
  const response = await api.request('POST', '/api/stream', { key: ada.key, body: { name: 'x', ...body } });
  expect(response.status).toBe(201);
  return (await response.json()) as Stream;
}
const readStream = async (id: string) =>
  (await (await api.request('GET', `/api/stream/${id}`, { key: ada.key })).json()) as Stream;
const patch = (id: string, body: object) => api.request('PATCH', `/api/stream/${id}`, { key: ada.key, body });
const rotateKey = (id: string, body?: object) =>
  api.request('POST', `/api/stream/${id}/rotate-key`, { key: ada.key, ...(body ? { body } : {}) });
const switchTo = (id: string, to: string, key = ada.key) =>
  api.request('POST', `/api/stream/${id}/switch`, { key, body: { to } });
const readActions = async (objectId: string) =>
  (await db.auditEntry.findMany({ where: { objectId }, orderBy: { createdAt: 'asc' } })).map(
    ({ action }) => action,
  );

/** State of a connected encoder. Times are ms since 1970; it connected at the start of 2026. */
const encoder = {
  connectedAt: 1_767_225_600_000,
  bitrate: 4e6,
  width: 1280,
  height: 720,
  fps: 30,
  silentMs: 20,
};
const programReport = {
  input: 'primary',
  since: 1_767_225_600_000,
  byHand: false,
  primary: encoder,
  standby: null,
};
const setLive = (id: string, program: Prisma.InputJsonObject = programReport) =>
  db.stream.update({ where: { id }, data: { isActive: true, program } });

test('the settings for encoder loss are off by default, and there is no backup key', async () => {
  const created = await createStream();
  expect(created).toMatchObject({
    backup: false,
    slate: false,
    slateSeconds: null,
    recordSlate: false,
    fallbackAfterMs: 3_000,
    program: null,
  });
  expect(created).not.toHaveProperty('backupStreamKey');
});

test('the settings for encoder loss can be chosen on creation, and are in every stream object', async () => {
  const chosenSettings = {
    backup: true,
    slate: true,
    slateSeconds: 90,
    recordSlate: true,
    fallbackAfterMs: 1_500,
  };
  const created = await createStream(chosenSettings);
  expect(created).toMatchObject(chosenSettings);
  expect(created.backupStreamKey).toMatch(keyFormat);
  expect(created.backupStreamKey).not.toBe(created.streamKey);
  expect(await readStream(created.id)).toEqual(created);
  const list = (await (await api.request('GET', '/api/stream', { key: ada.key })).json()) as Stream[];
  expect(list.find(({ id }) => id === created.id)).toEqual(created);
});

test('a change of the settings increases their version, by which the live node notices it', async () => {
  const { id } = await createStream();
  const before = await db.stream.findUniqueOrThrow({ where: { id } });
  expect((await patch(id, { slate: true, slateSeconds: 30, fallbackAfterMs: 500 })).status).toBe(204);
  expect((await patch(id, { slateSeconds: null })).status).toBe(204);
  expect(await readStream(id)).toMatchObject({ slate: true, slateSeconds: null, fallbackAfterMs: 500 });
  const after = await db.stream.findUniqueOrThrow({ where: { id } });
  expect(after.settingsVersion).toBe(before.settingsVersion + 2);
});

test.each([
  [{ slateSeconds: 0 }, 'slateSeconds'],
  [{ slateSeconds: 86_401 }, 'slateSeconds'],
  [{ fallbackAfterMs: 499 }, 'fallbackAfterMs'],
  [{ fallbackAfterMs: 60_001 }, 'fallbackAfterMs'],
  [{ backup: null }, 'backup'],
  [{ slate: 'yes' }, 'slate'],
])('%j is rejected with the name of the field', async (body, field) => {
  const { id } = await createStream();
  const response = await patch(id, body);
  expect(response.status).toBe(422);
  expect(JSON.stringify(await response.json())).toContain(field);
});

test('the backup key is kept when it is switched off and on, and the time is stored, which cuts its earlier publishes', async () => {
  const { id } = await createStream();
  await patch(id, { backup: true });
  const { backupStreamKey } = await readStream(id);
  expect(backupStreamKey).toMatch(keyFormat);
  const before = await db.stream.findUniqueOrThrow({ where: { id } });
  expect(before.backupKeyRotatedAt).toBeNull();
  await patch(id, { backup: false });
  const off = await db.stream.findUniqueOrThrow({ where: { id } });
  expect(off.backupKeyRotatedAt).not.toBeNull();
  await patch(id, { backup: true });
  expect((await readStream(id)).backupStreamKey).toBe(backupStreamKey);
});

test('a stream object can be sent back as it was read', async () => {
  const { id } = await createStream({ backup: true });
  expect((await patch(id, await readStream(id))).status).toBe(204);
});

test('the keys can be rotated separately or together', async () => {
  const first = await createStream({ backup: true });
  const { id } = first;
  const second = (await (await rotateKey(id, { key: 'backup' })).json()) as Stream;
  expect(second.streamKey).toBe(first.streamKey);
  expect(second.backupStreamKey).not.toBe(first.backupStreamKey);
  const third = (await (await rotateKey(id)).json()) as Stream;
  expect(third.streamKey).not.toBe(first.streamKey);
  expect(third.backupStreamKey).toBe(second.backupStreamKey);
  const fourth = (await (await rotateKey(id, { key: 'both' })).json()) as Stream;
  expect(fourth.streamKey).not.toBe(third.streamKey);
  expect(fourth.backupStreamKey).not.toBe(third.backupStreamKey);
  expect((await readActions(id)).filter((action) => action.includes('key'))).toEqual([
    'stream.backup-key-rotated',
    'stream.key-rotated',
    'stream.key-rotated',
    'stream.backup-key-rotated',
  ]);
});

test('a stream without a backup key has none to rotate', async () => {
  const { id } = await createStream();
  const response = await rotateKey(id, { key: 'backup' });
  expect(response.status).toBe(409);
  expect(await response.json()).toMatchObject({
    errors: ['the stream has no backup key: create one with backup: true'],
  });
  expect((await rotateKey(id, { key: 'all' })).status).toBe(422);
});

test('read-only API keys do not see the backup key', async () => {
  const { id } = await createStream({ backup: true });
  const { secret: key } = await ada.newKey({ scopes: ['read'] });
  const response = await api.request('GET', `/api/stream/${id}`, { key });
  expect(response.status).toBe(200);
  const shownStream = (await response.json()) as Stream;
  expect(shownStream.backup).toBe(true);
  expect(shownStream).not.toHaveProperty('streamKey');
  expect(shownStream).not.toHaveProperty('backupStreamKey');
});

test('a live stream reports the input on air', async () => {
  const { id } = await createStream();
  await setLive(id, { ...programReport, reportedAt: 1_767_225_601_000 });
  expect((await readStream(id)).program).toEqual({ ...programReport, reportedAt: 1_767_225_601_000 });
  await setLive(id);
  expect((await readStream(id)).program).toEqual({ ...programReport, reportedAt: null });
});

test('a manual choice is stored for the live node, with the time of the database', async () => {
  const { id } = await createStream({ slate: true, backup: true });
  await setLive(id, { ...programReport, standby: encoder });
  for (const to of ['standby', 'slate', 'primary']) {
    const before = await db.stream.findUniqueOrThrow({ where: { id } });
    expect((await switchTo(id, to)).status).toBe(204);
    const row = await db.stream.findUniqueOrThrow({ where: { id } });
    expect(row.switchTo).toBe(to);
    expect(row.switchAskedAt).not.toBeNull();
    expect(Number(row.switchAskedAt)).toBeGreaterThanOrEqual(Number(before.switchAskedAt));
  }
  expect((await readActions(id)).filter((action) => action === 'stream.input-switched')).toHaveLength(3);
});

test.each([
  ['of a stream that is not live', { slate: true }, null, 'slate', 'the stream is not live'],
  [
    'to a standby encoder that is not connected',
    {},
    programReport,
    'standby',
    'no standby encoder is connected',
  ],
  [
    'to a primary encoder that is not connected',
    {},
    { ...programReport, primary: null, standby: encoder },
    'primary',
    'the primary encoder is not connected',
  ],
  [
    'to a slate that is off',
    {},
    programReport,
    'slate',
    'the slate of this stream is off: turn it on with slate: true',
  ],
] as const)('a switch %s gets 409 with the reason', async (_, body, program, to, message) => {
  const { id } = await createStream(body);
  if (program) await setLive(id, program);
  const response = await switchTo(id, to);
  expect(response.status).toBe(409);
  expect(await response.json()).toMatchObject({ errors: [message] });
  expect((await db.stream.findUniqueOrThrow({ where: { id } })).switchTo).toBeNull();
});

test("only inputs of a team's own parent streams can be chosen", async () => {
  const { id } = await createStream();
  expect((await switchTo(id, 'camera')).status).toBe(422);
  expect((await switchTo(id, 'slate', bob.key)).status).toBe(404);
  const publish = await authorizePublish(ctx, { streamId: id, nodeId: await createNode() });
  expect((await switchTo(publish?.sessionId ?? '', 'slate')).status).toBe(400);
});

test.each([
  ['replaced', (id: string) => rotateKey(id, { key: 'backup' }), true],
  ['switched off', (id: string) => patch(id, { backup: false }), true],
  ['left alone', (id: string) => patch(id, { slate: true }), false],
])('a standby whose key is %s is cut only if its key has become invalid', async (_, change, isCut) => {
  const { id } = await createStream({ backup: true });
  const publish = await authorizePublish(ctx, { streamId: id, nodeId: await createNode() });
  if (!publish) throw new Error('not published');
  await change(id);
  const after = await readLiveSettings(ctx, publish);
  expect(after.version).toBeGreaterThan(publish.settings.version);
  expect(endsStandby(publish.settings.program ?? noProgram, after.program ?? noProgram)).toBe(isCut);
});
