import { expect, test } from 'vitest';
import type { Clock } from './clock';
import { createNodeSignatures } from './node-signatures';
import { createSecrets } from './secrets';

const startMs = Date.parse('2026-01-01T00:00:00Z');

function createNode({ appSecret = 'one secret of thirty-two characters', clockAheadMs = 0 } = {}) {
  const time = { ms: startMs + clockAheadMs };
  const clock: Clock = { now: () => new Date(time.ms), monotonic: () => time.ms };
  return { time, ...createNodeSignatures(createSecrets(appSecret), clock) };
}

const receiver = 'http://10.0.0.1:9000';
const readRequest = { receiver, method: 'GET', path: '/abcd1234efgh5678/source/index.m3u8?_HLS_msn=7' };
const writeRequest = { receiver, method: 'POST', path: '/yield', body: Buffer.from('{"streamId":"1"}') };

test('a request of a node of the same installation is accepted, even if its clock differs by half a minute', () => {
  const [firstNode, otherNode] = [createNode(), createNode({ clockAheadMs: 30_000 })];
  expect(otherNode.accepts(readRequest, firstNode.sign(readRequest))).toBe(true);
  expect(firstNode.accepts(writeRequest, otherNode.sign(writeRequest))).toBe(true);
});

test.each([
  ['another process of the machine', { ...readRequest, receiver: 'http://10.0.0.1:9001' }],
  ['another machine', { ...readRequest, receiver: 'http://10.0.0.2:9000' }],
  ['another method', { ...readRequest, method: 'HEAD' }],
  ['another path', { ...readRequest, path: '/abcd1234efgh5678/source/index.m3u8' }],
  ['an added body', { ...readRequest, body: Buffer.from('x') }],
])('a signature is invalid for %s', (_, changed) => {
  expect(createNode().accepts(changed, createNode().sign(readRequest))).toBe(false);
});

test('a signature is invalid for another body', () => {
  expect(
    createNode().accepts(
      { ...writeRequest, body: Buffer.from('{"streamId":"2"}') },
      createNode().sign(writeRequest),
    ),
  ).toBe(false);
});

test('a signature under another APP_SECRET is invalid', () => {
  const otherNode = createNode({ appSecret: 'two secrets of thirty-two characters' });
  expect(createNode().accepts(readRequest, otherNode.sign(readRequest))).toBe(false);
});

test.each([undefined, '', 'x', 't=1,n=2,s=3', `t=${startMs},n=${'0'.repeat(16)},s=${'0'.repeat(64)}`])(
  'a request with the signature %j is rejected',
  (signature) => {
    expect(createNode().accepts(readRequest, signature)).toBe(false);
  },
);

test('the receiver is the origin of its URL, in any spelling', () => {
  const signature = createNode().sign({ ...writeRequest, receiver: 'HTTP://Node1.internal:80/yield?x' });
  expect(createNode().accepts({ ...writeRequest, receiver: 'http://node1.internal' }, signature)).toBe(true);
});

test('a write that one process accepted is rejected by another', () => {
  const signature = createNode().sign(writeRequest);
  expect(createNode().accepts(writeRequest, signature)).toBe(true);
  expect(createNode().accepts({ ...writeRequest, receiver: 'http://10.0.0.1:9001' }, signature)).toBe(false);
});

test('a signature is valid for a minute', () => {
  const firstNode = createNode();
  const signature = firstNode.sign(readRequest);
  firstNode.time.ms += 60_000;
  expect(firstNode.accepts(readRequest, signature)).toBe(true);
  firstNode.time.ms += 1;
  expect(firstNode.accepts(readRequest, signature)).toBe(false);
});

test('a write is accepted once, a read repeatedly', () => {
  const firstNode = createNode();
  const [readSignature, writeSignature] = [firstNode.sign(readRequest), firstNode.sign(writeRequest)];
  expect([
    firstNode.accepts(readRequest, readSignature),
    firstNode.accepts(readRequest, readSignature),
  ]).toEqual([true, true]);
  expect([
    firstNode.accepts(writeRequest, writeSignature),
    firstNode.accepts(writeRequest, writeSignature),
  ]).toEqual([true, false]);
  expect(firstNode.accepts(writeRequest, firstNode.sign(writeRequest))).toBe(true);
});
