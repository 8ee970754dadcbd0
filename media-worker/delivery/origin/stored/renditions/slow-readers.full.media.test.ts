import { type Socket, connect } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LocatedAsset } from '@/lib/domain/assets';
import { assetKey } from '@/lib/core/storage-keys';
import { newId } from '@/lib/infra/ids';
import { createLogger } from '@/lib/infra/logger';
import type { HttpServer } from '@/media-worker/kit/http/listen';
import { SlowReaders } from '@/media-worker/kit/http/slow-readers';
import { storeHls } from '@/media-worker/vod/testing/rendition-fixtures';
import { createSampleFiles } from '@/media-worker/vod/testing/sample-files';
import { startOrigin } from '@/media-worker/delivery/origin/server';
import { noRecordings } from '@/media-worker/delivery/origin/testing/no-recordings';
import { admitAllViewers } from '@/media-worker/delivery/origin/testing/admit-all-viewers';
import { ignoreViewers } from '@/media-worker/delivery/origin/testing/ignore-viewers';
import { createServeAsset } from '@/media-worker/delivery/origin/stored/serve-asset';
import { createServeRendition } from './serve-rendition';

const MEBIBYTE = 2 ** 20;
const MAX_BYTES_PER_ADDRESS = 48 * MEBIBYTE;
const VIEWER_COUNT = 200;
const playbackId = 'abcd1234efgh5678';
const samples = createSampleFiles();
const sockets: Socket[] = [];
const readers = new SlowReaders({ perAddress: MAX_BYTES_PER_ADDRESS });
const rejectRequest = () => Promise.reject(new Error('not asked here'));
let origin: HttpServer;
let segmentBytes = 0;

beforeAll(async () => {
  const path = samples.path('noise.mp4');
  samples.ffmpeg(
    ...['-f', 'lavfi', '-i', 'nullsrc=size=1280x720:rate=25:duration=6,geq=random(1)*255:128:128'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '50', '-qp', '28', path],
  );
  const filesId = newId();
  const { storage } = await storeHls(samples.folder, path, filesId);
  segmentBytes = (await storage.head(assetKey(filesId, 'hls/source/000000.m4s')))?.bytes ?? 0;
  const asset = { assetId: filesId, filesId, name: 'Noise', posterTime: null, tracks: [], hasVideo: true };
  const locatedAsset = {
    ...asset,
    videoKey: '',
    sourceKey: '',
    sourceFormat: 'mp4',
    hasAudio: false,
    duration: 6,
  };
  const locate = (): Promise<LocatedAsset> => Promise.resolve(locatedAsset);
  // Nothing is encoded, so segments of the source are served instead.
  const findNothing = () => Promise.resolve(null);
  const renditionRequests = {
    find: findNothing,
    findStored: findNothing,
    requestAhead: () => Promise.resolve(),
  };
  origin = await startOrigin({
    host: '127.0.0.1',
    port: 0,
    log: createLogger('test', 'silent'),
    readers,
    watch: ignoreViewers,
    guard: admitAllViewers,
    onDelivery: () => undefined,
    recordings: noRecordings,
    live: { get: () => Promise.resolve('not_found') },
    serveAsset: createServeAsset({
      storage,
      locate,
      renditions: createServeRendition({ storage, renditionRequests }),
    }),
    serveIpfs: rejectRequest,
    serveUploadedPicture: rejectRequest,
    uploads: {
      put: rejectRequest,
      logo: rejectRequest,
      slate: rejectRequest,
      poster: rejectRequest,
      tus: { handle: rejectRequest },
    },
  });
});

afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await origin.close();
  samples.remove();
});

/** Returns the used memory in bytes after garbage collection. */
function measureHeapBytes(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let n = 0; n < 3; n++) collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** Sends a request and stops reading when the response has started, or when the origin has ended it before. */
function startSlowReader(path: string): Promise<void> {
  const socket = connect(origin.port, '127.0.0.1');
  sockets.push(socket);
  const whenStarted = new Promise<void>((resolve) => {
    socket.once('data', () => {
      socket.pause();
      resolve();
    });
    socket.once('close', () => resolve());
    // The origin may reset the connection of a response that it ends.
    socket.on('error', () => undefined);
  });
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  return whenStarted;
}

test('200 slow readers of a substituted segment stay within the memory limit, and others are served', async () => {
  const path = `/asset/${playbackId}/480p/000000.m4s`;
  const url = `http://127.0.0.1:${origin.port}${path}`;
  const wholeBody = await (await fetch(url)).arrayBuffer();
  expect(segmentBytes).toBeGreaterThan(8 * MEBIBYTE);
  // The body has the samples of the stored segment, in fewer parts.
  expect(wholeBody.byteLength / segmentBytes).toBeCloseTo(1, 2);
  const bytesBefore = measureHeapBytes();
  await Promise.all(Array.from({ length: VIEWER_COUNT }, () => startSlowReader(path)));
  // The limit has been reached.
  await expect.poll(() => readers.bytes).toBeGreaterThan(MAX_BYTES_PER_ADDRESS - 2 * MEBIBYTE);
  expect(readers.bytes).toBeLessThanOrEqual(MAX_BYTES_PER_ADDRESS);
  // The limit is doubled because the sockets of the test have read some bytes as well.
  await expect.poll(() => measureHeapBytes() - bytesBefore).toBeLessThan(2 * MAX_BYTES_PER_ADDRESS);
  expect(2 * MAX_BYTES_PER_ADDRESS).toBeLessThan((VIEWER_COUNT * segmentBytes) / 10);
  const laterBody = await (await fetch(url)).arrayBuffer();
  expect(Buffer.from(laterBody).equals(Buffer.from(wholeBody))).toBe(true);
});
