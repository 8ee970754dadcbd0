import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { expect, test, vi } from 'vitest';
import { RenditionSocket } from './rendition-socket';

const openSocket = async () => {
  const chunks: string[] = [];
  const onEnd = vi.fn();
  const socket = await RenditionSocket.open({
    onData: (chunk) => chunks.push(chunk.toString()),
    onEnd,
  });
  return { socket, onEnd, text: () => chunks.join('') };
};

test('a socket accepts one connection until its end, and leaves no file behind', async () => {
  const { socket, onEnd, text } = await openSocket();
  expect(existsSync(socket.path)).toBe(true);
  connect(socket.path).end('media');
  await expect.poll(() => onEnd).toHaveBeenCalledTimes(1);
  expect(text()).toBe('media');
  expect(existsSync(socket.path)).toBe(false);
  socket.close();
  expect(onEnd).toHaveBeenCalledTimes(1);
});

test('a socket that is closed before a connection ends once and removes its file', async () => {
  const { socket, onEnd } = await openSocket();
  socket.close();
  socket.close();
  expect(onEnd).toHaveBeenCalledTimes(1);
  await expect.poll(() => existsSync(socket.path)).toBe(false);
});

test('a socket that is closed during a connection breaks the connection', async () => {
  const { socket, text } = await openSocket();
  const client = connect(socket.path);
  const onBroken = vi.fn();
  client.on('close', onBroken).on('error', () => undefined);
  client.write('me');
  await expect.poll(() => text()).toBe('me');
  socket.close();
  await expect.poll(() => onBroken).toHaveBeenCalled();
});

test('each socket has a separate path, short enough for a Unix socket', async () => {
  const [firstSocket, secondSocket] = [await openSocket(), await openSocket()];
  expect(firstSocket.socket.path).not.toBe(secondSocket.socket.path);
  expect(firstSocket.socket.path.length).toBeLessThan(100);
  firstSocket.socket.close();
  secondSocket.socket.close();
});
