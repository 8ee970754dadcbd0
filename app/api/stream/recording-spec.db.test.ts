import { describe, expect, test } from 'vitest';
import type { Stream } from '@/lib/contract/streams/stream';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { openTestApi } from '@/app/api/testing/test-api';

const api = openTestApi(await createTestDatabase());
const { key } = await api.createPerson('ada');
const profile = { name: '360p', width: 640, height: 360, bitrate: 800_000, fps: 0 };

const post = (body: object) => api.request('POST', '/api/stream', { key, body: { name: 'x', ...body } });
const patch = (id: string, body: object) => api.request('PATCH', `/api/stream/${id}`, { key, body });

async function createStream(body: object): Promise<Stream> {
  const response = await post(body);
  expect(response.status).toBe(201);
  return (await response.json()) as Stream;
}

async function readStream(id: string): Promise<Stream> {
  return (await (await api.request('GET', `/api/stream/${id}`, { key })).json()) as Stream;
}

describe('recordingSpec', () => {
  test.each([{}, { profiles: [] }, { profiles: [profile] }])('%j is returned as sent', async (spec) => {
    const { id, recordingSpec } = await createStream({ record: true, recordingSpec: spec });
    expect(recordingSpec).toEqual(spec);
    expect((await readStream(id)).recordingSpec).toEqual(spec);
  });

  test('can be changed, cleared, and is absent while recording is off', async () => {
    const { id } = await createStream({ record: true, recordingSpec: { profiles: [profile] } });
    expect((await patch(id, { recordingSpec: { profiles: [] } })).status).toBe(204);
    expect((await readStream(id)).recordingSpec).toEqual({ profiles: [] });
    expect((await patch(id, { record: false })).status).toBe(204);
    expect(await readStream(id)).not.toHaveProperty('recordingSpec');
    expect((await patch(id, { record: true, recordingSpec: null })).status).toBe(204);
    expect(await readStream(id)).not.toHaveProperty('recordingSpec');
  });

  test.each<[object, number, string]>([
    [{ recordingSpec: {} }, 422, 'recordingSpec: needs record to be true'],
    [{ record: false, recordingSpec: {} }, 422, 'recordingSpec: needs record to be true'],
    [{ record: true, recordingSpec: { quality: 1 } }, 422, 'recordingSpec'],
    [{ record: true, recordingSpec: { profiles: [{ name: 'x' }] } }, 422, 'recordingSpec.profiles[0].width'],
    [{ record: true, recordingSpec: { profiles: [profile, profile] } }, 400, '360p'],
  ])('%j is rejected', async (body, status, start) => {
    const response = await post(body);
    expect(response.status).toBe(status);
    expect(((await response.json()) as { errors: string[] }).errors[0]).toContain(start);
    const { id } = await createStream({});
    expect((await patch(id, body)).status).toBe(status);
  });
});
