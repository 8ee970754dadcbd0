import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { getViewership, explainStalls } from '@/lib/domain/audience';
import { testDatabase } from '@/lib/infra/testing/test-database';
import { startRestrictedOrigin } from '@/media-worker/delivery/origin/testing/restricted-origin';
import { openEdge } from './testing/open-edge';

const databaseUrl = await testDatabase();
/** Two origins with separate counts and one database, like those of two nodes. */
const [first, second] = [await startRestrictedOrigin(databaseUrl), await startRestrictedOrigin(databaseUrl)];
const { ctx, db, createOwner } = first;
const closing: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closing.reverse()) await close();
});

/** Starts a proxy between an edge and an origin, which the test selects. The test can delay its media. */
async function openRelay() {
  const relay = { port: first.port, mediaDelayMs: 0, url: '' };
  const server = createServer((request, response) => {
    const { method, url, headers } = request;
    const delayMs = method === 'GET' && url?.endsWith('.m4s') ? relay.mediaDelayMs : 0;
    void sleep(delayMs).then(() => {
      const forwarded = httpRequest(
        { host: '127.0.0.1', port: relay.port, method, path: url, headers },
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
  relay.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return relay;
}

const relay = await openRelay();
const edge = await openEdge(relay.url);
const outerEdge = await openEdge(edge.url);
closing.push(
  () => edge.close(),
  () => outerEdge.close(),
);
const direct = (port: number) => `http://127.0.0.1:${port}`;

/** Returns the report lines of a view that starts in 500 ms, plays for 10 s, stalls for 2 s and plays for 5 s. */
const view = (sid: string) =>
  [
    ['s', 1_000],
    ['p', 1_500],
    ['r', 11_500],
    ['p', 13_500],
    ['e', 18_500],
  ].map(([state, at], index) => `e=ps,sid="${sid}",sn=${index + 1},sta=${state},ts=${at}`);
const report = async (base: string, playbackId: string, sid: string) => {
  const answer = await fetch(`${base}/cmcd/${playbackId}`, { method: 'POST', body: view(sid).join('\n') });
  expect(answer.status).toBe(204);
};
const load = async (base: string, playbackId: string, file: string) =>
  expect((await fetch(`${base}/hls/${playbackId}/source/${file}`)).status).toBe(200);
const writeAll = () => Promise.all([first.writeAudience(), second.writeAudience()]);

async function sumsOf(objectId: string) {
  const { _sum } = await db.audiencePeriod.aggregate({
    where: { objectId },
    _sum: { views: true, stalls: true, edgeStalls: true, stallMs: true, playedMs: true },
  });
  return _sum;
}

test('stalls of viewers behind an edge that waits for its origin are counted as stalls of the edge', async () => {
  const ada = await createOwner();
  const [slow, quick] = [
    await first.createStreamWithPolicy(ada, null),
    await first.createStreamWithPolicy(ada, null),
  ];
  relay.mediaDelayMs = 1_200;
  await load(edge.url, slow.playbackId, '7.m4s');
  relay.mediaDelayMs = 0;
  await load(edge.url, quick.playbackId, '7.m4s');
  for (const { playbackId } of [slow, quick]) {
    await report(edge.url, playbackId, 'behind the edge');
    await report(outerEdge.url, playbackId, 'behind two edges');
    await report(direct(first.port), playbackId, 'at the origin');
  }
  await writeAll();
  expect(await sumsOf(slow.id)).toMatchObject({ views: 3, stalls: 3, edgeStalls: 2 });
  expect(await sumsOf(quick.id)).toMatchObject({ views: 3, stalls: 3, edgeStalls: 0 });
  await explainStalls(ctx);
  const causeOf = (objectId: string) => db.stallMinute.findMany({ where: { objectId } });
  expect(await causeOf(slow.id)).toMatchObject([{ cause: 'edge_miss', measure: null, stalls: 3 }]);
  expect(await causeOf(quick.id)).toMatchObject([{ cause: 'unknown', stalls: 3 }]);
});

test('media from the cache, and parts that the origin may hold back, do not count as a wait for the origin', async () => {
  const ada = await createOwner();
  const { id, playbackId } = await first.createStreamWithPolicy(ada, null);
  await load(edge.url, playbackId, '7.m4s');
  relay.mediaDelayMs = 1_200;
  await load(edge.url, playbackId, '7.m4s');
  await load(edge.url, playbackId, '8.1.m4s');
  relay.mediaDelayMs = 0;
  await report(edge.url, playbackId, 'behind the edge');
  await writeAll();
  expect(await sumsOf(id)).toMatchObject({ stalls: 1, edgeStalls: 0 });
});

test('reports to two origins, directly and through an edge, add up once and keep their cause', async () => {
  const ada = await createOwner();
  const { id, playbackId } = await first.createStreamWithPolicy(ada, null);
  for (const [port, file] of [
    [first.port, '7.m4s'],
    [second.port, '8.m4s'],
  ] as const) {
    relay.port = port;
    relay.mediaDelayMs = 1_200;
    await load(edge.url, playbackId, file);
    relay.mediaDelayMs = 0;
    for (let viewer = 0; viewer < 4; viewer += 1) {
      await report(edge.url, playbackId, `edge ${port} ${viewer}`);
      // A player sends a batch again when it did not get the response.
      await report(edge.url, playbackId, `edge ${port} ${viewer}`);
      // This report is the second of five, so most stalls of a minute are behind the edge even if a new minute begins
      // during the test.
      if (viewer === 0) await report(direct(port), playbackId, `direct ${port}`);
    }
  }
  const views = 10;
  // A minute that changes is written again.
  await writeAll();
  relay.port = second.port;
  await report(edge.url, playbackId, 'later');
  await writeAll();
  await writeAll();
  expect(await sumsOf(id)).toEqual({
    views: views + 1,
    stalls: views + 1,
    edgeStalls: 9,
    stallMs: BigInt(2_000 * (views + 1)),
    playedMs: BigInt(15_000 * (views + 1)),
  });
  const nodes = await db.audiencePeriod.findMany({ where: { objectId: id }, distinct: ['nodeId'] });
  expect(nodes).toHaveLength(2);
  const [total] = await getViewership(ada.ctx, { streamId: id });
  expect(total).toMatchObject({ viewCount: views + 1, ttffMs: 500, rebufferRatio: 0.117647 });
  await explainStalls(ctx);
  await explainStalls(ctx);
  const minutes = await db.stallMinute.findMany({ where: { objectId: id } });
  expect(minutes.map(({ cause }) => cause)).toEqual(minutes.map(() => 'edge_miss'));
  expect(minutes.reduce((sum, { stalls }) => sum + stalls, 0)).toBe(views + 1);
});
