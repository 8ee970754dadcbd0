import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openEgress } from '@/lib/infra/egress/egress';
import { openEgressSockets } from '@/lib/infra/egress/egress-socket';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { pullColumns } from '@/lib/domain/streams/pull/pull-columns';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import type { PullInput } from '@/lib/contract/streams/pull';
import type { PullReport } from '@/lib/core/streams/pull/pull-state';
import { listen } from '@/media-worker/kit/http/listen';
import { createLiveHandler } from '@/media-worker/live/session/live-http';
import { createLiveNodes } from '@/media-worker/live/session/testing/live-nodes';
import { Pulls } from './pulls';
import { hasRtspServer, startRtspServer } from './testing/rtsp-server';
import { findFreePort, makeClip, serveClip } from './testing/sources';

const fixtures = createLiveFixtures(await createTestDatabase());
const { ctx, db, createTeam, createStream, readStream } = fixtures;
// Hooks run in reverse order, so this one runs when the live nodes are closed. Until then, their sessions write to the same
// rows, and lock them in another order.
afterEach(async () => {
  await db.stream.updateMany({
    where: { pullStartedAt: { not: null } },
    data: { pullStartedAt: null },
  });
});
const liveNode = createLiveNodes(fixtures);
const allowCidrs = ['127.0.0.0/8'];
const egress = openEgress({ allowCidrs });
const clients = { egress, sockets: openEgressSockets({ allowCidrs }), isOwn: () => Promise.resolve(false) };
const longTimeout = { timeout: 60_000 };

let folder = '';
let clip = '';
let mp3Clip = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pull-'));
  [clip, mp3Clip] = [join(folder, 'clip.ts'), join(folder, 'mp3.ts')];
  await makeClip(clip);
  await makeClip(mp3Clip, { audio: '-c:a libmp3lame' });
});
afterAll(async () => {
  await egress.close();
  await rm(folder, { recursive: true, force: true });
});

const openPulls: Pulls[] = [];
afterEach(async () => {
  await Promise.all(openPulls.splice(0).map((pulls) => pulls.close()));
});

async function startPullNode() {
  const live = await liveNode();
  const { nodeId, admit, drain } = live;
  const pulls = new Pulls({ ctx, nodeId, clients, admit, drain });
  openPulls.push(pulls);
  return { ...live, pulls };
}

async function startPull(pull: PullInput) {
  const row = await createStream(await createTeam());
  const actor = { kind: 'cli', teamId: row.teamId } as const;
  await db.stream.update({ where: { id: row.id }, data: pullColumns({ ...ctx, actor }, row, pull) });
  return row;
}
const readReport = async (id: string) => (await readStream(id)).pullReport as unknown as PullReport | null;
const isActive = async (id: string) => (await readStream(id)).isActive;

test('SRT: the source is called, and its video and audio are published until the pull is ended', async () => {
  const port = await findFreePort();
  const listener = `srt://127.0.0.1:${port}?mode=listener&passphrase=a-secret-phrase`;
  await using _source = serveClip(clip, ['-f', 'mpegts', listener]);
  const row = await startPull({ source: `srt://127.0.0.1:${port}?passphrase=a-secret-phrase&streamid=x` });
  const { sessions, pulls } = await startPullNode();
  await expect.poll(() => isActive(row.id), longTimeout).toBe(true);
  await expect.poll(async () => (await readReport(row.id))?.state, longTimeout).toBe('pulling');
  const measurement = sessions.byPlaybackId(row.playbackId)?.renditions.source.window.measure();
  expect(measurement).toMatchObject({ resolution: { width: 320, height: 180 } });
  expect(measurement?.codecs).toHaveLength(2);
  expect(await readReport(row.id)).not.toHaveProperty('error');

  await db.stream.update({ where: { id: row.id }, data: { pullStartedAt: null } });
  pulls.refresh();
  await expect.poll(() => pulls.count, longTimeout).toBe(0);
  await expect.poll(() => isActive(row.id), longTimeout).toBe(false);
});

test('RTMP: a source that was killed is pulled again when it is back', async () => {
  const port = await findFreePort();
  const address = `rtmp://127.0.0.1:${port}/live/a-key`;
  const output = ['-f', 'flv', '-listen', '1', address];
  const killedServer = serveClip(clip, output);
  const row = await startPull({ source: address });
  await startPullNode();
  await expect.poll(() => isActive(row.id), longTimeout).toBe(true);
  await killedServer.kill();
  await expect
    .poll(async () => (await readReport(row.id))?.error, longTimeout)
    .toMatch(/^Pull: .*127\.0\.0\.1/);
  const { mediaAt = 0 } = (await readReport(row.id)) ?? {};
  await using _second = serveClip(clip, output);
  const isPulledAgain = async () => {
    const report = await readReport(row.id);
    return report?.state === 'pulling' && (report.mediaAt ?? 0) > mediaAt && report.error === undefined;
  };
  await expect.poll(isPulledAgain, longTimeout).toBe(true);
});

/**
 * Serves a clip as live HLS that requires a header.
 * @returns its URL, and the requested paths
 */
async function serveHls(input: string, token: string) {
  const files = join(folder, token);
  await mkdir(files);
  const options = '-f hls -hls_time 1 -hls_list_size 6 -hls_flags delete_segments'.split(' ');
  const encoder = serveClip(input, [...options, join(files, 'index.m3u8')]);
  const requestedPaths: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    requestedPaths.push(path);
    if (path === '/moved.m3u8') response.writeHead(302, { location: '/index.m3u8' }).end();
    else if (request.headers['x-token'] !== token) response.writeHead(403).end();
    else
      readFile(join(files, basename(path))).then(
        (bytes) => response.writeHead(200).end(bytes),
        () => response.writeHead(404).end(),
      );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    server.close();
    server.closeAllConnections();
    await encoder.kill();
  };
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { address, requestedPaths, [Symbol.asyncDispose]: close };
}

test('HLS: a redirect is followed, a header is sent, and MP3 audio is encoded as AAC', async () => {
  await using hls = await serveHls(mp3Clip, 'opener');
  const row = await startPull({ source: `${hls.address}/moved.m3u8`, headers: { 'X-Token': 'opener' } });
  const { sessions } = await startPullNode();
  await expect.poll(() => isActive(row.id), longTimeout).toBe(true);
  const measurement = sessions.byPlaybackId(row.playbackId)?.renditions.source.window.measure();
  expect(measurement?.codecs).toEqual([expect.stringMatching(/^avc1/), 'mp4a.40.2']);
  expect(hls.requestedPaths.some((path) => path.endsWith('.ts'))).toBe(true);
});

test('HLS: a stream of this service in HEVC is pulled into another stream', async () => {
  const hevc = join(folder, 'hevc.ts');
  await makeClip(hevc, { video: '-c:v libx265 -preset ultrafast -x265-params log-level=none:keyint=25' });
  const port = await findFreePort();
  await using _source = serveClip(hevc, ['-f', 'mpegts', `srt://127.0.0.1:${port}?mode=listener`]);
  const servedStream = await startPull({ source: `srt://127.0.0.1:${port}` });
  const { sessions } = await startPullNode();
  await expect.poll(() => isActive(servedStream.id), longTimeout).toBe(true);
  const images = { requestImage: () => Promise.resolve(null) };
  const handler = createLiveHandler((id) => sessions.byPlaybackId(id), images, ctx.log);
  const options = { host: '127.0.0.1', port: 0, maxConnections: 100, log: ctx.log };
  const http = await listen(handler, options);
  const address = `http://127.0.0.1:${http.port}/${servedStream.playbackId}/index.m3u8`;
  const pullingStream = await startPull({ source: address });
  try {
    await expect.poll(() => isActive(pullingStream.id), longTimeout).toBe(true);
    const measurement = sessions.byPlaybackId(pullingStream.playbackId)?.renditions.source.window.measure();
    expect(measurement).toMatchObject({ resolution: { width: 320, height: 180 } });
    expect(measurement?.codecs).toEqual([expect.stringMatching(/^hvc1/), 'mp4a.40.2']);
  } finally {
    await http.close();
  }
});

test('HLS: an HTTP error is reported', async () => {
  await using hls = await serveHls(clip, 'another');
  const row = await startPull({ source: `${hls.address}/index.m3u8` });
  await startPullNode();
  await expect
    .poll(async () => (await readReport(row.id))?.error, longTimeout)
    .toMatch(/^Pull: 127\.0\.0\.1 rejected the request: HTTP 403\./);
});

describe.skipIf(!hasRtspServer)('RTSP (apt-get install gir1.2-gst-rtsp-server-1.0 python3-gi)', () => {
  test('a source is pulled with user name and password, and wrong credentials are reported', async () => {
    const port = await findFreePort();
    await using _camera = await startRtspServer(port, { user: 'ada', password: 'se:cret@1' });
    const row = await startPull({ source: `rtsp://ada:se%3Acret%401@127.0.0.1:${port}/cam` });
    const wrongPasswordStream = await startPull({ source: `rtsp://ada:guess@127.0.0.1:${port}/cam` });
    const { sessions } = await startPullNode();
    await expect.poll(() => isActive(row.id), longTimeout).toBe(true);
    const measurement = sessions.byPlaybackId(row.playbackId)?.renditions.source.window.measure();
    expect(measurement).toMatchObject({ resolution: { width: 320, height: 180 } });
    expect(measurement?.codecs).toHaveLength(2);
    await expect
      .poll(async () => (await readReport(wrongPasswordStream.id))?.error, longTimeout)
      .toMatch(/rejected the request: RTSP 401/);
  });
});

test('a private address is rejected with a message', async () => {
  const row = await startPull({ source: 'rtsp://10.0.0.1/cam' });
  await startPullNode();
  await expect
    .poll(async () => (await readReport(row.id))?.error, longTimeout)
    .toBe(
      'Pull: 10.0.0.1 is not a public address, so nothing is pulled from there. Use a public address, or ask the server’s operator to allow this one.',
    );
});

test('one of two nodes pulls, and the other node takes over when the first node dies', async () => {
  const port = await findFreePort();
  const output = ['-f', 'mpegts', `srt://127.0.0.1:${port}?mode=listener`];
  await using source = serveClip(clip, output);
  const row = await startPull({ source: `srt://127.0.0.1:${port}` });
  const [firstNode, secondNode] = [await startPullNode(), await startPullNode()];
  await expect.poll(() => isActive(row.id), longTimeout).toBe(true);
  expect(firstNode.pulls.count + secondNode.pulls.count).toBe(1);
  const [holder, successor] = firstNode.pulls.count === 1 ? [firstNode, secondNode] : [secondNode, firstNode];
  await db.node.update({ where: { id: holder.nodeId }, data: { seenAt: new Date(Date.now() - 60_000) } });
  await source.kill();
  await using _next = serveClip(clip, output);
  await expect.poll(() => successor.pulls.count, longTimeout).toBe(1);
  await expect.poll(() => holder.pulls.count, longTimeout).toBe(0);
  await expect.poll(async () => (await readStream(row.id)).pullNodeId, longTimeout).toBe(successor.nodeId);
});
