import { request as httpRequest } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SignJWT, importPKCS8 } from 'jose';
import { afterAll, beforeEach, expect } from 'vitest';
import { createSigningKey } from '@/lib/domain/access';
import { locateAsset, readTrackText, updateAsset } from '@/lib/domain/assets';
import type { TeamContext, SystemContext } from '@/lib/domain/context';
import type { PlaybackPolicyInput } from '@/lib/contract/access/playback-policy';
import type { CreatedSigningKey } from '@/lib/contract/access/signing-key';
import { assetKey } from '@/lib/core/storage-keys';
import { systemClock } from '@/lib/infra/clock';
import type { Settings } from '@/lib/infra/env';
import { newId, newPlaybackId } from '@/lib/infra/ids';
import type { Logger } from '@/lib/infra/logger';
import { type StorageDriver, openStorage } from '@/lib/infra/storage';
import { findDvrSession, findRecordedSession } from '@/lib/domain/sessions';
import { findChildPlayback, updateStream } from '@/lib/domain/streams';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import { openViewerAccess, openCountryLookup } from '@/media-worker/roles/open-viewer-access';
import { NodeFinder } from '@/media-worker/delivery/origin/live/find-node';
import { LiveProxy, createUpstream } from '@/media-worker/delivery/origin/live/live-proxy';
import { LiveSource } from '@/media-worker/delivery/origin/live/live-source';
import { LookupCache } from '@/media-worker/delivery/origin/lookup-cache';
import { createPlaybackMeasurement } from '@/media-worker/delivery/origin/audience/measure-playback';
import { createUnfinishedPlaylistReader } from '@/media-worker/recording/unfinished-recordings';
import { createServeAsset } from '@/media-worker/delivery/origin/stored/serve-asset';
import { Dvr } from '@/media-worker/delivery/origin/stored/serve-dvr';
import { createServeTracks } from '@/media-worker/delivery/origin/stored/serve-tracks';
import { startOrigin } from '@/media-worker/delivery/origin/server';
import { type FakeLiveNode, startFakeLiveNode } from './fake-live-node';
import { ignoreViewers } from './ignore-viewers';

/** A team with a key that signs playback tokens. */
export interface Owner {
  readonly ctx: TeamContext;
  readonly key: CreatedSigningKey;
}

/** Claims and header fields that replace those of a valid token. */
export interface Signing {
  readonly claims?: object;
  readonly header?: object;
}

export const masterPlaylist = '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nsource/index.m3u8\n720p/index.m3u8\n';
export const mediaPlaylist = '#EXTM3U\n#EXT-X-MAP:URI="init-1.mp4"\n#EXTINF:2,\n7.m4s\n';

const readyAsset = { name: 'Film', sourceType: 'directUpload', phase: 'ready' } as const;

/** Texts of files, by their names. */
type FileTexts = Readonly<Record<string, string>>;

/** Starts an origin that enforces playback policies, with a real database and a fake live node. */
export async function startRestrictedOrigin(
  databaseUrl: string,
  { settings, ...options }: { readonly log?: Logger; readonly settings?: Partial<Settings> } = {},
) {
  const fixtures = createLiveFixtures(databaseUrl, {
    ...options,
    settings: { databaseUrl, egressAllowCidrs: ['127.0.0.0/8'], viewerReports: true, ...settings },
  });
  const { ctx, createTeam } = fixtures;
  const folder = await mkdtemp(join(tmpdir(), 'viewer-access-'));
  const storage = openStorage({ dataDir: folder });
  const live = await startFakeLiveNode();
  const origin = await startOriginOf(ctx, storage, live);
  afterAll(async () => {
    await origin.close();
    await live.close();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(() => {
    live.requests.length = 0;
    live.answer = (path, response) => {
      const [pathWithoutQuery = ''] = path.split('?');
      if (!pathWithoutQuery.endsWith('.m3u8')) return response.end(`bytes of ${pathWithoutQuery}`);
      return response.end(pathWithoutQuery.split('/').length === 3 ? masterPlaylist : mediaPlaylist);
    };
  });
  return {
    ...fixtures,
    storage,
    live,
    createOwner: async (): Promise<Owner> => {
      const teamCtx: TeamContext = { ...ctx, actor: { kind: 'cli', teamId: await createTeam() } };
      return { ctx: teamCtx, key: await createSigningKey(teamCtx, {}) };
    },
    createStreamWithPolicy: async (owner: Owner, policy: PlaybackPolicyInput | null) => {
      const { id, playbackId } = await fixtures.createStream(owner.ctx.actor.teamId);
      await updateStream(owner.ctx, { id, change: { playbackPolicy: policy } });
      return { id, playbackId };
    },
    createAssetWithPolicy: async (owner: Owner, policy: PlaybackPolicyInput, files: FileTexts) => {
      const [id, playbackId] = [newId(), newPlaybackId()];
      const { teamId } = owner.ctx.actor;
      const key = assetKey(id, 'source');
      const keys = { id, teamId, playbackId, videoKey: key, sourceKey: key };
      await fixtures.db.asset.create({ data: { ...readyAsset, ...keys } });
      for (const [name, text] of Object.entries(files)) {
        await storage.put(assetKey(id, name), Buffer.from(text));
      }
      await updateAsset(owner.ctx, { id, change: { playbackPolicy: policy } });
      return { id, playbackId };
    },
    port: origin.port,
    access: origin.access,
    /** Writes the player reports received so far. */
    writeAudience: origin.writeAudience,
    ...createViewerRequests(origin.port),
  };
}

const rejectCall = () => Promise.reject(new Error('viewers only'));
const uploads = {
  put: rejectCall,
  logo: rejectCall,
  slate: rejectCall,
  poster: rejectCall,
  tus: { handle: rejectCall },
};

/** Starts an origin like the role. */
async function startOriginOf(ctx: SystemContext, storage: StorageDriver, live: FakeLiveNode) {
  const lifecycle = { own: (_name: string, close: () => unknown) => void closers.push(close) };
  const upstream = createUpstream(() => ({}));
  const closers: (() => unknown)[] = [() => upstream.close()];
  const countryOf = openCountryLookup(ctx, lifecycle);
  const access = openViewerAccess(ctx, lifecycle, countryOf);
  const playback = createPlaybackMeasurement(ctx, newId(), countryOf);
  const server = await startOrigin({
    host: '127.0.0.1',
    port: 0,
    log: ctx.log,
    live: new LiveSource({
      nodes: new NodeFinder(() => Promise.resolve(live.url), systemClock),
      proxy: new LiveProxy({ fetch: upstream.fetch }),
    }),
    children: new LookupCache((id) => findChildPlayback(ctx, id), systemClock, {
      maxAgeMs: 0,
      absentMaxAgeMs: 0,
    }),
    uploads,
    recordings: {
      storage,
      sessions: new LookupCache((id) => findRecordedSession(ctx, id), systemClock),
      unfinished: createUnfinishedPlaylistReader(storage),
    },
    dvr: new Dvr({
      storage,
      list: (prefix) => storage.list(prefix),
      sessions: new LookupCache((playbackId) => findDvrSession(ctx, playbackId), systemClock),
    }),
    serveAsset: createServeAsset({
      storage,
      tracks: createServeTracks({ storage, readText: (id) => readTrackText(ctx, id) }),
      locate: (id) => locateAsset(ctx, id),
    }),
    serveIpfs: rejectCall,
    serveUploadedPicture: rejectCall,
    onDelivery: () => undefined,
    watch: ignoreViewers,
    reports: playback?.reports,
    guard: access.guard,
  });
  return {
    port: server.port,
    access,
    writeAudience: async () => {
      playback?.count.sample();
      await playback?.count.flush();
    },
    async close() {
      await server.close();
      for (const close of closers) await close();
    },
  };
}

/** Returns functions that send the requests of viewers. */
export function createViewerRequests(port: number) {
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers, redirect: 'manual' });
  return {
    get,
    /**
     * Requests an unmodified path, in which fetch would resolve dots.
     * @returns the status
     */
    rawStatusOf: (path: string, method = 'GET') =>
      new Promise<number>((resolve, reject) => {
        const request = httpRequest({ host: '127.0.0.1', port, path, method }, (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        });
        request.on('error', reject).end();
      }),
    statusOf: async (path: string, headers?: Record<string, string>) => (await get(path, headers)).status,
    rejectionOf: async (path: string, headers?: Record<string, string>) => {
      const response = await get(path, headers);
      expect(response.headers.get('cache-control')).toBe('no-store');
      const { errors } = (await response.json()) as { errors: string[] };
      return `${response.status} ${errors.join()}`;
    },
    /**
     * Loads a master playlist.
     * @returns the path of the admitted viewer, up to the token and a slash
     */
    openMaster: async (path: string, headers?: Record<string, string>): Promise<string> => {
      const response = await get(path, headers);
      expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
      const lines = (await response.text()).split('\n').filter((line) => line && !line.startsWith('#'));
      const [token = ''] = /^~[\w-]+\//.exec(lines[0] ?? '') ?? [];
      expect(token).not.toBe('');
      return path.replace(/[^/]*$/, '') + token;
    },
  };
}

/** The claims of a valid token for a playback id or session id. */
export function claimsFor(key: CreatedSigningKey, sub: string) {
  const now = Math.floor(Date.now() / 1_000);
  return { action: 'pull', iss: 'shop', pub: key.publicKey, sub, video: 'none', iat: now, exp: now + 600 };
}

/** Signs a token as the server of an owner would. */
export async function signJwt(
  key: CreatedSigningKey,
  sub: string,
  { claims = {}, header = {} }: Signing = {},
): Promise<string> {
  const pem = Buffer.from(key.privateKey, 'base64').toString();
  const jwt = new SignJWT({ ...claimsFor(key, sub), ...claims });
  return jwt.setProtectedHeader({ alg: 'ES256', ...header }).sign(await importPKCS8(pem, 'ES256'));
}
