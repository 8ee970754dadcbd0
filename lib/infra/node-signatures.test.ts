import { expect, test } from 'vitest';
import type { Clock } from './clock';
import { createNodeSignatures } from './node-signatures';
import { createSecrets } from './secrets';

const start = Date.parse('2026-01-01T00:00:00Z');

function node({ appSecret = 'one secret of thirty-two characters', aheadMs = 0 } = {}) {
  const time = { ms: start + aheadMs };
  const clock: Clock = { now: () => new Date(time.ms), monotonic: () => time.ms };
  return { time, ...createNodeSignatures(createSecrets(appSecret), clock) };
}

const receiver = 'http://10.0.0.1:9000';
const read = { receiver, method: 'GET', path: '/abcd1234efgh5678/source/index.m3u8?_HLS_msn=7' };
const write = { receiver, method: 'POST', path: '/yield', body: Buffer.from('{"streamId":"1"}') };

test('a request of a node of the same installation is accepted, even if its clock differs by half a minute', () => {
  const [firstNode, otherNode] = [node(), node({ aheadMs: 30_000 })];
  expect(otherNode.accepts(read, firstNode.sign(read))).toBe(true);
  expect(firstNode.accepts(write, otherNode.sign(write))).toBe(true);
});

test.each([
  ['another process of the machine', { ...read, receiver: 'http://10.0.0.1:9001' }],
  ['another machine', { ...read, receiver: 'http://10.0.0.2:9000' }],
  ['another method', { ...read, method: 'HEAD' }],
  ['another path', { ...read, path: '/abcd1234efgh5678/source/index.m3u8' }],
  ['a body', { ...read, body: Buffer.from('x') }],
])('a signature is invalid for %s', (_, changed) => {
  expect(node().accepts(changed, node().sign(read))).toBe(false);
});

test('a signature is invalid for another body', () => {
  expect(node().accepts({ ...write, body: Buffer.from('{"streamId":"2"}') }, node().sign(write))).toBe(false);
});

test('a signature under another APP_SECRET is invalid', () => {
  const otherNode = node({ appSecret: 'two secrets of thirty-two characters' });
  expect(node().accepts(read, otherNode.sign(read))).toBe(false);
});

test.each([undefined, '', 'x', 't=1,n=2,s=3', `t=${start},n=${'0'.repeat(16)},s=${'0'.repeat(64)}`])(
  '%j is not a signature',
  (signature) => {
    expect(node().accepts(read, signature)).toBe(false);
  },
);

test('the receiver is the origin of its URL, however it is written', () => {
  const signature = node().sign({ ...write, receiver: 'HTTP://Node1.internal:80/yield?x' });
  expect(node().accepts({ ...write, receiver: 'http://node1.internal' }, signature)).toBe(true);
});

test('a write that one process accepted is rejected by another', () => {
  const signature = node().sign(write);
  expect(node().accepts(write, signature)).toBe(true);
  expect(node().accepts({ ...write, receiver: 'http://10.0.0.1:9001' }, signature)).toBe(false);
});

test('a signature is valid for a minute', () => {
  const firstNode = node();
  const signature = firstNode.sign(read);
  firstNode.time.ms += 60_000;
  expect(firstNode.accepts(read, signature)).toBe(true);
  firstNode.time.ms += 1;
  expect(firstNode.accepts(read, signature)).toBe(false);
});

test('a write is accepted once, a read repeatedly', () => {
  const firstNode = node();
  const [readSignature, writeSignature] = [firstNode.sign(read), firstNode.sign(write)];
  expect([firstNode.accepts(read, readSignature), firstNode.accepts(read, readSignature)]).toEqual([
    true,
    true,
  ]);
  expect([firstNode.accepts(write, writeSignature), firstNode.accepts(write, writeSignature)]).toEqual([
    true,
    false,
  ]);
  expect(firstNode.accepts(write, firstNode.sign(write))).toBe(true);
});
