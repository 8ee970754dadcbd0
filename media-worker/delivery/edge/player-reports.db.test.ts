import { afterAll, expect, test } from 'vitest';
import { createClientAddressReader } from '@/lib/infra/egress/ip-address';
import { createLogger } from '@/lib/infra/logger';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { createEdgeName, formatVia } from '@/media-worker/kit/http/via';
import {
  startRestrictedOrigin,
  createViewerRequests,
} from '@/media-worker/delivery/origin/testing/restricted-origin';
import { ViewerLog } from './viewer-log';
import { startEdge } from './server';
import { createEdgeId } from './testing/test-origin';
import { Upstream } from './upstream';

const {
  port: originPort,
  db,
  createOwner,
  createStreamWithPolicy,
  writeAudience,
} = await startRestrictedOrigin(await createTestDatabase());
const addressOf = createClientAddressReader([]);
const closing: { close(): unknown }[] = [];

/** Starts an edge with this upstream URL. */
async function startEdgeOf(url: string): Promise<number> {
  const name = createEdgeName(createEdgeId());
  const upstream = new Upstream(url);
  const viewers = new ViewerLog({ upstream, via: formatVia([name]), addressOf });
  const log = createLogger('test', 'silent');
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
  closing.push(edge, upstream);
  return edge.port;
}

const edgePort = await startEdgeOf(`http://127.0.0.1:${originPort}`);
afterAll(async () => {
  for (const server of closing) await server.close();
});

const report = (path: string, lines: readonly string[], port = edgePort) =>
  fetch(`http://127.0.0.1:${port}/cmcd/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/cmcd', 'User-Agent': 'AppleCoreMedia/1.0 (iPhone; U)' },
    body: lines.join('\n'),
  });
/** Report lines of a view that starts in 500 ms and plays for 10 s. */
const view = (sid: string) => [
  `e=ps,sid="${sid}",sn=1,sta=s,ts=1000`,
  `e=ps,sid="${sid}",sn=2,sta=p,ts=1500`,
  `e=ps,sid="${sid}",sn=3,sta=e,ts=11500`,
];
const rowsOf = (objectId: string) => db.audiencePeriod.findMany({ where: { objectId } });

test('player reports to an edge are summed up at the origin, with the device of the viewer', async () => {
  const owner = await createOwner();
  const { id, playbackId } = await createStreamWithPolicy(owner, null);
  const outerEdgePort = await startEdgeOf(`http://127.0.0.1:${edgePort}`);
  expect((await report(playbackId, view('one'))).status).toBe(204);
  expect((await report(playbackId, view('two'), outerEdgePort)).status).toBe(204);
  await writeAudience();
  const [row] = await rowsOf(id);
  expect(row).toMatchObject({ views: 2, startups: 2, startupMs: 1_000n, playedMs: 20_000n });
  expect(Object.keys(row?.devices as object)).toEqual(['mobile']);
});

test('an edge forwards the status with which a report is rejected', async () => {
  const owner = await createOwner();
  const { id, playbackId } = await createStreamWithPolicy(owner, { type: 'jwt' });
  expect((await report(playbackId, view('one'))).status).toBe(403);
  expect((await report('zzzzzzzzzzzzzzzz', view('one'))).status).toBe(410);
  expect((await report(playbackId, ['x'.repeat(70_000)])).status).toBe(413);
  await writeAudience();
  expect(await rowsOf(id)).toEqual([]);
});

test('an edge allows POST in a CORS preflight for reports, and rejects it for other paths', async () => {
  const answer = await fetch(`http://127.0.0.1:${edgePort}/cmcd/abc`, { method: 'OPTIONS' });
  expect(answer.headers.get('access-control-allow-methods')).toBe('POST, OPTIONS');
  expect(answer.headers.get('access-control-allow-headers')).toBe('Content-Type');
  expect(await createViewerRequests(edgePort).rawStatusOf('/hls/abc', 'POST')).toBe(405);
});

test('while the origin is unavailable, a player is asked to send its report again after a second', async () => {
  const answer = await report('abcd1234efgh5678', view('one'), await startEdgeOf('http://127.0.0.1:1'));
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
});
