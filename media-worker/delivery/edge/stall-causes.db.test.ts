import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { getViewership, explainStalls } from '@/lib/domain/audience';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { startRestrictedOrigin } from '@/media-worker/delivery/origin/testing/restricted-origin';
import { openEdge } from './testing/open-edge';

const databaseUrl = await createTestDatabase();
/** Two origins with separate counts and one database, like those of two nodes. */
const [firstOrigin, secondOrigin] = [
  await startRestrictedOrigin(databaseUrl),
  await startRestrictedOrigin(databaseUrl),
];
const { ctx, db, createOwner } = firstOrigin;
const closing: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closing.reverse()) await close();
});

/** Starts a proxy between an edge and an origin, which the test selects. The test can delay its media. */
async function openProxy() {
  const proxy = { port: firstOrigin.port, mediaDelayMs: 0, url: '' };
  const server = createServer((request, response) => {
    const { method, url, headers } = request;
    const delayMs = method === 'GET' && url?.endsWith('.m4s') ? proxy.mediaDelayMs : 0;
    void sleep(delayMs).then(() => {
      const forwarded = httpRequest(
        { host: '127.0.0.1', port: proxy.port, method, path: url, headers },
        (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(response);
        },
      );
      request.pipe(forwarded);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(
    () => server.close(),
    () => server.closeAllConnections(),
  );
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return proxy;
}

/** Longer than a second, from which on a wait for the origin explains a stall. */
const LONG_DELAY_MS = 1_200;
const proxy = await openProxy();
const edge = await openEdge(proxy.url);
const outerEdge = await openEdge(edge.url);
closing.push(
  () => edge.close(),
  () => outerEdge.close(),
);
const originUrl = (port: number) => `http://127.0.0.1:${port}`;

/** Returns the report lines of a view that starts in 500 ms, plays for 10 s, stalls for 2 s and plays for 5 s. */
const view = (sid: string) =>
  [
    ['s', 1_000],
    ['p', 1_500],
    ['r', 11_500],
    ['p', 13_500],
    ['e', 18_500],
  ].map(([state, timeMs], index) => `e=ps,sid="${sid}",sn=${index + 1},sta=${state},ts=${timeMs}`);
const reportView = async (baseUrl: string, playbackId: string, sid: string) => {
  const answer = await fetch(`${baseUrl}/cmcd/${playbackId}`, { method: 'POST', body: view(sid).join('\n') });
  expect(answer.status).toBe(204);
};
const fetchMedia = async (baseUrl: string, playbackId: string, file: string) =>
  expect((await fetch(`${baseUrl}/hls/${playbackId}/source/${file}`)).status).toBe(200);
const writeAll = () => Promise.all([firstOrigin.writeAudience(), secondOrigin.writeAudience()]);

async function sumsOf(objectId: string) {
  const { _sum } = await db.audiencePeriod.aggregate({
    where: { objectId },
    _sum: { views: true, stalls: true, edgeStalls: true, stallMs: true, playedMs: true },
  });
  return _sum;
}

test('stalls of viewers behind an edge that waits for its origin are counted as stalls of the edge', async () => {
  const owner = await createOwner();
  const [slowStream, quickStream] = [
    await firstOrigin.createStreamWithPolicy(owner, null),
    await firstOrigin.createStreamWithPolicy(owner, null),
  ];
  proxy.mediaDelayMs = LONG_DELAY_MS;
  await fetchMedia(edge.url, slowStream.playbackId, '7.m4s');
  proxy.mediaDelayMs = 0;
  await fetchMedia(edge.url, quickStream.playbackId, '7.m4s');
  for (const { playbackId } of [slowStream, quickStream]) {
    await reportView(edge.url, playbackId, 'behind the edge');
    await reportView(outerEdge.url, playbackId, 'behind two edges');
    await reportView(originUrl(firstOrigin.port), playbackId, 'at the origin');
  }
  await writeAll();
  expect(await sumsOf(slowStream.id)).toMatchObject({ views: 3, stalls: 3, edgeStalls: 2 });
  expect(await sumsOf(quickStream.id)).toMatchObject({ views: 3, stalls: 3, edgeStalls: 0 });
  await explainStalls(ctx);
  const minutesOf = (objectId: string) => db.stallMinute.findMany({ where: { objectId } });
  expect(await minutesOf(slowStream.id)).toMatchObject([{ cause: 'edge_miss', measure: null, stalls: 3 }]);
  expect(await minutesOf(quickStream.id)).toMatchObject([{ cause: 'unknown', stalls: 3 }]);
});

test('media from the cache, and parts that the origin may hold back, do not count as a wait for the origin', async () => {
  const owner = await createOwner();
  const { id, playbackId } = await firstOrigin.createStreamWithPolicy(owner, null);
  await fetchMedia(edge.url, playbackId, '7.m4s');
  proxy.mediaDelayMs = LONG_DELAY_MS;
  await fetchMedia(edge.url, playbackId, '7.m4s');
  await fetchMedia(edge.url, playbackId, '8.1.m4s');
  proxy.mediaDelayMs = 0;
  await reportView(edge.url, playbackId, 'behind the edge');
  await writeAll();
  expect(await sumsOf(id)).toMatchObject({ stalls: 1, edgeStalls: 0 });
});

test('reports to two origins, directly and through an edge, are each counted once and keep their cause', async () => {
  const owner = await createOwner();
  const { id, playbackId } = await firstOrigin.createStreamWithPolicy(owner, null);
  for (const [port, file] of [
    [firstOrigin.port, '7.m4s'],
    [secondOrigin.port, '8.m4s'],
  ] as const) {
    proxy.port = port;
    proxy.mediaDelayMs = LONG_DELAY_MS;
    await fetchMedia(edge.url, playbackId, file);
    proxy.mediaDelayMs = 0;
    for (let viewer = 0; viewer < 4; viewer += 1) {
      await reportView(edge.url, playbackId, `edge ${port} ${viewer}`);
      // A player sends a batch again when it did not get the response.
      await reportView(edge.url, playbackId, `edge ${port} ${viewer}`);
      // This report is the second of five, so most stalls of a minute are behind the edge even if a new minute begins
      // during the test.
      if (viewer === 0) await reportView(originUrl(port), playbackId, `direct ${port}`);
    }
  }
  // Four viewers behind the edge and one at the origin, for each of two origins.
  const views = 10;
  // A minute that changes is written again.
  await writeAll();
  proxy.port = secondOrigin.port;
  await reportView(edge.url, playbackId, 'later');
  await writeAll();
  await writeAll();
  expect(await sumsOf(id)).toEqual({
    views: views + 1,
    stalls: views + 1,
    // All except the two of viewers at an origin.
    edgeStalls: views + 1 - 2,
    stallMs: BigInt(2_000 * (views + 1)),
    playedMs: BigInt(15_000 * (views + 1)),
  });
  const nodes = await db.audiencePeriod.findMany({ where: { objectId: id }, distinct: ['nodeId'] });
  expect(nodes).toHaveLength(2);
  const [total] = await getViewership(owner.ctx, { streamId: id });
  // Of 17 s from start to end, a view stalls for 2 s.
  expect(total).toMatchObject({ viewCount: views + 1, ttffMs: 500, rebufferRatio: 0.117647 });
  await explainStalls(ctx);
  await explainStalls(ctx);
  const minutes = await db.stallMinute.findMany({ where: { objectId: id } });
  expect(minutes.map(({ cause }) => cause)).toEqual(minutes.map(() => 'edge_miss'));
  expect(minutes.reduce((sum, { stalls }) => sum + stalls, 0)).toBe(views + 1);
});
