import { expect, test } from 'vitest';
import type { Stream } from '@/lib/contract/streams/stream';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { authorizePublish, findStreamOfKey, readPublishes } from '@/lib/domain/streams';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import { cutReason } from '@/lib/core/streams/publish-admission';
import { openTestApi } from '@/app/api/testing/test-api';

const databaseUrl = await createTestDatabase();
const api = openTestApi(databaseUrl);
const { db, createNode } = createLiveFixtures(databaseUrl);
const ctx = { ...api.services, actor: { kind: 'system' as const } };
const ada = await api.createPerson('ada');

async function createStream(): Promise<Stream & { streamKey: string }> {
  const response = await api.request('POST', '/api/stream', { key: ada.key, body: { name: 'x' } });
  return (await response.json()) as Stream & { streamKey: string };
}
const rotateKey = (id: string) => api.request('POST', `/api/stream/${id}/rotate-key`, { key: ada.key });

test('a new key admits encoders, the old one does not', async () => {
  const { id, streamKey: old } = await createStream();
  const response = await rotateKey(id);
  expect(response.status).toBe(200);
  const { streamKey } = (await response.json()) as { streamKey: string };
  expect(streamKey).toMatch(/^([0-9a-z]{4}-){3}[0-9a-z]{4}$/);
  expect(streamKey).not.toBe(old);
  expect(await findStreamOfKey(ctx, old)).toBeNull();
  expect(await findStreamOfKey(ctx, streamKey)).toEqual({ streamId: id, rejectionReason: null });
  const read = await api.request('GET', `/api/stream/${id}`, { key: ada.key });
  expect(await read.json()).toMatchObject({ id, streamKey });
  const line = await db.auditEntry.findFirst({ where: { objectId: id, action: 'stream.key-rotated' } });
  expect(line?.teamId).toBe(ada.teamId);
});

test('a publish that started before a rotation is cut, a later one is not', async () => {
  const { id } = await createStream();
  const nodeId = await createNode();
  const before = await authorizePublish(ctx, { streamId: id, nodeId });
  await rotateKey(id);
  const [row] = await readPublishes(ctx, { nodeId, heldIds: [] });
  const after = await authorizePublish(ctx, { streamId: id, nodeId });
  if (!row || !before || !after) throw new Error('not published');
  expect(cutReason(row, before.publishedAt)).toBe('key_rotated');
  expect(cutReason(row, after.publishedAt)).toBeNull();
});

test('a key that was rotated while its publish was admitted does not admit it', async () => {
  const { id, streamKey } = await createStream();
  const nodeId = await createNode();
  await rotateKey(id);
  expect(await authorizePublish(ctx, { streamId: id, nodeId, streamKey })).toBeNull();
  expect(await db.session.count({ where: { parentId: id } })).toBe(0);
});

test('the stream object of a session has no key to rotate', async () => {
  const { id } = await createStream();
  const publish = await authorizePublish(ctx, { streamId: id, nodeId: await createNode() });
  const response = await rotateKey(publish?.sessionId ?? '');
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ errors: ['a stream session has no stream key'] });
});
