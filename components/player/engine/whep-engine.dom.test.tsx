import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { EngineEvents } from './engine';
import { WhepEngine } from './whep-engine';

/** A peer connection whose state the test controls. */
class FakePeer extends EventTarget {
  /** The peer connection that was created last. */
  static last: FakePeer;
  connectionState = 'new';
  stats: [string, object][] = [];
  readonly setRemoteDescription = vi.fn(() => Promise.resolve());
  readonly close = vi.fn();
  readonly setConfiguration = vi.fn();

  constructor() {
    super();
    FakePeer.last = this;
  }

  addTransceiver(): void {
    // The received tracks do not matter in these tests.
  }
  createOffer() {
    return Promise.resolve({ sdp: 'v=0\r\na=rtpmap:111 opus/48000/2\r\na=fmtp:111 minptime=10\r\n' });
  }
  readonly setLocalDescription = vi.fn(() => Promise.resolve());
  getStats() {
    return Promise.resolve(new Map(this.stats));
  }
  setConnectionState(state: string): void {
    this.connectionState = state;
    this.dispatchEvent(new Event('connectionstatechange'));
  }
}

const url = 'https://cdn.example/webrtc/abcd1234efgh5678';
const requests: { method: string; url: string; body: string }[] = [];
let respond: () => Response;

beforeEach(() => {
  vi.useFakeTimers();
  requests.length = 0;
  respond = () => new Response('answer', { status: 201, headers: { Location: '/webrtc/session/x' } });
  vi.stubGlobal('RTCPeerConnection', FakePeer);
  vi.stubGlobal('MediaStream', vi.fn());
  vi.stubGlobal(
    'fetch',
    (requestUrl: string, { method = 'GET', body = '' }: { method?: string; body?: string } = {}) => {
      requests.push({ method, url: requestUrl, body });
      return Promise.resolve(method === 'POST' ? respond() : new Response(null, { status: 200 }));
    },
  );
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Starts an engine. `reports` are its reasons for a loss or for using HLS. */
function startEngine() {
  const reports: string[] = [];
  const ignore = () => undefined;
  const events: EngineEvents = {
    renditions: ignore,
    rendition: ignore,
    audioTracks: ignore,
    fatalError: ignore,
    recovered: ignore,
    sourceLost: (reason) => reports.push(`lost ${reason}`),
    fellBack: (reason) => reports.push(reason),
  };
  const video = document.createElement('video');
  // happy-dom accepts only its own streams here.
  Object.defineProperty(video, 'srcObject', { value: null, writable: true });
  const engine = new WhepEngine(video, url, events);
  engine.start();
  return { engine, reports, video };
}

const createInboundStats = (bytesReceived: number): [string, object][] => [
  ['v', { type: 'inbound-rtp', kind: 'video', timestamp: 1, bytesReceived }],
];

test('the TURN servers of the answer are set before candidates are gathered', async () => {
  const Link = '<turn:turn.example:3478>; rel="ice-server"; username="1"; credential="x"';
  respond = () => new Response('answer', { status: 201, headers: { Link, Location: '/webrtc/session/x' } });
  const { engine } = startEngine();
  await vi.advanceTimersByTimeAsync(10);
  const { setConfiguration, setLocalDescription } = FakePeer.last;
  expect(setConfiguration).toHaveBeenCalledWith({
    iceServers: [{ urls: 'turn:turn.example:3478', username: '1', credential: 'x' }],
  });
  expect(setLocalDescription.mock.invocationCallOrder[0]).toBeGreaterThan(
    setConfiguration.mock.invocationCallOrder[0] ?? Infinity,
  );
  engine.destroy();
});

test('without a connection within three seconds, HLS is used and the WebRTC session is ended', async () => {
  const { reports } = startEngine();
  await vi.advanceTimersByTimeAsync(2_900);
  expect(reports).toEqual([]);
  await vi.advanceTimersByTimeAsync(200);
  expect(reports).toEqual(['udp']);
  expect(requests.map(({ method, url: requestUrl }) => `${method} ${requestUrl}`)).toEqual([
    `POST ${url}`,
    'DELETE https://cdn.example/webrtc/session/x',
  ]);
  expect(FakePeer.last.close).toHaveBeenCalled();
});

test.each([
  [406, '{"reason":"b_frames"}', 'b_frames'],
  [503, '{}', 'unavailable'],
  [404, '{}', 'lost unreachable'],
])('a response with status %i and body %s is reported as %s', async (status, body, expected) => {
  respond = () => new Response(body, { status });
  const { reports } = startEngine();
  await vi.advanceTimersByTimeAsync(1);
  expect(reports).toEqual([expected]);
});

test('HLS is used if the server does not respond', async () => {
  respond = () => {
    throw new TypeError('network');
  };
  const { reports } = startEngine();
  await vi.advanceTimersByTimeAsync(1);
  expect(reports).toEqual(['unavailable']);
});

test('a connection counts as lost within three seconds of its last packets', async () => {
  const { reports, engine, video } = startEngine();
  await vi.advanceTimersByTimeAsync(1);
  FakePeer.last.setConnectionState('connected');
  video.dispatchEvent(new Event('loadeddata'));
  for (let bytes = 1; bytes < 10; bytes++) {
    FakePeer.last.stats = createInboundStats(bytes * 1_000);
    await vi.advanceTimersByTimeAsync(500);
  }
  expect(reports).toEqual([]);
  expect(engine.facts().name).toBe('WebRTC');
  await vi.advanceTimersByTimeAsync(3_000);
  expect(reports).toEqual(['lost unreachable']);
});

test('the offer requests stereo Opus', async () => {
  startEngine();
  await vi.advanceTimersByTimeAsync(1);
  expect(requests[0]?.body).toContain('a=fmtp:111 minptime=10;stereo=1');
});
