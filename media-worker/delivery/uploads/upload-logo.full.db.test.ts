import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  deleteLogo,
  getBrand,
  deleteLogosOfDeletedTeams,
  deleteOrphanedLogos,
  requestLogoUpload,
} from '@/lib/domain/brand';
import { MAX_LOGO_BYTES } from '@/lib/contract/accounts/brand';
import { systemClock } from '@/lib/infra/clock';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import type { HttpServer } from '@/media-worker/kit/http/listen';
import { killFfmpegDuring } from '@/media-worker/testing/kill-ffmpeg';
import { createWorkerFixtures } from '@/media-worker/testing/worker-fixtures';
import { NodeFinder } from '@/media-worker/delivery/origin/live/find-node';
import { LiveProxy } from '@/media-worker/delivery/origin/live/live-proxy';
import { LiveSource } from '@/media-worker/delivery/origin/live/live-source';
import { servePictureFile } from '@/media-worker/delivery/origin/stored/serve-uploaded-picture';
import { startOrigin } from '@/media-worker/delivery/origin/server';
import { noRecordings } from '@/media-worker/delivery/origin/testing/no-recordings';
import { admitAllViewers } from '@/media-worker/delivery/origin/testing/admit-all-viewers';
import { ignoreViewers } from '@/media-worker/delivery/origin/testing/ignore-viewers';
import { putLogo } from './upload-logo';

const fixtures = createWorkerFixtures(await createTestDatabase());
const { ctx, db, storage } = fixtures;
const folder = mkdtempSync(join(tmpdir(), 'logos-'));
let origin: HttpServer;

beforeAll(async () => {
  const rejectCall = () => Promise.reject(new Error('not in this test'));
  origin = await startOrigin({
    watch: ignoreViewers,
    guard: admitAllViewers,
    onDelivery: () => undefined,
    host: '127.0.0.1',
    port: 0,
    log: ctx.log,
    live: new LiveSource({
      nodes: new NodeFinder(() => Promise.resolve(null), systemClock),
      proxy: new LiveProxy({ fetch: rejectCall }),
    }),
    serveAsset: rejectCall,
    serveIpfs: rejectCall,
    serveUploadedPicture: (path, headers) => servePictureFile(storage, path, headers),
    uploads: {
      put: rejectCall,
      logo: (request) => putLogo(ctx, request),
      slate: rejectCall,
      poster: rejectCall,
      tus: { handle: rejectCall },
    },
    recordings: noRecordings,
  });
});
afterAll(async () => {
  await origin.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A red picture of this size, in the format of the file extension. */
async function createPicture(name: string, size: string): Promise<Uint8Array<ArrayBuffer>> {
  const path = join(folder, name);
  const source = ['-f', 'lavfi', '-i', `color=red:size=${size}`, '-frames:v', '1'];
  await promisify(execFile)('ffmpeg', [
    '-v',
    'error',
    ...source,
    '-metadata',
    'comment=taken at home',
    '-y',
    path,
  ]);
  return new Uint8Array(readFileSync(path));
}

/** The public URL, at the port of this test. */
const localUrl = (url: string): string => {
  const { pathname, search } = new URL(url);
  return `http://127.0.0.1:${origin.port}${pathname}${search}`;
};
const put = (url: string, body: BodyInit) => fetch(localUrl(url), { method: 'PUT', body });
const sizeOf = (png: Buffer) => [png.readUInt32BE(16), png.readUInt32BE(20)];
const storedKeys = async () => {
  const keys: string[] = [];
  for await (const { key } of storage.list('brand/')) keys.push(key);
  return keys;
};
const fileOf = (logoUrl: string | null) => logoUrl?.split('/').at(-1) ?? '';
const errorOf = async (response: Response) => ((await response.json()) as { errors: string[] }).errors[0];

describe('a logo', () => {
  test.each([
    ['logo.png', '64x32', [64, 32]],
    ['logo.jpg', '1024x256', [512, 128]],
    ['logo.webp', '300x900', [171, 512]],
  ])(
    '%s of %s is served as an immutable PNG of %j pixels, without metadata of the upload',
    async (name, size, expectedSize) => {
      const owner = await fixtures.createTeamContext();
      const response = await put(requestLogoUpload(owner).url, await createPicture(name, size));
      expect(response.status).toBe(200);
      const { logoUrl } = await getBrand(owner);
      expect(await response.json()).toEqual({ logoUrl });
      const pngResponse = await fetch(localUrl(logoUrl ?? ''));
      expect(pngResponse.status).toBe(200);
      expect(pngResponse.headers.get('content-type')).toBe('image/png');
      expect(pngResponse.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(pngResponse.headers.get('x-content-type-options')).toBe('nosniff');
      const bytes = Buffer.from(await pngResponse.arrayBuffer());
      expect(sizeOf(bytes)).toEqual(expectedSize);
      expect(bytes.includes('taken at home')).toBe(false);
    },
  );

  test('replaces the previous one, and is in the audit log', async () => {
    const owner = await fixtures.createTeamContext();
    const { url } = requestLogoUpload({
      ...owner,
      actor: { ...owner.actor, kind: 'key', keyId: crypto.randomUUID() },
    });
    await put(url, await createPicture('one.png', '32x32'));
    const firstLogoUrl = (await getBrand(owner)).logoUrl;
    await put(url, await createPicture('two.png', '32x32'));
    const secondLogoUrl = (await getBrand(owner)).logoUrl;
    expect(secondLogoUrl).not.toBe(firstLogoUrl);
    expect((await fetch(localUrl(firstLogoUrl ?? ''))).status).toBe(404);
    const entries = await db.auditEntry.findMany({
      where: { teamId: owner.actor.teamId, action: 'brand.logo-uploaded' },
    });
    expect(entries.map(({ actor }) => actor.slice(0, 4))).toEqual(['key:', 'key:']);
  });

  test('is accepted by the same URL after its conversion was killed, which is answered with 503', async () => {
    const owner = await fixtures.createTeamContext();
    const { url } = requestLogoUpload(owner);
    // Nearly the largest picture that is accepted, so that its conversion takes some time.
    const picture = await createPicture('killed.png', '4000x2300');
    expect((await killFfmpegDuring(() => put(url, picture))).status).toBe(503);
    expect((await put(url, picture)).status).toBe(200);
  });

  test('that was deleted is removed from the storage a day later; the logo of another team stays', async () => {
    const [owner, otherOwner] = [await fixtures.createTeamContext(), await fixtures.createTeamContext()];
    for (const team of [owner, otherOwner])
      await put(requestLogoUpload(team).url, await createPicture('shown.png', '32x32'));
    const [deletedLogo, keptLogo] = [(await getBrand(owner)).logoUrl, (await getBrand(otherOwner)).logoUrl];
    await deleteLogo(owner);
    expect((await getBrand(owner)).logoUrl).toBeNull();
    expect(await deleteOrphanedLogos(ctx)).toBe(0);
    const later = { ...ctx, clock: { ...ctx.clock, now: () => new Date(Date.now() + 25 * 3_600_000) } };
    expect(await deleteOrphanedLogos(later)).toBe(1);
    expect((await fetch(localUrl(deletedLogo ?? ''))).status).toBe(404);
    expect((await fetch(localUrl(keptLogo ?? ''))).status).toBe(200);
  });

  test('is deleted with its team, which can upload no other', async () => {
    const owner = await fixtures.createTeamContext();
    await put(requestLogoUpload(owner).url, await createPicture('account.png', '32x32'));
    const { logoUrl } = await getBrand(owner);
    await db.team.update({
      where: { id: owner.actor.teamId },
      data: { deletedAt: new Date(), suspended: true },
    });
    await deleteLogosOfDeletedTeams(ctx);
    expect(await storedKeys()).not.toContain(`brand/${fileOf(logoUrl)}`);
    expect((await put(requestLogoUpload(owner).url, await createPicture('late.png', '32x32'))).status).toBe(
      403,
    );
  });
});

describe('invalid requests are rejected', () => {
  const png = () => createPicture('good.png', '32x32');
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';

  test.each([
    ['an SVG', () => svg, 422, /PNG, JPEG or WebP/],
    ['an HTML page', () => '<!doctype html><script>alert(1)</script>', 422, /PNG, JPEG or WebP/],
    ['an empty file', () => '', 422, /PNG, JPEG or WebP/],
    ['only the start of a PNG', async () => (await png()).slice(0, 20), 422, /damaged/],
    [
      'an SVG that begins like a JPEG',
      () => new Blob([new Uint8Array([0xff, 0xd8, 0xff]), svg]),
      422,
      /damaged/,
    ],
    ['too many pixels', () => createPicture('huge.png', '5000x2400'), 422, /too large/],
    ['too many bytes', () => new Uint8Array(MAX_LOGO_BYTES + 1), 413, /at most 524288 bytes/],
  ])('a logo upload with %s', async (_, body, status, message) => {
    const owner = await fixtures.createTeamContext();
    const before = await storedKeys();
    const response = await put(requestLogoUpload(owner).url, await body());
    expect(response.status).toBe(status);
    expect(await errorOf(response)).toMatch(message);
    expect((await getBrand(owner)).logoUrl).toBeNull();
    expect(await storedKeys()).toEqual(before);
  });

  test('a logo upload to a URL whose token was changed, shortened or removed, or has expired', async () => {
    const owner = await fixtures.createTeamContext();
    const otherTeam = await fixtures.createTeamContext();
    const { url } = requestLogoUpload(owner);
    const elevenMinutesAgo = {
      ...owner,
      clock: { ...ctx.clock, now: () => new Date(Date.now() - 11 * 60_000) },
    };
    const invalidUrls = [
      url.replace(owner.actor.teamId, otherTeam.actor.teamId),
      url.slice(0, -2),
      url.replace(/token=.*/, 'token='),
      requestLogoUpload(elevenMinutesAgo).url,
    ];
    for (const wrongUrl of invalidUrls) expect((await put(wrongUrl, await png())).status).toBe(403);
    for (const client of [owner, otherTeam]) expect((await getBrand(client)).logoUrl).toBeNull();
  });

  test.each([
    '/brand/%2e%2e%2fasset%2fx.png',
    '/brand/abcdabcdabcdabcd.svg',
    '/brand/abcdabcdabcdabcd.png',
    '/brand/',
  ])('GET %s is not found', async (path) =>
    expect((await fetch(`http://127.0.0.1:${origin.port}${path}`)).status).toBe(404),
  );
});
