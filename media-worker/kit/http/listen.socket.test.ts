import { connect } from 'node:net';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { createLogger } from '@/lib/infra/logger';
import { errorAnswer, jsonAnswer, send } from './answer';
import { pathOf } from './request-url';
import { listen } from './listen';

const options = {
  host: '127.0.0.1',
  port: 0,
  maxConnections: 10,
  log: createLogger('test', 'silent'),
};

test('a handler that throws fails only its own request', async () => {
  const server = await listen((request, response) => {
    if (request.url === '/bad') throw new Error('no');
    send(response, jsonAnswer(200, { ok: true }));
  }, options);
  const url = `http://127.0.0.1:${server.port}`;
  await expect(fetch(`${url}/bad`)).rejects.toThrow();
  expect(await (await fetch(`${url}/good`)).json()).toEqual({ ok: true });
  await server.close();
});

test('listen rejects for a port in use', async () => {
  const server = await listen((_, response) => response.end(), options);
  await expect(listen((_, response) => response.end(), { ...options, port: server.port })).rejects.toThrow(
    'EADDRINUSE',
  );
  await server.close();
});

test('connections above the limit are rejected', async () => {
  const server = await listen((_, response) => response.end(), { ...options, maxConnections: 1 });
  const allowedSocket = connect(server.port, '127.0.0.1');
  await once(allowedSocket, 'connect');
  const excessSocket = connect(server.port, '127.0.0.1');
  excessSocket.on('error', () => undefined);
  await once(excessSocket, 'close');
  allowedSocket.destroy();
  await server.close();
});

test('an error response is JSON with a list of messages, and must not be cached', () => {
  const { status, headers, body } = errorAnswer(404, 'Nothing here.', { 'Retry-After': 1 });
  expect([status, headers]).toEqual([
    404,
    { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', 'Retry-After': 1 },
  ]);
  expect(body?.map(String)).toEqual(['{"errors":["Nothing here."]}']);
});

test.each([
  ['/a/b?c=d?e', '/a/b'],
  ['?', ''],
  [undefined, ''],
])('the path of the request target %s has no query', (target, path) => {
  expect(pathOf(target)).toBe(path);
});
