import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { systemClock } from '@/lib/infra/clock';
import { newId } from '@/lib/infra/ids';
import { createNodeSignatures } from '@/lib/infra/node-signatures';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { registerNode } from '@/lib/domain/nodes';
import { authorizePublish, markActive, releaseStreamsOfNode } from '@/lib/domain/streams';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import { createWriteHandler } from '@/media-worker/kit/http/internal-writes';
import { LiveRecord } from '@/media-worker/live/session/live-record';
import { NodeFinder } from './find-node';
import { LiveProxy, createUpstream } from './live-proxy';
import { LiveSource } from './live-source';
import { startOrigin } from '@/media-worker/delivery/origin/server';
import { startFakeLiveNode } from '@/media-worker/delivery/origin/testing/fake-live-node';
import { noRecordings } from '@/media-worker/delivery/origin/testing/no-recordings';
import { admitAllViewers } from '@/media-worker/delivery/origin/testing/admit-all-viewers';

const { ctx, createTeam, createStream, createNode, eventsOf } = createLiveFixtures(
  await createTestDatabase(),
);
const teamId = await createTeam();
const upstream = createUpstream(() => ({}));
afterAll(() => upstream.close());
const rejectCall = () => Promise.reject(new Error('viewers only'));

/**
 * Starts an origin that is announced to live nodes.
 * @returns its URL
 */
async function startOriginProcess(findLiveUrl: () => Promise<string | null>) {
  const source = new LiveSource({
    nodes: new NodeFinder(findLiveUrl, systemClock),
    proxy: new LiveProxy({ fetch: upstream.fetch }),
    maxWaitMs: 0,
    // Longer than any test: a busy machine may need long for one.
    reconnectTimeoutMs: 600_000,
  });
  const server = await startOrigin({
    host: '127.0.0.1',
    port: 0,
    log: ctx.log,
    live: source,
    uploads: {
      put: rejectCall,
      logo: rejectCall,
      slate: rejectCall,
      poster: rejectCall,
      tus: { handle: rejectCall },
    },
    recordings: noRecordings,
    serveAsset: rejectCall,
    serveIpfs: rejectCall,
    serveUploadedPicture: rejectCall,
    onDelivery: () => undefined,
    watch: (_request, _target, serve) => serve(),
    guard: admitAllViewers,
    answerWrite: createWriteHandler({
      signatures: createNodeSignatures(ctx.secrets, ctx.clock),
      receiver: () => `http://127.0.0.1:${server.port}`,
      writes: source.endedStreams.writes,
    }),
  });
  afterAll(() => server.close());
  return announceOrigin(server.port);
}

async function announceOrigin(port: number): Promise<string> {
  const url = `http://127.0.0.1:${port}`;
  await registerNode(ctx, { id: newId(), role: 'origin', url, machineId: null });
  return url;
}

/** Accepts connections and never answers, like a machine that hangs; once it is closed, connections to its address fail. */
async function startSilentServer(): Promise<{ port: number; close: () => Promise<void> }> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  return { port, close };
}

async function createLiveStream() {
  const [row, nodeId] = [await createStream(teamId), await createNode()];
  const publish = await authorizePublish(ctx, { streamId: row.id, nodeId });
  if (!publish) throw new Error('not authorized');
  await markActive(ctx, { streamId: row.id, nodeId, publishNumber: publish.publishNumber, issues: [] });
  const eventNames = async () => (await eventsOf(row.id)).map(({ name }) => name);
  return { row, nodeId, publish, eventNames };
}

const statusOf = async (url: string, headers: Record<string, string> = {}) => {
  const response = await fetch(url, { headers });
  await response.body?.cancel();
  return response.status;
};

test('stream.idle is written when no origin serves the stream, even if other origins hang or are unreachable', async () => {
  const live = await startFakeLiveNode();
  const { publish, nodeId, eventNames } = await createLiveStream();
  const find = () => Promise.resolve(live.url);
  const originUrls = [await startOriginProcess(find), await startOriginProcess(find)];
  const [silentServer, closedServer] = [await startSilentServer(), await startSilentServer()];
  for (const { port } of [silentServer, closedServer]) await announceOrigin(port);
  await closedServer.close();
  const files = ['index.m3u8', 'index.m3u8?ll=0', 'source/index.m3u8', 'source/index.m3u8?ll=0'];
  const urls = originUrls.flatMap((url) => files.map((file) => `${url}/hls/${publish.playbackId}/${file}`));
  const statuses = async () => new Set(await Promise.all(urls.map((url) => statusOf(url))));
  expect(await statuses()).toEqual(new Set([200]));
  live.answer = (_path, response) => response.writeHead(404).end();
  const marking = new LiveRecord(ctx, nodeId, new AbortController().signal).markIdle(publish);
  // Before the event, each request gets either of the two answers.
  await expect.poll(eventNames, { interval: 1 }).toContain('stream.idle');
  expect(await statuses()).toEqual(new Set([404]));
  await marking;
  await silentServer.close();
  await live.close();
});

test('stream.idle is written after the second for which caches in front of an origin may serve a playlist', async () => {
  const live = await startFakeLiveNode();
  const { publish, nodeId, eventNames } = await createLiveStream();
  const url = `${await startOriginProcess(() => Promise.resolve(live.url))}/hls/${publish.playbackId}/source/index.m3u8`;
  // The request of an edge, which caches the playlist.
  const cachedAt = performance.now();
  expect(await statusOf(url, { Via: '1.1 headwater-edge-01234567' })).toBe(200);
  live.answer = (_path, response) => response.writeHead(404).end();
  await new LiveRecord(ctx, nodeId, new AbortController().signal).markIdle(publish);
  expect(await eventNames()).toContain('stream.idle');
  expect(performance.now() - cachedAt).toBeGreaterThan(1_000);
  await live.close();
});

test('after a live node died, origins repeat the last playlist until stream.idle, and then respond with 503', async () => {
  const live = await startFakeLiveNode();
  const { publish, nodeId, eventNames } = await createLiveStream();
  let find: () => Promise<string | null> = () => Promise.resolve(live.url);
  const url = `${await startOriginProcess(() => find())}/hls/${publish.playbackId}/source/index.m3u8?ll=0`;
  expect(await statusOf(url)).toBe(200);
  await live.close();
  expect(await statusOf(url)).toBe(200);
  find = () => Promise.resolve(null);
  expect(await releaseStreamsOfNode(ctx, nodeId)).toBe(1);
  expect(await eventNames()).toContain('stream.idle');
  // The encoder may reconnect at any moment, and a 404 would end players.
  expect(await statusOf(url)).toBe(503);
});
