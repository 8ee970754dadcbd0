import { describe, expect, test } from 'vitest';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { deleteStream } from '@/lib/domain/streams';
import { startRestrictedOrigin, signJwt } from '@/media-worker/delivery/origin/testing/restricted-origin';

const { createOwner, createStreamWithPolicy, get, port } = await startRestrictedOrigin(
  await createTestDatabase(),
);

const reportStatus = async (path: string) => {
  const body = 'e=ps,sid="a",sn=1,sta=p,ts=1000';
  const { status } = await fetch(`http://127.0.0.1:${port}/cmcd/${path}`, { method: 'POST', body });
  return status;
};

describe('reports of players', () => {
  test('of public content are accepted until it is deleted', async () => {
    const owner = await createOwner();
    const { id, playbackId } = await createStreamWithPolicy(owner, null);
    expect(await reportStatus(playbackId)).toBe(204);
    await deleteStream(owner.ctx, id);
    await expect.poll(() => reportStatus(playbackId), { timeout: 10_000 }).toBe(410);
  });

  test("of unknown content end the player's reporting", async () => {
    expect(await reportStatus('abcdabcdabcdabcd')).toBe(410);
  });

  test('need a proof of access or the token of the path', async () => {
    const owner = await createOwner();
    const { playbackId } = await createStreamWithPolicy(owner, { type: 'jwt' });
    const jwt = await signJwt(owner.key, playbackId);
    const playlist = await (await get(`/hls/${playbackId}/index.m3u8?jwt=${jwt}`)).text();
    const token = /~[\w-]+/.exec(playlist)?.[0] ?? '';
    expect(token).not.toBe('');
    expect(await reportStatus(`${playbackId}/${token}`)).toBe(204);
    expect(await reportStatus(`${playbackId}?jwt=${jwt}`)).toBe(204);
    expect(await reportStatus(playbackId)).toBe(403);
    expect(await reportStatus(`${playbackId}/${token.slice(0, -1)}_`)).not.toBe(204);
  });
});
