import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { expect, test, vi } from 'vitest';
import { RenditionSocket } from './rendition-socket';

const open = async () => {
  const read: string[] = [];
  const end = vi.fn();
  const socket = await RenditionSocket.open({ data: (chunk) => read.push(chunk.toString()), end });
  return { socket, end, text: () => read.join('') };
};

test('takes one connection, to its end, and leaves no file behind', async () => {
  const { socket, end, text } = await open();
  expect(existsSync(socket.path)).toBe(true);
  connect(socket.path).end('media');
  await expect.poll(() => end).toHaveBeenCalledTimes(1);
  expect(text()).toBe('media');
  expect(existsSync(socket.path)).toBe(false);
  socket.close();
  expect(end).toHaveBeenCalledTimes(1);
});

test('closed before anybody came, ends once and is gone', async () => {
  const { socket, end } = await open();
  socket.close();
  socket.close();
  expect(end).toHaveBeenCalledTimes(1);
  await expect.poll(() => existsSync(socket.path)).toBe(false);
});

test('closed in the middle, breaks the connection', async () => {
  const { socket, text } = await open();
  const client = connect(socket.path);
  const broken = vi.fn();
  client.on('close', broken).on('error', () => undefined);
  client.write('me');
  await expect.poll(() => text()).toBe('me');
  socket.close();
  await expect.poll(() => broken).toHaveBeenCalled();
});

test('each has a path of its own, short enough for a socket', async () => {
  const [one, other] = [await open(), await open()];
  expect(one.socket.path).not.toBe(other.socket.path);
  expect(one.socket.path.length).toBeLessThan(100);
  one.socket.close();
  other.socket.close();
});
