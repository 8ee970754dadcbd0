import { Writable } from 'node:stream';
import { afterEach, expect, test, vi } from 'vitest';
import { enterPlaybackPassword } from '@/lib/domain/access';
import { createClientAddressReader } from '@/lib/infra/egress/ip-address';
import { createLogger } from '@/lib/infra/logger';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { ViewerLog } from '@/media-worker/delivery/edge/viewer-log';
import { startEdge } from '@/media-worker/delivery/edge/server';
import { createEdgeId } from '@/media-worker/delivery/edge/testing/test-origin';
import { Upstream } from '@/media-worker/delivery/edge/upstream';
import { createEdgeName, formatVia } from '@/media-worker/kit/http/via';
import {
  startRestrictedOrigin,
  signJwt,
  createViewerRequests,
} from '@/media-worker/delivery/origin/testing/restricted-origin';

let logText = '';
const destination = new Writable({
  write: (line: Buffer, _, callback) => {
    logText += line.toString();
    callback();
  },
});
const log = createLogger('test', 'trace', destination);
const { port, storage, createOwner, createAssetWithPolicy, statusOf, openMaster } =
  await startRestrictedOrigin(await createTestDatabase(), {
    log,
  });
afterEach(() => {
  vi.restoreAllMocks();
  logText = '';
});

const files = { source: 'film', 'hls/index.m3u8': '#EXTM3U\n1.m4s\n', 'hls/1.m4s': 'one' };
const password = 'sesame-open';

/** Paths of failed requests in the log. */
const readLoggedPaths = () => [...logText.matchAll(/"path":"([^"]+)"/g)].map(([, path]) => path);

test("a failed request logs a line without the viewer's proof", async () => {
  const ada = await createOwner();
  const signedAsset = await createAssetWithPolicy(ada, { type: 'jwt' }, files);
  const lockedAsset = await createAssetWithPolicy(ada, { type: 'password', password }, files);
  const jwt = await signJwt(ada.key, signedAsset.playbackId);
  const { token } = await enterPlaybackPassword(
    { ...ada.ctx, log },
    { id: lockedAsset.playbackId, password },
  );
  const admittedPath = await openMaster(`/asset/${signedAsset.playbackId}/index.m3u8?jwt=${jwt}`);
  const head = vi.spyOn(storage, 'head').mockRejectedValue(new Error('the disk is gone'));
  const read = vi.spyOn(storage, 'read').mockRejectedValue(new Error('the disk is gone'));
  const pathOfLockedAsset = (file: string) => `/asset/${lockedAsset.playbackId}/${file}`;
  for (const [path, headers] of [
    [`${admittedPath}1.m4s`, {}],
    [`${admittedPath}index.m3u8`, {}],
    [`/asset/${signedAsset.playbackId}/index.m3u8?jwt=${jwt}`, {}],
    [`/asset/${signedAsset.playbackId}/index.m3u8`, { 'Livepeer-Jwt': jwt }],
    [pathOfLockedAsset(`video?token=${token}&accessKey=${password}`), { 'Livepeer-Access-Key': password }],
  ] as const)
    expect(await statusOf(path, headers)).toBe(500);
  expect(head.mock.calls.length + read.mock.calls.length).toBeGreaterThan(0);
  expect(readLoggedPaths()).toHaveLength(5);
  expect(readLoggedPaths()[0]).toBe(`/asset/${signedAsset.playbackId}/~***/1.m4s`);
  const [pathToken = ''] = /(?<=~)[\w-]+/.exec(admittedPath) ?? [];
  for (const secret of [pathToken, jwt, token, password]) expect(logText).not.toContain(secret);
});

test("a failed request at an edge logs a line without the viewer's proof", async () => {
  const ada = await createOwner();
  const { playbackId } = await createAssetWithPolicy(ada, { type: 'jwt' }, files);
  const jwt = await signJwt(ada.key, playbackId);
  const name = createEdgeName(createEdgeId());
  const upstream = new Upstream(`http://127.0.0.1:${port}`);
  const addressOf = createClientAddressReader([]);
  const viewers = new ViewerLog({ upstream, via: formatVia([name]), addressOf });
  const edge = await startEdge({
    host: '127.0.0.1',
    port: 0,
    log,
    name,
    upstream,
    viewers,
    addressOf,
    slices: null,
    isTrusted: () => false,
  });
  const edgeRequests = createViewerRequests(edge.port);
  const admittedPath = await edgeRequests.openMaster(`/asset/${playbackId}/index.m3u8?jwt=${jwt}`);
  vi.spyOn(upstream, 'open').mockRejectedValue(new TypeError('a bug'));
  expect(await edgeRequests.statusOf(`${admittedPath}1.m4s`)).toBe(500);
  expect(await edgeRequests.statusOf(`/asset/${playbackId}/index.m3u8?jwt=${jwt}`)).toBe(500);
  await edge.close();
  upstream.close();
  expect(readLoggedPaths()).toEqual([`/asset/${playbackId}/~***/1.m4s`, `/asset/${playbackId}/index.m3u8`]);
  const [pathToken = ''] = /(?<=~)[\w-]+/.exec(admittedPath) ?? [];
  for (const secret of [pathToken, jwt]) expect(logText).not.toContain(secret);
});
