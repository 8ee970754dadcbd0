import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { readLimitedBody } from './proxy-request';
import { Upstream } from './upstream';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function startUpstream(answer: (response: ServerResponse) => void): Promise<Upstream> {
  const server = createServer((_, response) => answer(response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const upstream = new Upstream(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {
    bodyIdleTimeoutMs: 100,
  });
  closers.push(() => {
    upstream.close();
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return upstream;
}

const stall = (response: ServerResponse) => void response.write('a');
const breakOff = (response: ServerResponse) => response.write('a', () => response.destroy());

describe('a body of the upstream', () => {
  const waysToRead = [
    [
      'with a limit',
      async (upstream: Upstream) => readLimitedBody(await upstream.open('/', { headers: {} })),
    ],
    ['without a limit', (upstream: Upstream) => upstream.fetch('/', { headers: {} })],
  ] as const;

  test.each(waysToRead)('that stalls is a timeout: read %s', async (_, read) => {
    await expect(read(await startUpstream(stall))).rejects.toMatchObject({ kind: 'timeout' });
  });

  test.each(waysToRead)(
    'that breaks off means that the upstream is unreachable: read %s',
    async (_, read) => {
      await expect(read(await startUpstream(breakOff))).rejects.toMatchObject({ kind: 'unreachable' });
    },
  );

  test('that is larger than 64 KiB is rejected as too large', async () => {
    const upstream = await startUpstream((response) => response.end(Buffer.alloc(65 * 1024)));
    const response = await upstream.open('/', { headers: {} });
    await expect(readLimitedBody(response)).rejects.toMatchObject({ kind: 'too_large' });
  });
});
