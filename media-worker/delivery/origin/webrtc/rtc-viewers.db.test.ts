import type { IncomingMessage } from 'node:http';
import { beforeEach, describe, expect, test } from 'vitest';
import { createPlaybackToken, enterPlaybackPassword, revokePlaybackToken } from '@/lib/domain/access';
import { updateStream } from '@/lib/domain/streams';
import { createLogger } from '@/lib/infra/logger';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import {
  type Owner,
  startRestrictedOrigin,
  signJwt,
} from '@/media-worker/delivery/origin/testing/restricted-origin';
import { jsonAnswer } from '@/media-worker/kit/http/answer';
import { RtcViewers } from './rtc-viewers';

const { createOwner, createStreamWithPolicy, access, openMaster } = await startRestrictedOrigin(
  await createTestDatabase(),
);
let owner: Owner;

beforeEach(async () => {
  owner = await createOwner();
});

/** Creates the WebRTC viewers of one origin; all of them receive media. */
function createViewers() {
  const connectedIds = new Set<string>();
  const viewers = new RtcViewers({
    access,
    quotas: { findRejection: () => null },
    nodes: { find: () => Promise.resolve('http://127.0.0.1:1') },
    watch: () => () => undefined,
    onDelivery: () => undefined,
    ask: (request) => {
      if (request.kind === 'close') connectedIds.delete(request.id);
      const ids = request.kind === 'progress' ? request.ids.filter((id) => connectedIds.has(id)) : [];
      return Promise.resolve(
        jsonAnswer(
          200,
          ids.map((id) => ({ id, bytes: 1, isOver: false })),
        ),
      );
    },
    clock: { monotonic: () => performance.now() },
    log: createLogger('origin', 'silent'),
  });
  /**
   * Admits a viewer and starts a session with this id.
   * @returns the reason of a rejection, or null
   */
  const enterAs = async (id: string, path: string, headers: IncomingMessage['headers'] = {}) => {
    const [, playbackId = ''] = /^\/webrtc\/([a-z0-9]{16})/.exec(path) ?? [];
    const admission = await viewers.admit({ url: path, headers } as IncomingMessage, playbackId);
    if ('status' in admission) return Buffer.concat([...(admission.body ?? [])]).toString();
    connectedIds.add(id);
    admission.onOpen(id);
    return null;
  };
  /**
   * Rechecks all viewers.
   * @returns the ids of those who may continue
   */
  const refreshIds = async () => {
    await viewers.refresh();
    return [...connectedIds].join(' ');
  };
  return { enterAs, refreshIds };
}

describe('a stream for viewers with a signed token', () => {
  test('accepts a token in the query, in a header or in the path, and rejects one of another stream', async () => {
    const { playbackId } = await createStreamWithPolicy(owner, { type: 'jwt' });
    const { enterAs } = createViewers();
    const path = `/webrtc/${playbackId}`;
    expect(await enterAs('a', path)).toContain('A token is required');
    const jwt = await signJwt(owner.key, playbackId);
    expect(await enterAs('a', `${path}?jwt=${jwt}`)).toBeNull();
    expect(await enterAs('b', path, { 'livepeer-jwt': jwt })).toBeNull();
    const tokenPath = await openMaster(`/hls/${playbackId}/index.m3u8?jwt=${jwt}`);
    expect(await enterAs('c', tokenPath.replace('/hls/', '/webrtc/'))).toBeNull();
    const otherStream = await createStreamWithPolicy(owner, { type: 'jwt' });
    expect(await enterAs('d', `/webrtc/${otherStream.playbackId}?jwt=${jwt}`)).toContain(
      'another playback id',
    );
  });

  test('ends for the viewer whose token is revoked, and continues for others', async () => {
    const { playbackId } = await createStreamWithPolicy(owner, { type: 'jwt' });
    const { enterAs, refreshIds } = createViewers();
    const [first, second] = [
      await createPlaybackToken(owner.ctx, { id: playbackId, expiresIn: 600 }),
      await createPlaybackToken(owner.ctx, { id: playbackId, expiresIn: 600 }),
    ];
    expect(await enterAs('one', `/webrtc/${playbackId}?token=${first.token}`)).toBeNull();
    expect(await enterAs('two', `/webrtc/${playbackId}?token=${second.token}`)).toBeNull();
    expect(await refreshIds()).toBe('one two');
    await revokePlaybackToken(owner.ctx, { id: playbackId, token: first.token });
    await expect.poll(refreshIds).toBe('two');
  });

  test('ends for its viewer when it is suspended, and admits no other', async () => {
    const { id, playbackId } = await createStreamWithPolicy(owner, { type: 'jwt' });
    const { enterAs, refreshIds } = createViewers();
    expect(
      await enterAs('one', `/webrtc/${playbackId}?jwt=${await signJwt(owner.key, playbackId)}`),
    ).toBeNull();
    await updateStream(owner.ctx, { id, change: { suspended: true } });
    await expect.poll(refreshIds).toBe('');
    expect(await enterAs('two', `/webrtc/${playbackId}`)).toContain('not live');
  });
});

test('a password gives access, and a new password revokes it', async () => {
  const { id, playbackId } = await createStreamWithPolicy(owner, {
    type: 'password',
    password: 'open sesame',
  });
  const { enterAs, refreshIds } = createViewers();
  expect(await enterAs('one', `/webrtc/${playbackId}`)).toContain('A password is required');
  const { token } = await enterPlaybackPassword(owner.ctx, { id: playbackId, password: 'open sesame' });
  expect(await enterAs('one', `/webrtc/${playbackId}?token=${token}`)).toBeNull();
  expect(await refreshIds()).toBe('one');
  await updateStream(owner.ctx, {
    id,
    change: { playbackPolicy: { type: 'password', password: 'another one' } },
  });
  await expect.poll(refreshIds).toBe('');
});

test('a stream that is limited to a site cannot be played on other sites', async () => {
  const { playbackId } = await createStreamWithPolicy(owner, {
    type: 'public',
    allowedOrigins: ['https://shop.example'],
  });
  const { enterAs } = createViewers();
  const path = `/webrtc/${playbackId}`;
  expect(await enterAs('a', path, { origin: 'https://elsewhere.example' })).toContain('on this site');
  expect(await enterAs('a', path, { origin: 'https://shop.example' })).toBeNull();
});

test('a public stream ends for its viewers when it becomes restricted', async () => {
  const { id, playbackId } = await createStreamWithPolicy(owner, null);
  const { enterAs, refreshIds } = createViewers();
  expect(await enterAs('one', `/webrtc/${playbackId}`)).toBeNull();
  expect(await refreshIds()).toBe('one');
  await updateStream(owner.ctx, { id, change: { playbackPolicy: { type: 'jwt' } } });
  await expect.poll(refreshIds).toBe('');
});
