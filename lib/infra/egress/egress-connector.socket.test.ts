import { createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { buffer } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { openEgress } from './egress';

const body = Buffer.alloc(3_000_000, 'a');
let writeResponse: (socket: Socket) => void = () => undefined;
const server = createServer((socket) => {
  socket.on('error', () => undefined);
  socket.once('data', () => writeResponse(socket));
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
const egress = openEgress({ allowCidrs: ['127.0.0.1/32'] });
afterAll(async () => {
  await egress.close();
  server.close();
});

const responseHead = (...lines: string[]) =>
  `HTTP/1.1 200 OK\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n`;
const chunkedBody = Buffer.concat([
  Buffer.from(`${body.length.toString(16)}\r\n`),
  body,
  Buffer.from('\r\n0\r\n\r\n'),
]);

/** Repetitions of each case, because the crash of undici that these tests guard against depends on timing. */
const ROUNDS = 5;

/** Reads a body after a delay, so that the connection ends first. */
async function readAfterDelay(): Promise<Buffer> {
  const reply = await egress.fetch(url, { maxReplyBytes: 10_000_000 });
  await delay(150);
  return buffer(reply.body);
}

test.each([
  ['a Content-Length', responseHead('Connection: close', `Content-Length: ${body.length}`), body],
  ['chunked encoding', responseHead('Connection: close', 'Transfer-Encoding: chunked'), chunkedBody],
  ['no length, which ends with the connection,', responseHead('Connection: close'), body],
])('a body with %s is complete, even if its connection ended before it was read', async (_, head, bytes) => {
  writeResponse = (socket) => {
    socket.write(head);
    socket.end(bytes);
  };
  for (let round = 0; round < ROUNDS; round++) expect((await readAfterDelay()).equals(body)).toBe(true);
});

test.each([
  ['ends', (socket: Socket) => socket.end(body.subarray(0, 1_000_000))],
  ['is reset', (socket: Socket) => socket.write(body.subarray(0, 1_000_000), () => socket.resetAndDestroy())],
])(
  'reading a body whose connection %s too early fails, and does not end the process',
  async (_, endEarly) => {
    writeResponse = (socket) => {
      socket.write(responseHead('Connection: close', `Content-Length: ${body.length}`));
      endEarly(socket);
    };
    for (let round = 0; round < ROUNDS; round++) await expect(readAfterDelay()).rejects.toThrow();
  },
);

// There is no expectation: Vitest reports an uncaught error as a failure.
test('a body that is never read does not end the process', async () => {
  writeResponse = (socket) =>
    socket.end(Buffer.concat([Buffer.from(responseHead('Connection: close')), body]));
  const reply = await egress.fetch(url, { maxReplyBytes: 10_000_000 });
  await delay(150);
  reply.body.destroy();
  await delay(50);
});
