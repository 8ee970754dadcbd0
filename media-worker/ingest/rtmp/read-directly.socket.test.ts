import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { readDirectly } from './read-directly';

const server = createServer();
afterEach(() => void server.close());

async function socketPair(): Promise<{ readonly client: Socket; readonly socket: Socket }> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [socket] = (await once(server, 'connection')) as [Socket];
  return { client, socket };
}

test('bytes before and after the call arrive once, in order, and then the end', async () => {
  const { client, socket } = await socketPair();
  const queued: string[] = [];
  const direct: string[] = [];
  const all = () => [...queued, ...direct].join('');
  const until = async (text: string) => {
    while (all() !== text) await new Promise((resolve) => setImmediate(resolve));
  };
  socket.on('data', (data: Buffer) => void queued.push(data.toString()));
  client.write('one ');
  await until('one ');

  socket.pause();
  client.write('two ');
  while (socket.readableLength === 0) await new Promise((resolve) => setImmediate(resolve));
  readDirectly(socket, (data) => void direct.push(data.toString()));
  await until('one two ');
  expect(direct).toEqual([]);

  client.write('three');
  await until('one two three');
  expect(direct).toEqual(['three']);

  client.end();
  await once(socket, 'close');
  expect(all()).toBe('one two three');
});
