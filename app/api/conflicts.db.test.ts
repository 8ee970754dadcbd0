import { expect, test } from 'vitest';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { openTestApi } from './testing/test-api';

/** Two writes at the same moment: no change is lost, and a write that cannot take effect gets a clear error. */
const api = openTestApi(await createTestDatabase());
const { db } = api.services;
const { key } = await api.createPerson('ada');

const rounds = Array.from({ length: 12 }, (_, round) => round);
const call = (method: string, path: string, body?: unknown) => api.request(method, path, { key, body });

async function createObject(path: string, body: unknown): Promise<string> {
  return ((await (await call('POST', path, body)).json()) as { id: string }).id;
}

const createStream = () => createObject('/api/stream', { name: 'Town hall' });
const createTarget = () =>
  createObject('/api/multistream/target', { url: 'rtmp://live.example.com/app/key' });
const readStreamRow = (id: string) => db.stream.findUniqueOrThrow({ where: { id } });
const statusesOf = (responses: readonly Response[]) => responses.map(({ status }) => status);

async function errorsOf(response: Response): Promise<string[]> {
  return ((await response.json()) as { errors: string[] }).errors;
}

test.each(rounds)('two changes of different fields both take effect (%i)', async () => {
  const path = `/api/stream/${await createStream()}`;
  const responses = await Promise.all([
    call('PATCH', path, { name: 'renamed' }),
    call('PATCH', path, { suspended: true }),
    call('PATCH', `${path}/record`, { record: true }),
    call('PATCH', path, { creatorId: 'ada' }),
  ]);
  expect(statusesOf(responses)).toEqual([204, 204, 204, 204]);
  const stream = (await (await call('GET', path)).json()) as object;
  expect(stream).toMatchObject({
    name: 'renamed',
    suspended: true,
    record: true,
    creatorId: { value: 'ada' },
  });
});

test.each(rounds)('of two changes of the same fields, one takes effect as a whole (%i)', async () => {
  const id = await createStream();
  const changes = [
    { name: 'left', record: true },
    { name: 'right', record: false },
  ];
  const responses = await Promise.all(changes.map((change) => call('PATCH', `/api/stream/${id}`, change)));
  expect(statusesOf(responses)).toEqual([204, 204]);
  const { name, record } = await readStreamRow(id);
  expect(changes).toContainEqual({ name, record });
});

test.each(rounds)(
  'a stream that is deleted and changed is gone, and the change happened before or not at all (%i)',
  async () => {
    const id = await createStream();
    const path = `/api/stream/${id}`;
    const change = () => call('PATCH', path, { name: 'changed' });
    const remove = () => call('DELETE', path);
    const [changed, removed, removedTwice] = await Promise.all([change(), remove(), remove()]);
    expect(statusesOf([removed, removedTwice]).sort()).toEqual([204, 404]);
    expect([204, 404]).toContain(changed.status);
    const row = await readStreamRow(id);
    expect(row.deletedAt).not.toBeNull();
    expect(row.name).toBe(changed.status === 204 ? 'changed' : 'Town hall');
    if (changed.status === 404) expect(await errorsOf(changed)).toEqual(['not found']);
  },
);

test.each(rounds)('deleting a target while a stream refers to it leaves no reference (%i)', async (round) => {
  const [id, targetId] = [await createStream(), await createTarget()];
  const addReference = () =>
    call('PATCH', `/api/stream/${id}`, { multistream: { targets: [{ id: targetId, profile: 'source' }] } });
  const remove = () => call('DELETE', `/api/multistream/target/${targetId}`);
  // The calls start in either order; their responses are always in the same one.
  const calls = round % 2 === 0 ? [addReference(), remove()] : [remove(), addReference()].reverse();
  const [referenceResponse, removed] = (await Promise.all(calls)) as [Response, Response];
  const references = await db.streamTarget.count({ where: { streamId: id } });
  const { deletedAt } = await db.multistreamTarget.findUniqueOrThrow({ where: { id: targetId } });
  expect([removed.status, references]).toEqual([204, 0]);
  expect(deletedAt).not.toBeNull();
  expect([204, 400]).toContain(referenceResponse.status);
  if (referenceResponse.status === 400)
    expect(await errorsOf(referenceResponse)).toEqual([`multistream target not found: "${targetId}"`]);
});

test.each(rounds)('deleting a webhook twice while it is changed deletes it once (%i)', async () => {
  const id = await createObject('/api/webhook', {
    name: 'x',
    url: 'https://example.com',
    events: ['stream.idle'],
  });
  const path = `/api/webhook/${id}`;
  const responses = await Promise.all([
    call('DELETE', path),
    call('DELETE', path),
    call('PATCH', path, { name: 'y' }),
  ]);
  expect(statusesOf(responses.slice(0, 2)).sort()).toEqual([204, 404]);
  expect([204, 404]).toContain(responses[2].status);
  expect((await call('GET', path)).status).toBe(404);
});
