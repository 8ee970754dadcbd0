import { describe, expect, test } from 'vitest';
import { newId } from '@/lib/infra/ids';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import { isOwnIngest } from './own-ingest';

const { ctx, db } = createLiveFixtures(await createTestDatabase());
const ownAddresses = { rtmpPort: 1935, rtmpUrl: 'rtmps://localhost:4443/live' };
const thisNodeCtx = { ...ctx, settings: { ...ctx.settings, ...ownAddresses } };

const createLiveNode = (
  ingestUrl: string | null,
  url: string,
  seenAt = new Date(),
  secureIngestUrl: string | null = null,
) => db.node.create({ data: { id: newId(), role: 'live', url, ingestUrl, seenAt, secureIngestUrl } });
await createLiveNode('rtmp://192.0.2.10/live', 'http://10.0.0.10:4000');
// A node that has been silent for an hour, behind a load balancer that terminates TLS.
await createLiveNode('rtmps://192.0.2.20/live', 'http://[fd00::20]:4000', new Date(Date.now() - 3_600_000));
// A node of an older version.
await createLiveNode(null, 'http://10.0.0.30:4000');
await createLiveNode(
  'rtmp://192.0.2.50/live',
  'http://10.0.0.50:4000',
  new Date(),
  'rtmps://192.0.2.50:1936/live',
);
await db.node.create({ data: { id: newId(), role: 'origin', url: 'http://10.0.0.40:4000' } });

describe('the ingest of this node', () => {
  test.each([
    ['127.0.0.1', 1935, true],
    ['::ffff:127.0.0.1', 1935, true],
    ['127.4.5.6', 1935, true],
    ['::1', 1935, true],
    ['127.0.0.1', 1936, false],
    ['203.0.113.9', 1935, false],
    ['127.0.0.1', 4443, true],
    ['203.0.113.9', 4443, false],
  ])('includes the address %s with port %d: %s', async (address, port, expected) => {
    expect(await isOwnIngest({ address, port }, thisNodeCtx)).toBe(expected);
  });
});

describe('the ingest of other nodes', () => {
  test.each([
    ['192.0.2.10', 1935, true],
    ['::ffff:192.0.2.10', 1935, true],
    ['10.0.0.10', 1935, true],
    ['10.0.0.10', 4000, false],
    ['192.0.2.20', 443, true],
    ['192.0.2.20', 1935, false],
    ['fd00::20', 1935, true],
    ['10.0.0.30', 1935, true],
    ['10.0.0.40', 1935, false],
    ['192.0.2.50', 1936, true],
    ['192.0.2.10', 1936, false],
  ])('includes the address %s with port %d: %s', async (address, port, expected) => {
    expect(await isOwnIngest({ address, port }, thisNodeCtx)).toBe(expected);
  });
});

test('the TLS port belongs to the ingest if there is one', async () => {
  const tls = { rtmpsPort: 1936, rtmpsUrl: 'rtmps://localhost:5443/live' };
  const withTls = { ...thisNodeCtx, settings: { ...thisNodeCtx.settings, ...tls } };
  const isOwn = (address: string, port: number) => isOwnIngest({ address, port }, withTls);
  expect(await isOwn('127.0.0.1', 1936)).toBe(true);
  expect(await isOwn('127.0.0.1', 5443)).toBe(true);
  expect(await isOwn('10.0.0.10', 1936)).toBe(true);
  expect(await isOwn('203.0.113.9', 1936)).toBe(false);
});

test('the SRT port belongs to the ingest if there is one', async () => {
  const srt = { srtPort: 9000, srtUrl: 'srt://localhost:9001' };
  const withSrt = { ...thisNodeCtx, settings: { ...thisNodeCtx.settings, ...srt } };
  const isOwn = (address: string, port: number) => isOwnIngest({ address, port }, withSrt);
  expect(await isOwn('127.0.0.1', 9000)).toBe(true);
  expect(await isOwn('127.0.0.1', 9001)).toBe(true);
  expect(await isOwn('203.0.113.9', 9000)).toBe(false);
});

test('without the database, this node knows its own ingest', async () => {
  const failingTable = { findMany: () => Promise.reject(new Error('the database is unavailable')) };
  const offlineCtx = { ...thisNodeCtx, db: { node: failingTable } as unknown as typeof db };
  expect(await isOwnIngest({ address: '127.0.0.1', port: 4443 }, offlineCtx)).toBe(true);
  expect(await isOwnIngest({ address: '192.0.2.10', port: 1935 }, offlineCtx)).toBe(false);
});
