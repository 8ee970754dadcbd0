import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { checkConnection } from './check-connection';
import { fakeBrowser } from './testing/fake-browser';

const endpoint = { url: 'https://media.example/webrtc', streamKey: 'abcd-ef12-3456-7890' };
const remote = { address: '203.0.113.9', port: 8189 };
let browser: ReturnType<typeof fakeBrowser>;

beforeEach(() => {
  vi.useFakeTimers();
  browser = fakeBrowser();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** @param prepare sets what the browser reports once it is connected; without it, the peer never connects */
async function check(prepare?: (peer: (typeof browser.peers)[number]) => void) {
  const findings = checkConnection(endpoint, new AbortController().signal);
  await vi.advanceTimersByTimeAsync(0);
  const peer = browser.peers.at(-1);
  if (peer && prepare) {
    prepare(peer);
    peer.setConnectionState('connected');
  }
  await vi.advanceTimersByTimeAsync(10_000);
  return findings;
}

const base = { url: 'https://media.example', status: 201, candidates: ['203.0.113.7:8189'] };

test('the server address is read from the selected candidate pair', async () => {
  const selected = { local: { type: 'relay' }, remote };
  const findings = await check(({ senders: [sender] }) => {
    if (sender) sender.transport = { iceTransport: { getSelectedCandidatePair: () => selected } };
  });
  expect(findings).toEqual({ ...base, connected: '203.0.113.9:8189', relayed: true });
  expect(browser.requests.map(({ method }) => method)).toEqual(['HEAD', 'POST', 'DELETE']);
});

test('the server address is read from the statistics if the browser reports no selected pair', async () => {
  const findings = await check((peer) => {
    peer.stats = [
      ['p', { type: 'candidate-pair', state: 'succeeded', remoteCandidateId: 'c' }],
      ['c', { type: 'remote-candidate', ...remote }],
    ];
  });
  expect(findings).toEqual({ ...base, connected: '203.0.113.9:8189', relayed: false });
});

test('a connection without a reported pair names the first candidate of the server', async () => {
  expect(await check(() => undefined)).toEqual({ ...base, connected: '203.0.113.7:8189' });
});

test('a peer that does not connect within eight seconds is reported as not connected', async () => {
  expect(await check()).toEqual({ ...base, connected: null });
});

test('a rejected offer reports its status, and a missing response reports no status', async () => {
  browser.answer = () => new Response(null, { status: 404 });
  expect(await check()).toMatchObject({ status: 404, connected: null });
  browser.answer = () => {
    throw new TypeError('network');
  };
  expect(await check()).toMatchObject({ status: null });
});
