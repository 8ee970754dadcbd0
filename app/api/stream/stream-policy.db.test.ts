import { describe, expect, test } from 'vitest';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { openTestApi } from '@/app/api/testing/test-api';

const api = openTestApi(await createTestDatabase());
const ada = await api.createPerson('ada');

async function createStream(): Promise<{ id: string }> {
  const response = await api.request('POST', '/api/stream', { key: ada.key, body: { name: 'Town hall' } });
  return (await response.json()) as { id: string };
}

describe('the playback policy in the audit log', () => {
  const actionsOn = async (objectId: string) => {
    const entries = await api.services.db.auditEntry.findMany({
      where: { objectId },
      orderBy: [{ createdAt: 'asc' }, { action: 'asc' }],
    });
    // The first entry is the creation.
    return entries.slice(1).map(({ action }) => action);
  };
  const patch = (path: string, body: object) => api.request('PATCH', path, { key: ada.key, body });

  test('has an entry of its own if it changed, also together with other fields', async () => {
    const { id } = await createStream();
    const path = `/api/stream/${id}`;
    await patch(path, { playbackPolicy: { type: 'jwt' } });
    expect(await actionsOn(id)).toEqual(['stream.playback-policy-changed']);
    await patch(path, { playbackPolicy: { type: 'jwt' } });
    expect(await actionsOn(id)).toHaveLength(1);
    await patch(path, { playbackPolicy: null, suspended: true });
    expect((await actionsOn(id)).slice(1).sort()).toEqual([
      'stream.playback-policy-changed',
      'stream.suspended',
    ]);
    await patch(path, { multistream: { targets: [] } });
    expect((await actionsOn(id)).slice(3)).toEqual(['stream.targets-changed']);
  });

  test('has an entry of its own for an asset', async () => {
    const response = await api.request('POST', '/api/asset/request-upload', {
      key: ada.key,
      body: { name: 'film' },
    });
    const { asset } = (await response.json()) as { asset: { id: string } };
    const path = `/api/asset/${asset.id}`;
    await patch(path, { playbackPolicy: { type: 'jwt' } });
    expect(await actionsOn(asset.id)).toEqual(['asset.playback-policy-changed']);
    await patch(path, { playbackPolicy: { type: 'public' }, name: 'short film' });
    expect((await actionsOn(asset.id)).slice(1).sort()).toEqual([
      'asset.playback-policy-changed',
      'asset.updated',
    ]);
  });
});
