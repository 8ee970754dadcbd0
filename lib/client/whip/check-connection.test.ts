import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { checkConnection } from './check-connection';
import { stubBrowser } from './testing/fake-browser';

const endpoint = { url: 'https://media.example/webrtc', streamKey: 'abcd-ef12-3456-7890' };
const remoteAddress = { address: '203.0.113.9', port: 8189 };
let browser: ReturnType<typeof stubBrowser>;

beforeEach(() => {
  vi.useFakeTimers();
  browser = stubBrowser();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** @param setUpPeer sets what the browser reports once it is connected; without it, the peer never connects */
async function runCheck(setUpPeer?: (peer: (typeof browser.peers)[number]) => void) {
  const findings = checkConnection(endpoint, new AbortController().signal);
  await vi.advanceTimersByTimeAsync(0);
  const peer = browser.peers.at(-1);
  if (peer && setUpPeer) {
    setUpPeer(peer);
    peer.setConnectionState('connected');
  }
  await vi.advanceTimersByTimeAsync(10_000);
  return findings;
}

/** The candidate is in the SDP answer of the fake browser. */
const expectedFindings = { url: 'https://media.example', status: 201, candidates: ['203.0.113.7:8189'] };

test('the server address is read from the selected candidate pair', async () => {
  const selectedPair = { local: { type: 'relay' }, remote: remoteAddress };
  const findings = await runCheck(({ senders: [sender] }) => {
    if (sender) sender.transport = { iceTransport: { getSelectedCandidatePair: () => selectedPair } };
  });
  expect(findings).toEqual({ ...expectedFindings, connected: '203.0.113.9:8189', relayed: true });
  expect(browser.requests.map(({ method }) => method)).toEqual(['HEAD', 'POST', 'DELETE']);
});

test('the server address is read from the statistics if the browser reports no selected pair', async () => {
  const findings = await runCheck((peer) => {
    peer.stats = [
      ['p', { type: 'candidate-pair', state: 'succeeded', remoteCandidateId: 'c' }],
      ['c', { type: 'remote-candidate', ...remoteAddress }],
    ];
  });
  expect(findings).toEqual({ ...expectedFindings, connected: '203.0.113.9:8189', relayed: false });
});

test('a connection without a reported pair names the first candidate of the server', async () => {
  expect(await runCheck(() => undefined)).toEqual({ ...expectedFindings, connected: '203.0.113.7:8189' });
});

test('a peer that does not connect within eight seconds is reported as not connected', async () => {
  expect(await runCheck()).toEqual({ ...expectedFindings, connected: null });
});

test('a rejected offer reports its status, and a missing response reports no status', async () => {
  browser.answer = () => new Response(null, { status: 404 });
  expect(await runCheck()).toMatchObject({ status: 404, connected: null });
  browser.answer = () => {
    throw new TypeError('network');
  };
  expect(await runCheck()).toMatchObject({ status: null });
});
