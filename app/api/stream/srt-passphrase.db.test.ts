import { expect, test } from 'vitest';
import type { Stream } from '@/lib/contract/streams/stream';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { findStreamOfKey } from '@/lib/domain/streams';
import { openTestApi } from '@/app/api/testing/test-api';

const api = openTestApi(await createTestDatabase());
const { db } = api.services;
const ctx = { ...api.services, actor: { kind: 'system' as const } };
const ada = await api.createPerson('ada');
const srtPassphrase = 'V7pWc2kq9TzR4mXe';

async function createStream(body: object = {}): Promise<Stream & { streamKey: string }> {
  const response = await api.request('POST', '/api/stream', { key: ada.key, body: { name: 'x', ...body } });
  expect(response.status).toBe(201);
  return (await response.json()) as Stream & { streamKey: string };
}
const readStream = async (id: string) =>
  (await (await api.request('GET', `/api/stream/${id}`, { key: ada.key })).json()) as Stream;
const patch = (id: string, body: object) => api.request('PATCH', `/api/stream/${id}`, { key: ada.key, body });

test('a stream has no SRT passphrase by default, and encoders must use one that is set', async () => {
  const { id, streamKey } = await createStream();
  expect(await readStream(id)).not.toHaveProperty('srtPassphrase');
  expect(await findStreamOfKey(ctx, streamKey)).toEqual({ streamId: id, rejectionReason: null });
  expect((await patch(id, { srtPassphrase })).status).toBe(204);
  expect(await readStream(id)).toMatchObject({ srtPassphrase });
  expect(await findStreamOfKey(ctx, streamKey)).toEqual({
    streamId: id,
    rejectionReason: null,
    srtPassphrase,
  });
  expect((await patch(id, { name: 'y' })).status).toBe(204);
  expect(await readStream(id)).toMatchObject({ name: 'y', srtPassphrase });
  expect((await patch(id, { srtPassphrase: null })).status).toBe(204);
  expect(await readStream(id)).not.toHaveProperty('srtPassphrase');
});

test('an SRT passphrase is sealed in the database, and hidden from read-only API keys', async () => {
  const { id } = await createStream({ srtPassphrase });
  const row = await db.stream.findUniqueOrThrow({ where: { id } });
  expect(Buffer.from(row.srtPassphraseSealed ?? []).includes(srtPassphrase)).toBe(false);
  const { secret } = await ada.newKey({ scopes: ['read'] });
  const response = await api.request('GET', `/api/stream/${id}`, { key: secret });
  expect(response.status).toBe(200);
  expect(await response.json()).not.toHaveProperty('srtPassphrase');
});

test.each(['short', 'x'.repeat(80), 'with a blank in it', 'ümlaut-ümlaut', 'an&d=more-of-it'])(
  '%j is not valid',
  async (text) => {
    const { id } = await createStream();
    const response = await patch(id, { srtPassphrase: text });
    expect(response.status).toBe(422);
    expect(JSON.stringify(await response.json())).toContain('must be 10 to 79 letters');
  },
);
