import { expect, test } from 'vitest';
import { openTestApi } from '@/app/api/testing/test-api';
import type { Stream } from '@/lib/contract/streams/stream';
import { createTestDatabase } from '@/lib/infra/testing/test-database';

const api = openTestApi(await createTestDatabase());
const { key } = await api.createPerson('ada');

const post = (body: object) => api.request('POST', '/api/stream', { key, body: { name: 'x', ...body } });
const patch = (id: string, body: object) => api.request('PATCH', `/api/stream/${id}`, { key, body });
const readStream = async (id: string) =>
  (await (await api.request('GET', `/api/stream/${id}`, { key })).json()) as Stream;

test('dvrSeconds and viewerClips are returned as sent, and can be changed and cleared', async () => {
  const plain = (await (await post({})).json()) as Stream;
  for (const field of ['dvrSeconds', 'viewerClips']) expect(plain).not.toHaveProperty(field);
  const stream = (await (await post({ dvrSeconds: 14_400, viewerClips: true })).json()) as Stream;
  expect(stream).toMatchObject({ record: false, dvrSeconds: 14_400, viewerClips: true });
  expect((await patch(stream.id, { dvrSeconds: 0, viewerClips: false })).status).toBe(204);
  const changed = await readStream(stream.id);
  expect(changed.dvrSeconds).toBe(0);
  expect(changed).not.toHaveProperty('viewerClips');
  // Absent fields keep their values, and a stream can be sent back as it was read.
  expect((await patch(stream.id, { name: 'y' })).status).toBe(204);
  expect((await patch(stream.id, changed)).status).toBe(204);
  expect((await readStream(stream.id)).dvrSeconds).toBe(0);
  expect((await patch(stream.id, { dvrSeconds: null })).status).toBe(204);
  expect(await readStream(stream.id)).not.toHaveProperty('dvrSeconds');
});

test.each([
  [{ dvrSeconds: -1 }, 'dvrSeconds'],
  [{ dvrSeconds: 14_401 }, 'dvrSeconds'],
  [{ dvrSeconds: 1.5 }, 'dvrSeconds'],
  [{ dvrSeconds: '600' }, 'dvrSeconds'],
  [{ dvrSeconds: true }, 'dvrSeconds'],
  [{ viewerClips: null }, 'viewerClips'],
  [{ viewerClips: 1 }, 'viewerClips'],
])('%j is rejected', async (body, field) => {
  const { id } = (await (await post({})).json()) as Stream;
  for (const response of [await post(body), await patch(id, body)]) {
    expect(response.status).toBe(422);
    const { errors } = (await response.json()) as { errors: string[] };
    expect(errors[0]).toMatch(new RegExp(`^${field}:`));
  }
});
