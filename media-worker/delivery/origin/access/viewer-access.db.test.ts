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

const seconds = () => Math.floor(Date.now() / 1_000);
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
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return jwt.slice(0, -1) + letters.charAt(letters.indexOf(jwt.slice(-1)) ^ 1);
}

describe('a stream for viewers with a signed token', () => {
  let ada: Owner;
  let playbackId: string;
  let id: string;
  beforeEach(async () => {
    ada = await createOwner();
    ({ id, playbackId } = await createStreamWithPolicy(ada, { type: 'jwt' }));
  });
  const hls = (file: string) => `/hls/${playbackId}/${file}`;

  test('serves a master playlist whose paths carry a token', async () => {
    const jwt = await signJwt(ada.key, playbackId);
    for (const [path, headers] of [
      [hls(`index.m3u8?jwt=${jwt}`), {}],
      [hls('index.m3u8'), { 'Livepeer-Jwt': jwt }],
    ] as const) {
      const inside = await enter(path, headers);
      const playlist = await get(`${inside}source/index.m3u8`);
      expect(playlist.headers.get('cache-control')).toBe('private, max-age=0');
      expect(await playlist.text()).toBe(mediaPlaylist);
      const segment = await get(`${inside}source/7.m4s`);
      expect(segment.headers.get('cache-control')).toBe('private, max-age=31536000, immutable');
      expect(await segment.text()).toBe(`bytes of /${playbackId}/source/7.m4s`);
      expect(await statusOf(`${inside}thumbnail.jpg`)).toBe(200);
      expect(await (await get(`${inside}index.m3u8`)).text()).toBe(masterPlaylist);
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
    const inside = await enter(hls(`index.m3u8?jwt=${await signJwt(ada.key, playbackId)}`));
    expect(await raw(`${inside}source/7.m4s`, 'HEAD')).toBe(200);
    const part = await get(`${inside}source/7.m4s`, { Range: 'bytes=0-4' });
    expect([part.status, await part.text()]).toEqual([206, 'bytes']);
  });

  test('rejects tokens with other streams, times, keys and algorithms', async () => {
    const otherStream = await createStreamWithPolicy(ada, { type: 'jwt' });
    const eve = await createOwner();
    const validJwt = await signJwt(ada.key, playbackId);
    const ask = async (jwt: string) => rejectionOf(hls(`index.m3u8?jwt=${jwt}`));
    const jwtFor = (signing: Signing) => signJwt(ada.key, playbackId, signing);
    expect(await ask(await signJwt(ada.key, otherStream.playbackId))).toContain('another playback id');
    expect(await ask(await jwtFor({ claims: { exp: seconds() - 1 } }))).toContain('expired');
    expect(await ask(await jwtFor({ claims: { exp: undefined } }))).toContain('exp');
    expect(await ask(await jwtFor({ claims: { nbf: seconds() + 60 } }))).toContain('not valid yet');
    expect(await ask(await jwtFor({ claims: { action: 'push' } }))).toContain('pull');
    expect(await ask(await jwtFor({ header: { kid: eve.key.id } }))).toContain('unknown key');
    expect(await ask(await jwtFor({ header: { kid: 'x' } }))).toContain('unknown key');
    expect(await ask(await jwtFor({ claims: { pub: undefined } }))).toContain('unknown key');
    expect(
      await statusOf(
        hls(`index.m3u8?jwt=${await jwtFor({ claims: { pub: undefined }, header: { kid: ada.key.id } })}`),
      ),
    ).toBe(200);
    // A token of another team, with its own key and a claim to be of this one.
    expect(await ask(await signJwt(eve.key, playbackId))).toContain('unknown key');
    expect(await ask(await signJwt(eve.key, playbackId, { claims: { pub: ada.key.publicKey } }))).toContain(
      'signature',
    );
    // A key in the header is ignored.
    const jwk = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = encode(claimsFor(ada.key, playbackId));
    const head = encode({ alg: 'ES256', jwk: jwk.publicKey.export({ format: 'jwk' }) });
    const signature = sign('sha256', Buffer.from(`${head}.${claims}`), {
      key: jwk.privateKey,
      dsaEncoding: 'ieee-p1363',
    });
    expect(await ask(`${head}.${claims}.${signature.toString('base64url')}`)).toContain('signature');
    for (const alg of ['none', 'None', 'nOnE']) {
      expect(await ask(`${encode({ alg })}.${claims}.`)).toContain('ES256');
    }
    const confusedJwt = `${encode({ alg: 'HS256', typ: 'JWT' })}.${claims}`;
    for (const secret of [ada.key.publicKey, Buffer.from(ada.key.publicKey, 'base64')]) {
      const mac = createHmac('sha256', secret).update(confusedJwt).digest('base64url');
      expect(await ask(`${confusedJwt}.${mac}`)).toContain('ES256');
    }
    const [h = '', c = '', s = ''] = validJwt.split('.');
    expect(
      await ask(`${h}.${encode({ ...claimsFor(ada.key, playbackId), exp: seconds() + 1e6 })}.${s}`),
    ).toContain('signature');
    expect(await ask(`${h}.${c}.`)).toContain('signature');
    for (const text of ['x', 'a.b.c', `${validJwt}.x`, validJwt.repeat(20), '%00'])
      expect(await ask(text)).toContain('cannot be read');
    expect(live.requests.filter((path) => path !== `/${playbackId}/index.m3u8`)).toEqual([]);
  });

  test('rejects path tokens of other streams, and modified ones', async () => {
    const jwt = await signJwt(ada.key, playbackId);
    const inside = await enter(hls(`index.m3u8?jwt=${jwt}`));
    const otherStream = await createStreamWithPolicy(ada, { type: 'jwt' });
    expect(await statusOf(inside.replace(playbackId, otherStream.playbackId) + 'source/7.m4s')).toBe(403);
    const [token = ''] = /~[\w-]+/.exec(inside) ?? [];
    for (let index = 1; index < token.length; index += 1) {
      const changedToken =
        token.slice(0, index) + (token[index] === 'Q' ? 'R' : 'Q') + token.slice(index + 1);
      expect(await statusOf(hls(`${changedToken}/source/7.m4s`))).not.toBe(200);
    }
    const { token: entry } = await createPlaybackToken(ada.ctx, { id: playbackId, expiresIn: 60 });
    for (const name of [
      `~${entry}`,
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
    expect(await statusOf(`${inside}source/7.m4s`)).toBe(200);
  });

  test('issues a separate path token to each viewer, and none if the content is public', async () => {
    const jwts = [
      await signJwt(ada.key, playbackId),
      await signJwt(ada.key, playbackId, { claims: { n: 2 } }),
    ];
    const entries = await Promise.all(jwts.map((jwt) => enter(hls(`index.m3u8?jwt=${jwt}`))));
    expect(new Set(entries).size).toBe(2);
    // Paths of one viewer do not work for others.
    for (const inside of entries) expect(await statusOf(`${inside}source/index.m3u8?x=1`)).toBe(200);
    for (const file of ['index.m3u8', 'index.m3u8?ll=0', 'source/index.m3u8?x=1', 'source/index.m3u8'])
      expect(await statusOf(hls(file))).toBe(403);
    await updateStream(ada.ctx, { id, change: { playbackPolicy: null } });
    await expect.poll(() => statusOf(hls('index.m3u8')), { timeout: 4_000 }).toBe(200);
    for (const file of ['index.m3u8', `index.m3u8?jwt=${jwts[0]}`, 'source/index.m3u8']) {
      const open = await get(hls(file));
      expect(await open.text()).not.toContain('~');
      expect(open.headers.get('cache-control')).not.toContain('private');
    }
  });

  test('ends for all viewers when the policy changes, but not when the same policy is saved again', async () => {
    const inside = await enter(hls(`index.m3u8?jwt=${await signJwt(ada.key, playbackId)}`));
    const change = (playbackPolicy: PlaybackPolicyInput | null) =>
      updateStream(ada.ctx, { id, change: { playbackPolicy } });
    await change({ type: 'jwt' });
    expect(await statusOf(`${inside}source/7.m4s`)).toBe(200);
    await change({ type: 'jwt', refreshInterval: 60 });
    await expect.poll(() => statusOf(`${inside}source/7.m4s`), { timeout: 4_000 }).toBe(403);
    // Viewers keep their paths when the content becomes public.
    await change(null);
    await expect.poll(() => statusOf(`${inside}source/7.m4s`), { timeout: 4_000 }).toBe(200);
    await change({ type: 'jwt' });
    await expect.poll(() => statusOf(`${inside}source/7.m4s`), { timeout: 4_000 }).toBe(403);
  });

  test('ends when the key is disabled or deleted', async () => {
    const path = hls(`index.m3u8?jwt=${await signJwt(ada.key, playbackId)}`);
    const inside = await enter(path);
    await updateSigningKey(ada.ctx, { id: ada.key.id, change: { disabled: true } });
    await expect.poll(() => statusOf(`${inside}source/7.m4s`), { timeout: 4_000 }).toBe(403);
    expect(await rejectionOf(path)).toContain('disabled');
    await updateSigningKey(ada.ctx, { id: ada.key.id, change: { disabled: false } });
    await expect.poll(() => statusOf(`${inside}source/7.m4s`), { timeout: 4_000 }).toBe(200);
    await deleteSigningKey(ada.ctx, ada.key.id);
    await expect.poll(() => statusOf(`${inside}source/7.m4s`), { timeout: 4_000 }).toBe(403);
    expect(await rejectionOf(path)).toContain('unknown key');
  });

  test.each([
    ['suspended', () => updateStream(ada.ctx, { id, change: { suspended: true } })],
    ['deleted', () => deleteStream(ada.ctx, id)],
  ] as const)('ends when the stream is %s', async (_, end) => {
    const inside = await enter(hls(`index.m3u8?jwt=${await signJwt(ada.key, playbackId)}`));
    expect(await statusOf(`${inside}source/7.m4s`)).toBe(200);
    await end();
    await expect.poll(() => statusOf(`${inside}source/7.m4s`), { timeout: 4_000 }).toBe(404);
  });

  test('ends when the team is deleted', async () => {
    const userId = await createPersonalTeam();
    const owning: AccountContext = { ...ctx, actor: { kind: 'session', teamId: userId, userId } };
    const { id: teamId } = await createTeam(owning, 'Lake TV');
    const lake: Owner = { ...ada, ctx: { ...ctx, actor: { kind: 'cli', teamId } } };
    const open = await createStreamWithPolicy(lake, null);
    const path = `/hls/${open.playbackId}/source/7.m4s`;
    expect(await statusOf(path)).toBe(200);
    await deleteTeam(owning, teamId);
    await expect.poll(() => statusOf(path), { timeout: 4_000 }).toBe(404);
  });

  test('ends with a blocking request, while the live node never learns of viewers', async () => {
    const jwts = [
      await signJwt(ada.key, playbackId),
      await signJwt(ada.key, playbackId, { claims: { n: 2 } }),
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
    const reload = 'source/index.m3u8?_HLS_msn=8&_HLS_part=0';
    const waiting = [firstPath, secondPath].map((inside) => statusOf(inside + reload));
    await whenHeld;
    await revokePlaybackToken(ada.ctx, { id: playbackId, token: jwts[0] ?? '' });
    await expect.poll(() => statusOf(`${firstPath}source/index.m3u8`), { timeout: 4_000 }).toBe(403);
    release();
    // Requests in time are served, and the first token gives no further access.
    expect(await Promise.all(waiting)).toEqual([200, 200]);
    expect(await statusOf(firstPath + reload)).toBe(403);
    expect(live.requests.filter((path) => path.includes('_HLS_msn'))).toHaveLength(1);
  });

  test('ends for the one viewer whose token is revoked', async () => {
    const [firstJwt, secondJwt] = [
      await signJwt(ada.key, playbackId),
      await signJwt(ada.key, playbackId, { claims: { custom: 2 } }),
    ];
    const [first, second] = [
      await enter(hls(`index.m3u8?jwt=${firstJwt}`)),
      await enter(hls(`index.m3u8?jwt=${secondJwt}`)),
    ];
    await revokePlaybackToken(ada.ctx, { id: playbackId, token: firstJwt });
    await expect.poll(() => statusOf(`${first}source/7.m4s`), { timeout: 4_000 }).toBe(403);
    expect(await statusOf(`${second}source/7.m4s`)).toBe(200);
    // Equivalent signatures are rejected, too: s can be negated, and the last bits of base64url are unused.
    for (const equivalentJwt of [firstJwt, withNegatedSignature(firstJwt), withUnusedBits(firstJwt)]) {
      expect(await rejectionOf(hls(`index.m3u8?jwt=${equivalentJwt}`))).toContain('revoked');
    }
    expect(await statusOf(hls(`index.m3u8?jwt=${withNegatedSignature(secondJwt)}`))).toBe(200);
  });

  test('accepts tokens that the service created, as ?token= and as ?jwt=', async () => {
    const { token } = await createPlaybackToken(ada.ctx, { id: playbackId, expiresIn: 60 });
    for (const name of ['token', 'jwt']) await enter(hls(`index.m3u8?${name}=${token}`));
    const inside = await enter(hls(`index.m3u8?token=${token}`));
    const otherStream = await createStreamWithPolicy(ada, { type: 'jwt' });
    expect(await statusOf(`/hls/${otherStream.playbackId}/index.m3u8?token=${token}`)).toBe(403);
    await revokePlaybackToken(ada.ctx, { id: playbackId, token });
    await expect.poll(() => statusOf(`${inside}source/7.m4s`), { timeout: 4_000 }).toBe(403);
    const late = await createPlaybackToken(ada.ctx, { id: playbackId, expiresIn: -1 });
    expect(await rejectionOf(hls(`index.m3u8?token=${late.token}`))).toContain('expired');
  });

  test('is played by its owner in the dashboard', async () => {
    await enter(hls(`index.m3u8?preview=${new PreviewTokens(ctx).issue(playbackId, ada.ctx.actor.teamId)}`));
    for (const forgedToken of ['zzzz.aaaaaaaaaaaaaaaaaaaaaa', 'zzzz.aaaaaaaaaaaa.aaaaaaaaaaaaaaaaaaaaaa'])
      expect(await statusOf(hls(`index.m3u8?preview=${forgedToken}`))).toBe(403);
  });

  test('is played by team members in the dashboard while they are members', async () => {
    const { teamId } = ada.ctx.actor;
    const eve = await createPersonalTeam();
    const owning: AccountContext = { ...ctx, actor: { kind: 'session', teamId, userId: teamId } };
    const preview = hls(`index.m3u8?preview=${new PreviewTokens(ctx).issue(playbackId, eve)}`);
    expect(await statusOf(preview)).toBe(403);
    const join = () => transact(owning, (tx) => addMember(tx, { teamId, userId: eve, role: 'viewer' }));
    await join();
    await expect.poll(() => statusOf(preview), { timeout: 4_000 }).toBe(200);
    const inside = await enter(preview);
    await removeMember(owning, { teamId, userId: eve });
    await expect.poll(() => statusOf(preview), { timeout: 4_000 }).toBe(403);
    expect(await statusOf(`${inside}source/7.m4s`)).toBe(403);
    // A member loses access when the account is suspended, although the team continues.
    await join();
    await expect.poll(() => statusOf(preview), { timeout: 4_000 }).toBe(200);
    await db.account.update({ where: { id: eve }, data: { suspended: true } });
    await updateStatusOfOwnedTeams(ctx, eve);
    await expect.poll(() => statusOf(preview), { timeout: 4_000 }).toBe(403);
    const previewToken = new PreviewTokens(ctx).issue(playbackId, teamId);
    await enter(hls(`index.m3u8?preview=${previewToken}`));
  });
});
