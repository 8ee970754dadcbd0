import { connect } from 'node:net';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { createLogger } from '@/lib/infra/logger';
import { listen } from './listen';

const options = {
  host: '127.0.0.1',
  port: 0,
  maxConnections: 10,
  log: createLogger('test', 'silent'),
};

test('close does not wait for idle connections, and only a second for endless responses', async () => {
  const server = await listen((request, response) => {
    if (request.url === '/idle') response.end();
  }, options);
  const sockets = ['/idle', '/never'].map((path) => {
    const socket = connect(server.port, '127.0.0.1');
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    return socket;
  });
  await once(sockets[0] as NodeJS.EventEmitter, 'data');
  const startedAt = performance.now();
  await Promise.all([server.close(), server.close()]);
  // The timeouts of such connections are at least 15 s.
  expect(performance.now() - startedAt).toBeLessThan(10_000);
  sockets.forEach((socket) => socket.destroy());
});
