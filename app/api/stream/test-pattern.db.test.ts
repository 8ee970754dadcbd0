import { describe, expect, test } from 'vitest';
import type { Stream } from '@/lib/contract/streams/stream';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { baseUrl, openTestApi } from '@/app/api/testing/test-api';

const api = openTestApi(await createTestDatabase());
const ada = await api.createPerson('ada');
const session = { cookie: ada.cookie, origin: baseUrl };

async function createStream(): Promise<Stream> {
  const response = await api.request('POST', '/api/stream', { key: ada.key, body: { name: 'Town hall' } });
  expect(response.status).toBe(201);
  return (await response.json()) as Stream;
}

describe('test pattern', () => {
  test('is started for 30 minutes and stopped', async () => {
    const { id } = await createStream();
    const path = `/api/dashboard/streams/${id}/test-pattern`;
    const readEnd = async () =>
      (await api.services.db.stream.findUniqueOrThrow({ where: { id } })).testPatternUntil;
    expect((await api.request('PUT', path, { ...session, body: { running: true } })).status).toBe(204);
    expect(Number(await readEnd()) - Date.now()).toBeGreaterThan(29 * 60_000);
    const readPattern = async () => (await api.request('GET', path, session)).json() as Promise<unknown>;
    const otherFields = { preview: null, videoReceived: false };
    expect(await readPattern()).toEqual({ running: true, endsAt: Number(await readEnd()), ...otherFields });
    expect((await api.request('PUT', path, { ...session, body: { running: false } })).status).toBe(204);
    expect(await readEnd()).toBeNull();
    expect(await readPattern()).toEqual({ running: false, endsAt: null, ...otherFields });
  });

  test('is not running after its end', async () => {
    const { id } = await createStream();
    const testPatternUntil = new Date(Date.now() - 1);
    await api.services.db.stream.update({ where: { id }, data: { testPatternUntil } });
    const response = await api.request('GET', `/api/dashboard/streams/${id}/test-pattern`, session);
    expect(await response.json()).toMatchObject({ running: false });
  });

  test('can be neither read nor started with an API key', async () => {
    const { id } = await createStream();
    const path = `/api/dashboard/streams/${id}/test-pattern`;
    expect((await api.request('GET', path, { key: ada.key })).status).toBe(403);
    expect((await api.request('PUT', path, { key: ada.key, body: { running: true } })).status).toBe(403);
  });

  test('as a preview has its own playback id, which stays while it runs', async () => {
    const { id } = await createStream();
    const path = `/api/dashboard/streams/${id}/test-pattern`;
    const setPattern = async (body: object) => {
      expect((await api.request('PUT', path, { ...session, body })).status).toBe(204);
      const { preview } = (await (await api.request('GET', path, session)).json()) as {
        preview: { playbackId: string; token: string } | null;
      };
      return preview;
    };
    const first = await setPattern({ running: true, preview: true });
    expect(first?.playbackId).toMatch(/^[a-z0-9]{16}$/);
    expect(first?.token).toContain('.');
    expect(await setPattern({ running: true, preview: true })).toEqual(first);
    expect(await setPattern({ running: true })).toBeNull();
    expect(await setPattern({ running: false })).toBeNull();
    expect((await setPattern({ running: true, preview: true }))?.playbackId).not.toBe(first?.playbackId);
  });

  test('is rejected while an encoder publishes', async () => {
    const { id } = await createStream();
    await api.services.db.stream.update({ where: { id }, data: { isActive: true } });
    const response = await api.request('PUT', `/api/dashboard/streams/${id}/test-pattern`, {
      ...session,
      body: { running: true },
    });
    expect(response.status).toBe(409);
  });
});
