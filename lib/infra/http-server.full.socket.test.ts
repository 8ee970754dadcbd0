import { expect, test } from 'vitest';
import { setUpHttpServers } from '@/lib/infra/testing/http-servers';
import { createHttpServer } from './http-server';

const limits = { maxConnections: 10, requestTimeoutMs: 0 };
const { start, sendText } = setUpHttpServers();

test('incomplete headers time out, even without a timeout for bodies', async () => {
  const port = await start(createHttpServer((_, response) => response.end(), limits));
  const startedAt = performance.now();
  expect(await sendText(port, 'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ')).toMatch(/^HTTP\/1\.1 408 /);
  // Node's default check every 30 s would take up to 35 s.
  expect(performance.now() - startedAt).toBeLessThan(25_000);
});
