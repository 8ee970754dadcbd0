import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Publisher } from './publisher';
import { stubBrowser, type FakePeer } from './testing/fake-browser';

const endpoint = { url: 'https://media.example/webrtc', streamKey: 'abcd-ef12-3456-7890' };
let browser: ReturnType<typeof stubBrowser>;

beforeEach(() => {
  vi.useFakeTimers();
  browser = stubBrowser();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const advance = (ms = 0) => vi.advanceTimersByTimeAsync(ms);
const lastPeer = (): FakePeer => {
  const peer = browser.peers.at(-1);
  if (!peer) throw new Error('there is no connection');
  return peer;
};
const stateOf = (publisher: Publisher) => publisher.snapshot().state;

async function startPreview(): Promise<Publisher> {
  const publisher = new Publisher();
  await publisher.openCameraAndMicrophone();
  return publisher;
}

async function startLivePublisher(): Promise<Publisher> {
  const publisher = await startPreview();
  publisher.goLive(endpoint);
  await advance();
  lastPeer().setConnectionState('connected');
  return publisher;
}

const createVideoStats = (timestamp: number, bytesSent: number): [string, object][] => [
  ['v', { type: 'outbound-rtp', kind: 'video', timestamp, bytesSent }],
];

test('camera and microphone are previewed, published with the stream key as bearer token, and closed', async () => {
  const publisher = await startPreview();
  expect(publisher.snapshot()).toMatchObject({ state: 'previewing', source: 'camera', hasMicrophone: true });
  expect(publisher.snapshot().cameras.map(({ id }) => id)).toEqual(['front', 'back']);
  publisher.goLive(endpoint);
  await advance();
  expect(lastPeer().configuration.iceServers).toEqual([
    { urls: 'turn:turn.example:3478', username: 'a', credential: 'b' },
  ]);
  expect(lastPeer().codecs[0]).toBe('video/H264packetization-mode=1');
  expect(lastPeer().senders[0]?.parameters).toMatchObject({
    encodings: [{ maxBitrate: 2_500_000, maxFramerate: 30 }],
    degradationPreference: 'maintain-resolution',
  });
  lastPeer().setConnectionState('connected');
  expect(stateOf(publisher)).toBe('live');
  publisher.stop();
  expect(stateOf(publisher)).toBe('ended');
  // RTCP BYE and the DELETE request are sent before the connection closes.
  expect(lastPeer().senders.map(({ parameters }) => parameters.encodings)).toMatchObject([
    [{ active: false }],
    [{ active: false }],
  ]);
  expect(lastPeer().close).not.toHaveBeenCalled();
  await advance();
  expect(lastPeer().close).toHaveBeenCalled();
  expect(browser.requests.map(({ method, authorization }) => [method, authorization])).toEqual([
    ['HEAD', null],
    ['POST', `Bearer ${endpoint.streamKey}`],
    ['DELETE', null],
  ]);
  expect(browser.requests.at(-1)?.url).toBe('https://media.example/webrtc/session/x');
  expect(browser.tracks.map(({ readyState }) => readyState)).toEqual(['ended', 'ended']);
  await advance(60_000);
  expect(browser.peers).toHaveLength(1);
});

test('the bitrate is measured from the bytes sent in the last second', async () => {
  const publisher = await startLivePublisher();
  lastPeer().stats = createVideoStats(1_000, 0);
  await advance(1_000);
  lastPeer().stats = createVideoStats(2_000, 125_000);
  await advance(1_000);
  expect(publisher.snapshot().figures?.bitrate).toBe(1_000_000);
});

test.each([
  ['the status 404', 'rejected', () => new Response(null, { status: 404 })],
  ['the status 406', 'no_codec', () => new Response(null, { status: 406 })],
  ['the status 503', 'busy', () => new Response(null, { status: 503 })],
  [
    'a network error',
    'unreachable',
    () => {
      throw new TypeError('network');
    },
  ],
] as const)(
  '%s fails the attempt with the problem “%s”, and the preview stays',
  async (_cause, problem, answer) => {
    browser.answer = answer;
    const publisher = await startPreview();
    publisher.goLive(endpoint);
    await advance();
    expect(publisher.snapshot()).toMatchObject({ state: 'previewing', connectionProblem: problem });
    expect(publisher.snapshot().source).toBe('camera');
  },
);

test('a connection attempt without a media path fails after eight seconds, and its session is ended', async () => {
  const publisher = await startPreview();
  publisher.goLive(endpoint);
  await advance(7_900);
  expect(stateOf(publisher)).toBe('connecting');
  await advance(200);
  expect(publisher.snapshot()).toMatchObject({ state: 'previewing', connectionProblem: 'no_media_path' });
  expect(browser.requests.at(-1)?.method).toBe('DELETE');
});

test('a lost connection is replaced by a new one, and the session is not ended', async () => {
  const publisher = await startLivePublisher();
  lastPeer().setConnectionState('disconnected');
  await advance(2_900);
  expect(stateOf(publisher)).toBe('live');
  await advance(200);
  expect(stateOf(publisher)).toBe('reconnecting');
  expect(browser.peers).toHaveLength(2);
  lastPeer().setConnectionState('connected');
  expect(publisher.snapshot()).toMatchObject({ state: 'live', connectionProblem: null });
  expect(browser.requests.filter(({ method }) => method === 'DELETE')).toEqual([]);
});

test('a connection that recovers within three seconds is kept', async () => {
  const publisher = await startLivePublisher();
  lastPeer().setConnectionState('disconnected');
  await advance(2_000);
  lastPeer().setConnectionState('connected');
  await advance(10_000);
  expect([stateOf(publisher), browser.peers.length]).toEqual(['live', 1]);
});

test('reconnect attempts become rarer and stop after three minutes, and the devices are closed', async () => {
  const publisher = await startLivePublisher();
  browser.answer = () => new Response(null, { status: 503 });
  lastPeer().setConnectionState('failed');
  await advance(10_000);
  // The first connection and four attempts.
  expect(browser.peers.length).toBe(5);
  await advance(160_000);
  expect(stateOf(publisher)).toBe('reconnecting');
  await advance(20_000);
  expect(publisher.snapshot()).toMatchObject({ state: 'ended', connectionProblem: 'busy' });
  const attemptCount = browser.peers.length;
  expect(attemptCount).toBeLessThan(30);
  await advance(600_000);
  expect(browser.peers).toHaveLength(attemptCount);
  expect(browser.tracks.every(({ readyState }) => readyState === 'ended')).toBe(true);
});

test('a rejected reconnect ends the publish once the server has had time to notice the loss', async () => {
  const publisher = await startLivePublisher();
  browser.answer = () => new Response(null, { status: 404 });
  lastPeer().setConnectionState('failed');
  await advance(19_000);
  expect(stateOf(publisher)).toBe('reconnecting');
  await advance(9_000);
  expect(publisher.snapshot()).toMatchObject({ state: 'ended', connectionProblem: 'rejected' });
});

test('`retryNow` starts a reconnect attempt without a delay', async () => {
  const publisher = await startLivePublisher();
  browser.answer = () => new Response(null, { status: 503 });
  lastPeer().setConnectionState('failed');
  await advance(7_500);
  const attemptCount = browser.peers.length;
  browser.answer = () => new Response('answer', { status: 201 });
  publisher.retryNow();
  await advance();
  expect(browser.peers).toHaveLength(attemptCount + 1);
  lastPeer().setConnectionState('connected');
  expect(stateOf(publisher)).toBe('live');
});

test('a screen replaces the camera without another offer, and the end of the screen share is reported', async () => {
  const publisher = await startLivePublisher();
  const [camera] = browser.tracks;
  await publisher.startScreenShare();
  await advance();
  // A screen share opens a video track and then an audio track.
  const screen = browser.tracks.at(-2);
  expect(lastPeer().senders[0]?.track).toBe(screen);
  expect([camera?.readyState, screen?.contentHint]).toEqual(['ended', 'detail']);
  expect(publisher.snapshot()).toMatchObject({ source: 'screen', isMirrored: false, hasScreenAudio: true });
  screen?.end();
  await advance();
  expect(publisher.snapshot()).toMatchObject({ source: null, captureProblem: 'screen_ended', state: 'live' });
  expect(lastPeer().senders[0]?.track).toBeNull();
  await publisher.openCamera();
  await advance();
  expect(lastPeer().senders[0]?.track).toBe(browser.tracks.at(-1));
  expect(browser.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
});

test('video and audio can be switched off while live, and video stays off for a camera that is opened later', async () => {
  const publisher = await startLivePublisher();
  publisher.setVideoOff(true);
  expect(browser.tracks[0]?.enabled).toBe(false);
  await publisher.openCamera({ id: 'back' });
  expect(browser.tracks.at(-1)?.enabled).toBe(false);
  publisher.setVideoOff(false);
  expect(browser.tracks.at(-1)?.enabled).toBe(true);
  publisher.setAudioOff(true);
  expect(publisher.snapshot()).toMatchObject({ isVideoOff: false, isAudioOff: true });
});

test.each([
  ['NotAllowedError', 'permission_denied'],
  ['NotReadableError', 'device_in_use'],
  ['NotFoundError', 'no_device'],
])('the browser error %s is reported as %s', async (denial, problem) => {
  browser.denial = denial;
  const publisher = await startPreview();
  expect(publisher.snapshot()).toMatchObject({ state: 'idle', captureProblem: problem });
});

test('a rejected screen share keeps the camera', async () => {
  const publisher = await startPreview();
  browser.denial = 'NotAllowedError';
  await publisher.startScreenShare();
  expect(publisher.snapshot()).toMatchObject({
    state: 'previewing',
    source: 'camera',
    captureProblem: 'screen_denied',
  });
  expect(browser.tracks[0]?.readyState).toBe('live');
});

test('a camera that the user allows after choosing a screen is closed again', async () => {
  const publisher = await startPreview();
  const { mediaDevices } = navigator;
  const openDevices = mediaDevices.getUserMedia.bind(mediaDevices);
  let allow: () => void = () => undefined;
  const whenAllowed = new Promise<void>((resolve) => (allow = resolve));
  mediaDevices.getUserMedia = (constraints) => whenAllowed.then(() => openDevices(constraints));
  const camera = publisher.openCamera({ id: 'back' });
  await publisher.startScreenShare();
  allow();
  await camera;
  expect(publisher.snapshot().source).toBe('screen');
  expect(browser.tracks.at(-1)).toMatchObject({ kind: 'video', readyState: 'ended' });
});

test('a quality that is chosen while live is applied to camera and encoder', async () => {
  const publisher = await startLivePublisher();
  const quality = {
    height: 480,
    frameRate: 30,
    maxBitrate: 1_000_000,
    priority: 'motion',
    layerCount: 1,
  } as const;
  await publisher.setQuality(quality);
  expect(browser.tracks[0]?.applyConstraints).toHaveBeenCalledWith(
    expect.objectContaining({ height: { ideal: 480 } }),
  );
  expect(lastPeer().senders[0]?.parameters).toMatchObject({
    encodings: [{ maxBitrate: 1_000_000 }],
    degradationPreference: 'maintain-framerate',
  });
});

test('several sizes are sent with their RIDs, and all of them end with the stream', async () => {
  const publisher = await startPreview();
  await publisher.setQuality({ ...publisher.snapshot().quality, layerCount: 3 });
  publisher.goLive(endpoint);
  await advance();
  expect(lastPeer().senders[0]?.parameters.encodings).toMatchObject([
    { rid: 'h', maxBitrate: 2_500_000 },
    // Each smaller size has a third of the bitrate.
    { rid: 'm', maxBitrate: 833_333 },
    { rid: 'l', maxBitrate: 277_778 },
  ]);
  lastPeer().setConnectionState('connected');
  publisher.stop();
  expect(lastPeer().senders[0]?.parameters.encodings).toMatchObject([
    { active: false },
    { active: false },
    { active: false },
  ]);
});

test('closing the publisher while it connects ends the session and closes the devices', async () => {
  const publisher = await startPreview();
  publisher.goLive(endpoint);
  await advance();
  publisher.close();
  await advance(60_000);
  expect([stateOf(publisher), browser.peers.length]).toEqual(['idle', 1]);
  expect(browser.requests.at(-1)?.method).toBe('DELETE');
  expect(browser.tracks.every(({ readyState }) => readyState === 'ended')).toBe(true);
});
