import { randomBytes } from 'node:crypto';
import { type Socket, connect } from 'node:net';
import { Readable } from 'node:stream';
import { afterEach, expect, test } from 'vitest';
import { createLogger } from '@/lib/infra/logger';
import { type Answer, send } from './answer';
import { type HttpServer, listen } from './listen';
import { SlowReaders } from './slow-readers';

const MEBIBYTE = 2 ** 20;
const log = createLogger('test', 'silent');
const sockets = new Set<Socket>();
let server: HttpServer | null = null;

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  await server?.close();
});

async function serve(answer: () => Answer, limits = { perAddress: 16 * MEBIBYTE, total: 64 * MEBIBYTE }) {
  const readers = new SlowReaders(limits);
  const sentBytes: number[] = [];
  server = await listen(
    (_request, response) =>
      send(response, answer(), { readers, onSent: (bytes) => void sentBytes.push(bytes) }),
    { host: '127.0.0.1', port: 0, maxConnections: 1_000, log },
  );
  return { readers, sentBytes, url: `http://127.0.0.1:${server.port}/`, port: server.port };
}

/** Requests a file and stops reading after the first bytes. */
function startSlowReader(port: number): void {
  const socket = connect(port, '127.0.0.1');
  sockets.add(socket);
  socket.once('data', () => socket.pause());
  socket.once('error', () => undefined);
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
}

const streamInChunks = (bytes: Buffer) =>
  Readable.from(
    Array.from({ length: Math.ceil(bytes.length / 65_536) }, (_, n) =>
      bytes.subarray(n * 65_536, (n + 1) * 65_536),
    ),
    { objectMode: false },
  );

const bodies: [string, (bytes: Buffer) => Answer][] = [
  ['in memory', (bytes) => ({ status: 200, body: [bytes.subarray(0, 1_000), bytes.subarray(1_000)] })],
  [
    'that are streamed',
    (bytes) => ({
      status: 200,
      stream: { bytes: bytes.length, open: () => Promise.resolve(streamInChunks(bytes)) },
    }),
  ],
];

test.each(bodies)(
  'each reader gets all bytes of bodies %s, and they are counted once for each',
  async (_name, answerWith) => {
    const bytes = randomBytes(2 * MEBIBYTE + 7);
    const { readers, sentBytes, url } = await serve(() => answerWith(bytes));
    const answers = await Promise.all(
      Array.from({ length: 8 }, async () => Buffer.from(await (await fetch(url)).arrayBuffer())),
    );
    expect(answers.every((answer) => answer.equals(bytes))).toBe(true);
    await expect.poll(() => sentBytes).toEqual(Array(8).fill(bytes.length));
    expect(readers.bytes).toBe(0);
  },
);

test('slow readers of separate bodies hold no more memory than the limit', async () => {
  const { readers, port, sentBytes } = await serve(() => ({
    status: 200,
    body: [Buffer.alloc(8 * MEBIBYTE)],
  }));
  Array.from({ length: 20 }, () => startSlowReader(port));
  // Two bodies of 8 MiB fit into the limit of an address, so all other readers are disconnected.
  await expect.poll(() => sentBytes.length).toBe(18);
  expect(readers.bytes).toBe(16 * MEBIBYTE);
  expect(sentBytes.every((bytes) => bytes < 8 * MEBIBYTE)).toBe(true);
});

test('a body that many slow readers share counts once, and a fast reader is served meanwhile', async () => {
  const body = [Buffer.alloc(12 * MEBIBYTE)];
  const { readers, port, url, sentBytes } = await serve(() => ({ status: 200, body }));
  Array.from({ length: 50 }, () => startSlowReader(port));
  await expect.poll(() => readers.bytes).toBe(12 * MEBIBYTE);
  expect((await (await fetch(url)).arrayBuffer()).byteLength).toBe(12 * MEBIBYTE);
  expect(sentBytes.filter((bytes) => bytes < 12 * MEBIBYTE)).toEqual([]);
});
