import { createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { buffer } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { openEgress } from './egress';

const body = Buffer.alloc(3_000_000, 'a');
let answer: (socket: Socket) => void = () => undefined;
const server = createServer((socket) => {
  socket.on('error', () => undefined);
  socket.once('data', () => answer(socket));
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
const egress = openEgress({ allowCidrs: ['127.0.0.1/32'] });
afterAll(async () => {
  await egress.close();
  server.close();
});

const head = (...lines: string[]) => `HTTP/1.1 200 OK\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n`;
const chunkedBody = Buffer.concat([
  Buffer.from(`${body.length.toString(16)}\r\n`),
  body,
  Buffer.from('\r\n0\r\n\r\n'),
]);

/** Reads a body after a delay, so that the connection ends first. */
async function readLate(): Promise<Buffer> {
  const reply = await egress.fetch(url, { maxReplyBytes: 10_000_000 });
  await delay(150);
  return buffer(reply.body);
}

test.each([
  ['a length', head('Connection: close', `Content-Length: ${body.length}`), body],
  ['chunks', head('Connection: close', 'Transfer-Encoding: chunked'), chunkedBody],
  ['its end', head('Connection: close'), body],
])('a body with %s is complete, even if its connection ended before it was read', async (_, start, bytes) => {
  answer = (socket) => {
    socket.write(start);
    socket.end(bytes);
  };
  for (let round = 0; round < 5; round++) expect((await readLate()).equals(body)).toBe(true);
});

test.each([
  ['ends', (socket: Socket) => socket.end(body.subarray(0, 1_000_000))],
  ['is reset', (socket: Socket) => socket.write(body.subarray(0, 1_000_000), () => socket.resetAndDestroy())],
])('a body whose connection %s too early is an error, and does not end the process', async (_, end) => {
  answer = (socket) => {
    socket.write(head('Connection: close', `Content-Length: ${body.length}`));
    end(socket);
  };
  for (let round = 0; round < 5; round++) await expect(readLate()).rejects.toThrow();
});

test('a body that is never read does not end the process', async () => {
  answer = (socket) => socket.end(Buffer.concat([Buffer.from(head('Connection: close')), body]));
  const reply = await egress.fetch(url, { maxReplyBytes: 10_000_000 });
  await delay(150);
  reply.body.destroy();
  await delay(50);
});
