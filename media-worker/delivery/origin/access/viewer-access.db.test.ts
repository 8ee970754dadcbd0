import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  PreviewTokens,
  createPlaybackToken,
  deleteSigningKey,
  revokePlaybackToken,
  updateSigningKey,
} from '@/lib/domain/access';
import { transact, type AccountContext } from '@/lib/domain/context';
import type { PlaybackPolicyInput } from '@/lib/contract/access/playback-policy';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { deleteStream, updateStream } from '@/lib/domain/streams';
import {
  addMember,
  createTeam,
  deleteTeam,
  updateStatusOfOwnedTeams,
  removeMember,
} from '@/lib/domain/teams';
import {
  type Owner,
  type Signing,
  claimsFor,
  startRestrictedOrigin,
  signJwt,
  masterPlaylist,
  mediaPlaylist,
} from '@/media-worker/delivery/origin/testing/restricted-origin';

const nowSeconds = () => Math.floor(Date.now() / 1_000);
const {
  ctx,
  db,
  live: liveNode,
  createTeam: createPersonalTeam,
  createOwner,
  createStreamWithPolicy,
  get,
  rawStatusOf,
  statusOf,
  rejectionOf,
  openMaster,
} = await startRestrictedOrigin(await createTestDatabase());

/** Changes reach the origin with a short delay, so tests poll for their effect. */
const pollOptions = { timeout: 4_000 };

/** Order of the curve P-256. */
const curveOrder = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** Returns the token with its other valid ECDSA signature (r, n - s) on P-256. */
function withNegatedSignature(jwt: string): string {
  const [head, claims, signature = ''] = jwt.split('.');
  const bytes = Buffer.from(signature, 'base64url');
  const negatedS = curveOrder - BigInt(`0x${bytes.subarray(32).toString('hex')}`);
  bytes.write(negatedS.toString(16).padStart(64, '0'), 32, 'hex');
  return [head, claims, bytes.toString('base64url')].join('.');
}

/** Returns the token with different unused bits in the last base64url character of its signature. */
function withUnusedBits(jwt: string): string {
  const base64urlDigits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return jwt.slice(0, -1) + base64urlDigits.charAt(base64urlDigits.indexOf(jwt.slice(-1)) ^ 1);
}

describe('a stream for viewers with a signed token', () => {
  let owner: Owner;
  let playbackId: string;
  let streamId: string;
  beforeEach(async () => {
    owner = await createOwner();
    ({ id: streamId, playbackId } = await createStreamWithPolicy(owner, { type: 'jwt' }));
  });
  const hlsPath = (file: string) => `/hls/${playbackId}/${file}`;

  test('serves a master playlist whose paths carry a token', async () => {
    const jwt = await signJwt(owner.key, playbackId);
    for (const [path, headers] of [
      [hlsPath(`index.m3u8?jwt=${jwt}`), {}],
      [hlsPath('index.m3u8'), { 'Livepeer-Jwt': jwt }],
    ] as const) {
      const tokenPath = await openMaster(path, headers);
      const playlist = await get(`${tokenPath}source/index.m3u8`);
      expect(playlist.headers.get('cache-control')).toBe('private, max-age=0');
      expect(await playlist.text()).toBe(mediaPlaylist);
      const segment = await get(`${tokenPath}source/7.m4s`);
      expect(segment.headers.get('cache-control')).toBe('private, max-age=31536000, immutable');
      expect(await segment.text()).toBe(`bytes of /${playbackId}/source/7.m4s`);
      expect(await statusOf(`${tokenPath}thumbnail.jpg`)).toBe(200);
      expect(await (await get(`${tokenPath}index.m3u8`)).text()).toBe(masterPlaylist);
    }
    // The live node gets the bare paths, once for all viewers.
    expect(liveNode.requests.filter((path) => path.endsWith('7.m4s'))).toEqual([
      `/${playbackId}/source/7.m4s`,
    ]);
    expect(liveNode.requests.join()).not.toContain('~');
  });

  test.each([
    'index.m3u8',
    // Playlist without low latency.
    'index.m3u8?ll=0',
    'source/index.m3u8',
    'source/7.m4s',
    'source/7.0.m4s',
    'source/init-1.mp4',
    'thumbnail.jpg',
  ])('serves nothing without a token: %s', async (file) => {
    expect(await rejectionOf(hlsPath(file))).toBe('403 A token is required to watch this.');
    expect(await statusOf(hlsPath(file), { Range: 'bytes=0-3' })).toBe(403);
    expect(await rawStatusOf(hlsPath(file), 'HEAD')).toBe(403);
    expect(liveNode.requests).toEqual([]);
  });

  test('accepts HEAD and range requests with a token', async () => {
    const tokenPath = await openMaster(hlsPath(`index.m3u8?jwt=${await signJwt(owner.key, playbackId)}`));
    expect(await rawStatusOf(`${tokenPath}source/7.m4s`, 'HEAD')).toBe(200);
    const rangeResponse = await get(`${tokenPath}source/7.m4s`, { Range: 'bytes=0-4' });
    expect([rangeResponse.status, await rangeResponse.text()]).toEqual([206, 'bytes']);
  });

  test('rejects tokens of other streams, times, keys and algorithms, and accepts the key id in the header', async () => {
    const otherStream = await createStreamWithPolicy(owner, { type: 'jwt' });
    const otherOwner = await createOwner();
    const validJwt = await signJwt(owner.key, playbackId);
    const rejectionOfJwt = async (jwt: string) => rejectionOf(hlsPath(`index.m3u8?jwt=${jwt}`));
    const jwtFor = (signing: Signing) => signJwt(owner.key, playbackId, signing);
    expect(await rejectionOfJwt(await signJwt(owner.key, otherStream.playbackId))).toContain(
      'another playback id',
    );
    expect(await rejectionOfJwt(await jwtFor({ claims: { exp: nowSeconds() - 1 } }))).toContain('expired');
    expect(await rejectionOfJwt(await jwtFor({ claims: { exp: undefined } }))).toContain('exp');
    expect(await rejectionOfJwt(await jwtFor({ claims: { nbf: nowSeconds() + 60 } }))).toContain(
      'not valid yet',
    );
    // `action` must be `pull`, which is playback. `pub` is the public key that verifies the token.
    expect(await rejectionOfJwt(await jwtFor({ claims: { action: 'push' } }))).toContain('pull');
    expect(await rejectionOfJwt(await jwtFor({ header: { kid: otherOwner.key.id } }))).toContain(
      'unknown key',
    );
    expect(await rejectionOfJwt(await jwtFor({ header: { kid: 'x' } }))).toContain('unknown key');
    expect(await rejectionOfJwt(await jwtFor({ claims: { pub: undefined } }))).toContain('unknown key');
    expect(
      await statusOf(
        hlsPath(
          `index.m3u8?jwt=${await jwtFor({ claims: { pub: undefined }, header: { kid: owner.key.id } })}`,
        ),
      ),
    ).toBe(200);
    // A token that another team signed with its key, with its own public key and with that of this team as `pub`.
    expect(await rejectionOfJwt(await signJwt(otherOwner.key, playbackId))).toContain('unknown key');
    expect(
      await rejectionOfJwt(
        await signJwt(otherOwner.key, playbackId, { claims: { pub: owner.key.publicKey } }),
      ),
    ).toContain('signature');
    // A public key in the header (`jwk`) is ignored.
    const attackerKeys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = encode(claimsFor(owner.key, playbackId));
    const head = encode({ alg: 'ES256', jwk: attackerKeys.publicKey.export({ format: 'jwk' }) });
    const signature = sign('sha256', Buffer.from(`${head}.${claims}`), {
      key: attackerKeys.privateKey,
      dsaEncoding: 'ieee-p1363',
    });
    expect(await rejectionOfJwt(`${head}.${claims}.${signature.toString('base64url')}`)).toContain(
      'signature',
    );
    for (const alg of ['none', 'None', 'nOnE']) {
      expect(await rejectionOfJwt(`${encode({ alg })}.${claims}.`)).toContain('ES256');
    }
    const hs256SigningInput = `${encode({ alg: 'HS256', typ: 'JWT' })}.${claims}`;
    for (const secret of [owner.key.publicKey, Buffer.from(owner.key.publicKey, 'base64')]) {
      const mac = createHmac('sha256', secret).update(hs256SigningInput).digest('base64url');
      expect(await rejectionOfJwt(`${hs256SigningInput}.${mac}`)).toContain('ES256');
    }
    const [validHead = '', validClaims = '', validSignature = ''] = validJwt.split('.');
    expect(
      await rejectionOfJwt(
        `${validHead}.${encode({ ...claimsFor(owner.key, playbackId), exp: nowSeconds() + 1e6 })}.${validSignature}`,
      ),
    ).toContain('signature');
    expect(await rejectionOfJwt(`${validHead}.${validClaims}.`)).toContain('signature');
    for (const text of ['x', 'a.b.c', `${validJwt}.x`, validJwt.repeat(20), '%00'])
      expect(await rejectionOfJwt(text)).toContain('cannot be read');
    expect(liveNode.requests.filter((path) => path !== `/${playbackId}/index.m3u8`)).toEqual([]);
  });

  test('rejects path tokens of other streams, and modified ones', async () => {
    const jwt = await signJwt(owner.key, playbackId);
    const tokenPath = await openMaster(hlsPath(`index.m3u8?jwt=${jwt}`));
    const otherStream = await createStreamWithPolicy(owner, { type: 'jwt' });
    expect(await statusOf(tokenPath.replace(playbackId, otherStream.playbackId) + 'source/7.m4s')).toBe(403);
    const [token = ''] = /~[\w-]+/.exec(tokenPath) ?? [];
    for (let index = 1; index < token.length; index += 1) {
      const changedToken =
        token.slice(0, index) + (token[index] === 'Q' ? 'R' : 'Q') + token.slice(index + 1);
      expect(await statusOf(hlsPath(`${changedToken}/source/7.m4s`))).not.toBe(200);
    }
    const { token: playbackToken } = await createPlaybackToken(owner.ctx, { id: playbackId, expiresIn: 60 });
    for (const name of [
      `~${playbackToken}`,
      `${token}=`,
      `${token}%2f..`,
      `${token}%2F`,
      `~${token}`,
      `${token}/${token}`,
      '~',
      '~..',
    ])
      expect(await rawStatusOf(hlsPath(`${name}/source/7.m4s`))).not.toBe(200);
    for (const path of [
      `/hls/${otherStream.playbackId}/../${playbackId}/${token}/source/7.m4s`,
      hlsPath(`${token}/../source/7.m4s`),
      hlsPath(`source/${token}/7.m4s`),
      hlsPath(`${token}\\source/7.m4s`),
    ])
      expect(await rawStatusOf(path)).not.toBe(200);
    // A path token cannot be exchanged for a new one: it would renew itself.
    expect(await rejectionOf(hlsPath(`index.m3u8?token=${token.slice(1)}`))).toContain('cannot be read');
    expect(await statusOf(`${tokenPath}source/7.m4s`)).toBe(200);
  });

  test('issues a separate path token to each viewer, and none if the content is public', async () => {
    const jwts = [
      await signJwt(owner.key, playbackId),
      await signJwt(owner.key, playbackId, { claims: { n: 2 } }),
    ];
    const tokenPaths = await Promise.all(jwts.map((jwt) => openMaster(hlsPath(`index.m3u8?jwt=${jwt}`))));
    expect(new Set(tokenPaths).size).toBe(2);
    for (const tokenPath of tokenPaths) expect(await statusOf(`${tokenPath}source/index.m3u8`)).toBe(200);
    // The admission of these viewers gives no access without their token.
    for (const file of ['index.m3u8', 'index.m3u8?ll=0', 'source/index.m3u8'])
      expect(await statusOf(hlsPath(file))).toBe(403);
    await updateStream(owner.ctx, { id: streamId, change: { playbackPolicy: null } });
    await expect.poll(() => statusOf(hlsPath('index.m3u8')), pollOptions).toBe(200);
    for (const file of ['index.m3u8', `index.m3u8?jwt=${jwts[0]}`, 'source/index.m3u8']) {
      const publicResponse = await get(hlsPath(file));
      expect(await publicResponse.text()).not.toContain('~');
      expect(publicResponse.headers.get('cache-control')).not.toContain('private');
    }
  });

  test('playback access ends when the policy changes, but not when the same policy is saved again', async () => {
    const tokenPath = await openMaster(hlsPath(`index.m3u8?jwt=${await signJwt(owner.key, playbackId)}`));
    const change = (playbackPolicy: PlaybackPolicyInput | null) =>
      updateStream(owner.ctx, { id: streamId, change: { playbackPolicy } });
    await change({ type: 'jwt' });
    expect(await statusOf(`${tokenPath}source/7.m4s`)).toBe(200);
    await change({ type: 'jwt', refreshInterval: 60 });
    await expect.poll(() => statusOf(`${tokenPath}source/7.m4s`), pollOptions).toBe(403);
    // Viewers keep their paths when the content becomes public.
    await change(null);
    await expect.poll(() => statusOf(`${tokenPath}source/7.m4s`), pollOptions).toBe(200);
    await change({ type: 'jwt' });
    await expect.poll(() => statusOf(`${tokenPath}source/7.m4s`), pollOptions).toBe(403);
  });

  test('playback access ends when the key is disabled or deleted', async () => {
    const path = hlsPath(`index.m3u8?jwt=${await signJwt(owner.key, playbackId)}`);
    const tokenPath = await openMaster(path);
    await updateSigningKey(owner.ctx, { id: owner.key.id, change: { disabled: true } });
    await expect.poll(() => statusOf(`${tokenPath}source/7.m4s`), pollOptions).toBe(403);
    expect(await rejectionOf(path)).toContain('disabled');
    await updateSigningKey(owner.ctx, { id: owner.key.id, change: { disabled: false } });
    await expect.poll(() => statusOf(`${tokenPath}source/7.m4s`), pollOptions).toBe(200);
    await deleteSigningKey(owner.ctx, owner.key.id);
    await expect.poll(() => statusOf(`${tokenPath}source/7.m4s`), pollOptions).toBe(403);
    expect(await rejectionOf(path)).toContain('unknown key');
  });

  test.each([
    ['suspended', () => updateStream(owner.ctx, { id: streamId, change: { suspended: true } })],
    ['deleted', () => deleteStream(owner.ctx, streamId)],
  ] as const)('playback access ends when the stream is %s', async (_, end) => {
    const tokenPath = await openMaster(hlsPath(`index.m3u8?jwt=${await signJwt(owner.key, playbackId)}`));
    expect(await statusOf(`${tokenPath}source/7.m4s`)).toBe(200);
    await end();
    await expect.poll(() => statusOf(`${tokenPath}source/7.m4s`), pollOptions).toBe(404);
  });

  test('a blocking reload that began before the token was revoked is answered, and the live node gets one request for all viewers', async () => {
    const jwts = [
      await signJwt(owner.key, playbackId),
      await signJwt(owner.key, playbackId, { claims: { n: 2 } }),
    ];
    const [firstPath = '', secondPath = ''] = await Promise.all(
      jwts.map((jwt) => openMaster(hlsPath(`index.m3u8?jwt=${jwt}`))),
    );
    let release = () => undefined as unknown;
    const whenHeld = new Promise<void>((resolve) => {
      liveNode.answer = (path, response) => {
        if (!path.includes('_HLS_msn')) return void response.end(mediaPlaylist);
        release = () => response.end(mediaPlaylist);
        resolve();
      };
    });
    const blockingReload = 'source/index.m3u8?_HLS_msn=8&_HLS_part=0';
    const waiting = [firstPath, secondPath].map((tokenPath) => statusOf(tokenPath + blockingReload));
    await whenHeld;
    await revokePlaybackToken(owner.ctx, { id: playbackId, token: jwts[0] ?? '' });
    await expect.poll(() => statusOf(`${firstPath}source/index.m3u8`), pollOptions).toBe(403);
    release();
    // Blocking reloads that began before the revocation are answered; the first token gives no further access.
    expect(await Promise.all(waiting)).toEqual([200, 200]);
    expect(await statusOf(firstPath + blockingReload)).toBe(403);
    expect(liveNode.requests.filter((path) => path.includes('_HLS_msn'))).toHaveLength(1);
  });

  test('playback access ends only for the viewer whose token is revoked', async () => {
    const [firstJwt, secondJwt] = [
      await signJwt(owner.key, playbackId),
      await signJwt(owner.key, playbackId, { claims: { custom: 2 } }),
    ];
    const [firstPath, secondPath] = [
      await openMaster(hlsPath(`index.m3u8?jwt=${firstJwt}`)),
      await openMaster(hlsPath(`index.m3u8?jwt=${secondJwt}`)),
    ];
    await revokePlaybackToken(owner.ctx, { id: playbackId, token: firstJwt });
    await expect.poll(() => statusOf(`${firstPath}source/7.m4s`), pollOptions).toBe(403);
    expect(await statusOf(`${secondPath}source/7.m4s`)).toBe(200);
    // Revocation also covers equivalent signatures; an equivalent of a token that is not revoked is accepted.
    for (const equivalentJwt of [firstJwt, withNegatedSignature(firstJwt), withUnusedBits(firstJwt)]) {
      expect(await rejectionOf(hlsPath(`index.m3u8?jwt=${equivalentJwt}`))).toContain('revoked');
    }
    expect(await statusOf(hlsPath(`index.m3u8?jwt=${withNegatedSignature(secondJwt)}`))).toBe(200);
  });

  test('accepts tokens that the service created, as ?token= and as ?jwt=, until they are revoked or expire', async () => {
    const { token } = await createPlaybackToken(owner.ctx, { id: playbackId, expiresIn: 60 });
    for (const name of ['token', 'jwt']) await openMaster(hlsPath(`index.m3u8?${name}=${token}`));
    const tokenPath = await openMaster(hlsPath(`index.m3u8?token=${token}`));
    const otherStream = await createStreamWithPolicy(owner, { type: 'jwt' });
    expect(await statusOf(`/hls/${otherStream.playbackId}/index.m3u8?token=${token}`)).toBe(403);
    await revokePlaybackToken(owner.ctx, { id: playbackId, token });
    await expect.poll(() => statusOf(`${tokenPath}source/7.m4s`), pollOptions).toBe(403);
    const expired = await createPlaybackToken(owner.ctx, { id: playbackId, expiresIn: -1 });
    expect(await rejectionOf(hlsPath(`index.m3u8?token=${expired.token}`))).toContain('expired');
  });

  test('a preview token of the owner gives access, and a forged one does not', async () => {
    await openMaster(
      hlsPath(`index.m3u8?preview=${new PreviewTokens(ctx).issue(playbackId, owner.ctx.actor.teamId)}`),
    );
    for (const forgedToken of ['zzzz.aaaaaaaaaaaaaaaaaaaaaa', 'zzzz.aaaaaaaaaaaa.aaaaaaaaaaaaaaaaaaaaaa'])
      expect(await statusOf(hlsPath(`index.m3u8?preview=${forgedToken}`))).toBe(403);
  });

  test('the preview token of a person gives access while the person is an active member of the team', async () => {
    const { teamId } = owner.ctx.actor;
    const otherUserId = await createPersonalTeam();
    // The id of a personal team is the id of its user.
    const ownerSession: AccountContext = { ...ctx, actor: { kind: 'session', teamId, userId: teamId } };
    const preview = hlsPath(`index.m3u8?preview=${new PreviewTokens(ctx).issue(playbackId, otherUserId)}`);
    expect(await statusOf(preview)).toBe(403);
    const join = () =>
      transact(ownerSession, (tx) => addMember(tx, { teamId, userId: otherUserId, role: 'viewer' }));
    await join();
    await expect.poll(() => statusOf(preview), pollOptions).toBe(200);
    const tokenPath = await openMaster(preview);
    await removeMember(ownerSession, { teamId, userId: otherUserId });
    await expect.poll(() => statusOf(preview), pollOptions).toBe(403);
    expect(await statusOf(`${tokenPath}source/7.m4s`)).toBe(403);
    // A member loses access when the account is suspended, although the team continues.
    await join();
    await expect.poll(() => statusOf(preview), pollOptions).toBe(200);
    await db.account.update({ where: { id: otherUserId }, data: { suspended: true } });
    await updateStatusOfOwnedTeams(ctx, otherUserId);
    await expect.poll(() => statusOf(preview), pollOptions).toBe(403);
    const previewToken = new PreviewTokens(ctx).issue(playbackId, teamId);
    await openMaster(hlsPath(`index.m3u8?preview=${previewToken}`));
  });
});

test('playback access to a public stream ends when its team is deleted', async () => {
  // The id of a personal team is the id of its user.
  const userId = await createPersonalTeam();
  const ownerSession: AccountContext = { ...ctx, actor: { kind: 'session', teamId: userId, userId } };
  const { id: teamId } = await createTeam(ownerSession, 'Lake TV');
  const teamOwner: Owner = { ...(await createOwner()), ctx: { ...ctx, actor: { kind: 'cli', teamId } } };
  const publicStream = await createStreamWithPolicy(teamOwner, null);
  const path = `/hls/${publicStream.playbackId}/source/7.m4s`;
  expect(await statusOf(path)).toBe(200);
  await deleteTeam(ownerSession, teamId);
  await expect.poll(() => statusOf(path), pollOptions).toBe(404);
});
