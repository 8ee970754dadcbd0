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
import { testDatabase } from '@/lib/infra/testing/test-database';
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
  live,
  createTeam: createPersonalTeam,
  createOwner,
  createStreamWithPolicy,
  get,
  raw,
  statusOf,
  rejectionOf,
  enter,
} = await startRestrictedOrigin(await testDatabase());

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
  let id: string;
  beforeEach(async () => {
    owner = await createOwner();
    ({ id, playbackId } = await createStreamWithPolicy(owner, { type: 'jwt' }));
  });
  const hls = (file: string) => `/hls/${playbackId}/${file}`;

  test('serves a master playlist whose paths carry a token', async () => {
    const jwt = await signJwt(owner.key, playbackId);
    for (const [path, headers] of [
      [hls(`index.m3u8?jwt=${jwt}`), {}],
      [hls('index.m3u8'), { 'Livepeer-Jwt': jwt }],
    ] as const) {
      const admittedPath = await enter(path, headers);
      const playlist = await get(`${admittedPath}source/index.m3u8`);
      expect(playlist.headers.get('cache-control')).toBe('private, max-age=0');
      expect(await playlist.text()).toBe(mediaPlaylist);
      const segment = await get(`${admittedPath}source/7.m4s`);
      expect(segment.headers.get('cache-control')).toBe('private, max-age=31536000, immutable');
      expect(await segment.text()).toBe(`bytes of /${playbackId}/source/7.m4s`);
      expect(await statusOf(`${admittedPath}thumbnail.jpg`)).toBe(200);
      expect(await (await get(`${admittedPath}index.m3u8`)).text()).toBe(masterPlaylist);
    }
    // The live node gets the bare paths, once for all viewers.
    expect(live.requests.filter((path) => path.endsWith('7.m4s'))).toEqual([`/${playbackId}/source/7.m4s`]);
    expect(live.requests.join()).not.toContain('~');
  });

  test.each([
    'index.m3u8',
    'index.m3u8?ll=0',
    'source/index.m3u8',
    'source/7.m4s',
    'source/7.0.m4s',
    'source/init-1.mp4',
    'thumbnail.jpg',
  ])('serves nothing without a token: %s', async (file) => {
    expect(await rejectionOf(hls(file))).toBe('403 A token is required to watch this.');
    expect(await statusOf(hls(file), { Range: 'bytes=0-3' })).toBe(403);
    expect(await raw(hls(file), 'HEAD')).toBe(403);
    expect(live.requests).toEqual([]);
  });

  test('accepts HEAD and range requests with a token', async () => {
    const admittedPath = await enter(hls(`index.m3u8?jwt=${await signJwt(owner.key, playbackId)}`));
    expect(await raw(`${admittedPath}source/7.m4s`, 'HEAD')).toBe(200);
    const part = await get(`${admittedPath}source/7.m4s`, { Range: 'bytes=0-4' });
    expect([part.status, await part.text()]).toEqual([206, 'bytes']);
  });

  test('rejects tokens with other streams, times, keys and algorithms', async () => {
    const otherStream = await createStreamWithPolicy(owner, { type: 'jwt' });
    const otherOwner = await createOwner();
    const validJwt = await signJwt(owner.key, playbackId);
    const rejectionOfJwt = async (jwt: string) => rejectionOf(hls(`index.m3u8?jwt=${jwt}`));
    const jwtFor = (signing: Signing) => signJwt(owner.key, playbackId, signing);
    expect(await rejectionOfJwt(await signJwt(owner.key, otherStream.playbackId))).toContain(
      'another playback id',
    );
    expect(await rejectionOfJwt(await jwtFor({ claims: { exp: nowSeconds() - 1 } }))).toContain('expired');
    expect(await rejectionOfJwt(await jwtFor({ claims: { exp: undefined } }))).toContain('exp');
    expect(await rejectionOfJwt(await jwtFor({ claims: { nbf: nowSeconds() + 60 } }))).toContain(
      'not valid yet',
    );
    expect(await rejectionOfJwt(await jwtFor({ claims: { action: 'push' } }))).toContain('pull');
    expect(await rejectionOfJwt(await jwtFor({ header: { kid: otherOwner.key.id } }))).toContain(
      'unknown key',
    );
    expect(await rejectionOfJwt(await jwtFor({ header: { kid: 'x' } }))).toContain('unknown key');
    expect(await rejectionOfJwt(await jwtFor({ claims: { pub: undefined } }))).toContain('unknown key');
    expect(
      await statusOf(
        hls(`index.m3u8?jwt=${await jwtFor({ claims: { pub: undefined }, header: { kid: owner.key.id } })}`),
      ),
    ).toBe(200);
    // A token of another team, with its own key and a claim to be of this one.
    expect(await rejectionOfJwt(await signJwt(otherOwner.key, playbackId))).toContain('unknown key');
    expect(
      await rejectionOfJwt(
        await signJwt(otherOwner.key, playbackId, { claims: { pub: owner.key.publicKey } }),
      ),
    ).toContain('signature');
    // A key in the header is ignored.
    const jwk = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = encode(claimsFor(owner.key, playbackId));
    const head = encode({ alg: 'ES256', jwk: jwk.publicKey.export({ format: 'jwk' }) });
    const signature = sign('sha256', Buffer.from(`${head}.${claims}`), {
      key: jwk.privateKey,
      dsaEncoding: 'ieee-p1363',
    });
    expect(await rejectionOfJwt(`${head}.${claims}.${signature.toString('base64url')}`)).toContain(
      'signature',
    );
    for (const alg of ['none', 'None', 'nOnE']) {
      expect(await rejectionOfJwt(`${encode({ alg })}.${claims}.`)).toContain('ES256');
    }
    const confusedJwt = `${encode({ alg: 'HS256', typ: 'JWT' })}.${claims}`;
    for (const secret of [owner.key.publicKey, Buffer.from(owner.key.publicKey, 'base64')]) {
      const mac = createHmac('sha256', secret).update(confusedJwt).digest('base64url');
      expect(await rejectionOfJwt(`${confusedJwt}.${mac}`)).toContain('ES256');
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
    expect(live.requests.filter((path) => path !== `/${playbackId}/index.m3u8`)).toEqual([]);
  });

  test('rejects path tokens of other streams, and modified ones', async () => {
    const jwt = await signJwt(owner.key, playbackId);
    const admittedPath = await enter(hls(`index.m3u8?jwt=${jwt}`));
    const otherStream = await createStreamWithPolicy(owner, { type: 'jwt' });
    expect(await statusOf(admittedPath.replace(playbackId, otherStream.playbackId) + 'source/7.m4s')).toBe(
      403,
    );
    const [token = ''] = /~[\w-]+/.exec(admittedPath) ?? [];
    for (let index = 1; index < token.length; index += 1) {
      const changedToken =
        token.slice(0, index) + (token[index] === 'Q' ? 'R' : 'Q') + token.slice(index + 1);
      expect(await statusOf(hls(`${changedToken}/source/7.m4s`))).not.toBe(200);
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
      expect(await raw(hls(`${name}/source/7.m4s`))).not.toBe(200);
    for (const path of [
      `/hls/${otherStream.playbackId}/../${playbackId}/${token}/source/7.m4s`,
      hls(`${token}/../source/7.m4s`),
      hls(`source/${token}/7.m4s`),
      hls(`${token}\\source/7.m4s`),
    ])
      expect(await raw(path)).not.toBe(200);
    // A path token cannot be exchanged for a new one: it would renew itself.
    expect(await rejectionOf(hls(`index.m3u8?token=${token.slice(1)}`))).toContain('cannot be read');
    expect(await statusOf(`${admittedPath}source/7.m4s`)).toBe(200);
  });

  test('issues a separate path token to each viewer, and none if the content is public', async () => {
    const jwts = [
      await signJwt(owner.key, playbackId),
      await signJwt(owner.key, playbackId, { claims: { n: 2 } }),
    ];
    const admittedPaths = await Promise.all(jwts.map((jwt) => enter(hls(`index.m3u8?jwt=${jwt}`))));
    expect(new Set(admittedPaths).size).toBe(2);
    // Paths of one viewer do not work for others.
    for (const admittedPath of admittedPaths)
      expect(await statusOf(`${admittedPath}source/index.m3u8?x=1`)).toBe(200);
    for (const file of ['index.m3u8', 'index.m3u8?ll=0', 'source/index.m3u8?x=1', 'source/index.m3u8'])
      expect(await statusOf(hls(file))).toBe(403);
    await updateStream(owner.ctx, { id, change: { playbackPolicy: null } });
    await expect.poll(() => statusOf(hls('index.m3u8')), { timeout: 4_000 }).toBe(200);
    for (const file of ['index.m3u8', `index.m3u8?jwt=${jwts[0]}`, 'source/index.m3u8']) {
      const publicResponse = await get(hls(file));
      expect(await publicResponse.text()).not.toContain('~');
      expect(publicResponse.headers.get('cache-control')).not.toContain('private');
    }
  });

  test('ends for all viewers when the policy changes, but not when the same policy is saved again', async () => {
    const admittedPath = await enter(hls(`index.m3u8?jwt=${await signJwt(owner.key, playbackId)}`));
    const change = (playbackPolicy: PlaybackPolicyInput | null) =>
      updateStream(owner.ctx, { id, change: { playbackPolicy } });
    await change({ type: 'jwt' });
    expect(await statusOf(`${admittedPath}source/7.m4s`)).toBe(200);
    await change({ type: 'jwt', refreshInterval: 60 });
    await expect.poll(() => statusOf(`${admittedPath}source/7.m4s`), { timeout: 4_000 }).toBe(403);
    // Viewers keep their paths when the content becomes public.
    await change(null);
    await expect.poll(() => statusOf(`${admittedPath}source/7.m4s`), { timeout: 4_000 }).toBe(200);
    await change({ type: 'jwt' });
    await expect.poll(() => statusOf(`${admittedPath}source/7.m4s`), { timeout: 4_000 }).toBe(403);
  });

  test('ends when the key is disabled or deleted', async () => {
    const path = hls(`index.m3u8?jwt=${await signJwt(owner.key, playbackId)}`);
    const admittedPath = await enter(path);
    await updateSigningKey(owner.ctx, { id: owner.key.id, change: { disabled: true } });
    await expect.poll(() => statusOf(`${admittedPath}source/7.m4s`), { timeout: 4_000 }).toBe(403);
    expect(await rejectionOf(path)).toContain('disabled');
    await updateSigningKey(owner.ctx, { id: owner.key.id, change: { disabled: false } });
    await expect.poll(() => statusOf(`${admittedPath}source/7.m4s`), { timeout: 4_000 }).toBe(200);
    await deleteSigningKey(owner.ctx, owner.key.id);
    await expect.poll(() => statusOf(`${admittedPath}source/7.m4s`), { timeout: 4_000 }).toBe(403);
    expect(await rejectionOf(path)).toContain('unknown key');
  });

  test.each([
    ['suspended', () => updateStream(owner.ctx, { id, change: { suspended: true } })],
    ['deleted', () => deleteStream(owner.ctx, id)],
  ] as const)('ends when the stream is %s', async (_, end) => {
    const admittedPath = await enter(hls(`index.m3u8?jwt=${await signJwt(owner.key, playbackId)}`));
    expect(await statusOf(`${admittedPath}source/7.m4s`)).toBe(200);
    await end();
    await expect.poll(() => statusOf(`${admittedPath}source/7.m4s`), { timeout: 4_000 }).toBe(404);
  });

  test('ends when the team is deleted', async () => {
    const userId = await createPersonalTeam();
    const ownerSession: AccountContext = { ...ctx, actor: { kind: 'session', teamId: userId, userId } };
    const { id: teamId } = await createTeam(ownerSession, 'Lake TV');
    const teamOwner: Owner = { ...owner, ctx: { ...ctx, actor: { kind: 'cli', teamId } } };
    const publicStream = await createStreamWithPolicy(teamOwner, null);
    const path = `/hls/${publicStream.playbackId}/source/7.m4s`;
    expect(await statusOf(path)).toBe(200);
    await deleteTeam(ownerSession, teamId);
    await expect.poll(() => statusOf(path), { timeout: 4_000 }).toBe(404);
  });

  test('ends after the blocking request of a viewer whose token is revoked, and the live node gets one request for all viewers', async () => {
    const jwts = [
      await signJwt(owner.key, playbackId),
      await signJwt(owner.key, playbackId, { claims: { n: 2 } }),
    ];
    const [firstPath = '', secondPath = ''] = await Promise.all(
      jwts.map((jwt) => enter(hls(`index.m3u8?jwt=${jwt}`))),
    );
    let release = () => undefined as unknown;
    const whenHeld = new Promise<void>((resolve) => {
      live.answer = (path, response) => {
        if (!path.includes('_HLS_msn')) return void response.end(mediaPlaylist);
        release = () => response.end(mediaPlaylist);
        resolve();
      };
    });
    const blockingReload = 'source/index.m3u8?_HLS_msn=8&_HLS_part=0';
    const waiting = [firstPath, secondPath].map((admittedPath) => statusOf(admittedPath + blockingReload));
    await whenHeld;
    await revokePlaybackToken(owner.ctx, { id: playbackId, token: jwts[0] ?? '' });
    await expect.poll(() => statusOf(`${firstPath}source/index.m3u8`), { timeout: 4_000 }).toBe(403);
    release();
    // Requests in time are served, and the first token gives no further access.
    expect(await Promise.all(waiting)).toEqual([200, 200]);
    expect(await statusOf(firstPath + blockingReload)).toBe(403);
    expect(live.requests.filter((path) => path.includes('_HLS_msn'))).toHaveLength(1);
  });

  test('ends for the one viewer whose token is revoked', async () => {
    const [firstJwt, secondJwt] = [
      await signJwt(owner.key, playbackId),
      await signJwt(owner.key, playbackId, { claims: { custom: 2 } }),
    ];
    const [firstPath, secondPath] = [
      await enter(hls(`index.m3u8?jwt=${firstJwt}`)),
      await enter(hls(`index.m3u8?jwt=${secondJwt}`)),
    ];
    await revokePlaybackToken(owner.ctx, { id: playbackId, token: firstJwt });
    await expect.poll(() => statusOf(`${firstPath}source/7.m4s`), { timeout: 4_000 }).toBe(403);
    expect(await statusOf(`${secondPath}source/7.m4s`)).toBe(200);
    // Equivalent signatures are rejected, too: s can be negated, and the last bits of base64url are unused.
    for (const equivalentJwt of [firstJwt, withNegatedSignature(firstJwt), withUnusedBits(firstJwt)]) {
      expect(await rejectionOf(hls(`index.m3u8?jwt=${equivalentJwt}`))).toContain('revoked');
    }
    expect(await statusOf(hls(`index.m3u8?jwt=${withNegatedSignature(secondJwt)}`))).toBe(200);
  });

  test('accepts tokens that the service created, as ?token= and as ?jwt=, until they are revoked or expire', async () => {
    const { token } = await createPlaybackToken(owner.ctx, { id: playbackId, expiresIn: 60 });
    for (const name of ['token', 'jwt']) await enter(hls(`index.m3u8?${name}=${token}`));
    const admittedPath = await enter(hls(`index.m3u8?token=${token}`));
    const otherStream = await createStreamWithPolicy(owner, { type: 'jwt' });
    expect(await statusOf(`/hls/${otherStream.playbackId}/index.m3u8?token=${token}`)).toBe(403);
    await revokePlaybackToken(owner.ctx, { id: playbackId, token });
    await expect.poll(() => statusOf(`${admittedPath}source/7.m4s`), { timeout: 4_000 }).toBe(403);
    const expired = await createPlaybackToken(owner.ctx, { id: playbackId, expiresIn: -1 });
    expect(await rejectionOf(hls(`index.m3u8?token=${expired.token}`))).toContain('expired');
  });

  test('is played by its owner with a preview token, and not with a forged one', async () => {
    await enter(
      hls(`index.m3u8?preview=${new PreviewTokens(ctx).issue(playbackId, owner.ctx.actor.teamId)}`),
    );
    for (const forgedToken of ['zzzz.aaaaaaaaaaaaaaaaaaaaaa', 'zzzz.aaaaaaaaaaaa.aaaaaaaaaaaaaaaaaaaaaa'])
      expect(await statusOf(hls(`index.m3u8?preview=${forgedToken}`))).toBe(403);
  });

  test('is played by team members in the dashboard while they are members', async () => {
    const { teamId } = owner.ctx.actor;
    const otherOwner = await createPersonalTeam();
    const ownerSession: AccountContext = { ...ctx, actor: { kind: 'session', teamId, userId: teamId } };
    const preview = hls(`index.m3u8?preview=${new PreviewTokens(ctx).issue(playbackId, otherOwner)}`);
    expect(await statusOf(preview)).toBe(403);
    const join = () =>
      transact(ownerSession, (tx) => addMember(tx, { teamId, userId: otherOwner, role: 'viewer' }));
    await join();
    await expect.poll(() => statusOf(preview), { timeout: 4_000 }).toBe(200);
    const admittedPath = await enter(preview);
    await removeMember(ownerSession, { teamId, userId: otherOwner });
    await expect.poll(() => statusOf(preview), { timeout: 4_000 }).toBe(403);
    expect(await statusOf(`${admittedPath}source/7.m4s`)).toBe(403);
    // A member loses access when the account is suspended, although the team continues.
    await join();
    await expect.poll(() => statusOf(preview), { timeout: 4_000 }).toBe(200);
    await db.account.update({ where: { id: otherOwner }, data: { suspended: true } });
    await updateStatusOfOwnedTeams(ctx, otherOwner);
    await expect.poll(() => statusOf(preview), { timeout: 4_000 }).toBe(403);
    const previewToken = new PreviewTokens(ctx).issue(playbackId, teamId);
    await enter(hls(`index.m3u8?preview=${previewToken}`));
  });
});
