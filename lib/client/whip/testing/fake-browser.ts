import { onTestFinished, vi } from 'vitest';

/** A track of the fake browser, whose devices and connections the test controls. */
export class FakeTrack extends EventTarget {
  enabled = true;
  contentHint = '';
  readyState = 'live';
  settings: MediaTrackSettings = {};
  readonly applyConstraints = vi.fn(() => Promise.resolve());

  constructor(readonly kind: 'video' | 'audio') {
    super();
  }
  getSettings(): MediaTrackSettings {
    return this.settings;
  }
  stop(): void {
    this.readyState = 'ended';
  }
  /** Ends the track, as when the device is unplugged or the user ends the screen share. */
  end(): void {
    this.stop();
    this.dispatchEvent(new Event('ended'));
  }
}

class FakeStream {
  readonly id = String(Math.random());
  constructor(readonly tracks: readonly FakeTrack[] = []) {}
  getTracks() {
    return this.tracks;
  }
  getVideoTracks() {
    return this.tracks.filter(({ kind }) => kind === 'video');
  }
  getAudioTracks() {
    return this.tracks.filter(({ kind }) => kind === 'audio');
  }
}

class FakeNode {
  readonly connections: unknown[] = [];
  readonly gain = { value: 1 };
  fftSize = 0;
  readonly stream = new FakeStream([new FakeTrack('audio')]);
  connect(to: unknown): void {
    this.connections.push(to);
  }
  disconnect(): void {
    this.connections.length = 0;
  }
  getFloatTimeDomainData(samples: Float32Array): void {
    samples.fill(0.5);
  }
}

class FakeAudioContext extends EventTarget {
  state = 'running';
  createGain = () => new FakeNode();
  createAnalyser = () => new FakeNode();
  createMediaStreamDestination = () => new FakeNode();
  createMediaStreamSource = () => new FakeNode();
  resume = () => Promise.resolve();
  close = () => {
    this.state = 'closed';
    return Promise.resolve();
  };
}

class FakeSender {
  parameters: { encodings: object[]; degradationPreference: string };
  transport: object | null = null;
  constructor(
    public track: FakeTrack | null,
    encodings: readonly object[],
  ) {
    this.parameters = { encodings: [...encodings], degradationPreference: '' };
  }
  replaceTrack(track: FakeTrack | null) {
    this.track = track;
    return Promise.resolve();
  }
  getParameters() {
    return structuredClone(this.parameters);
  }
  setParameters(parameters: FakeSender['parameters']) {
    this.parameters = parameters;
    return Promise.resolve();
  }
}

export class FakePeer extends EventTarget {
  connectionState = 'new';
  localDescription: { sdp: string } | null = null;
  stats: [string, object][] = [];
  readonly senders: FakeSender[] = [];
  readonly codecs: string[] = [];
  readonly close = vi.fn();
  readonly setRemoteDescription = vi.fn(() => Promise.resolve());

  constructor(readonly configuration: RTCConfiguration) {
    super();
    browser.peers.push(this);
  }
  addTransceiver(track: FakeTrack | string, { sendEncodings = [{}] }: RTCRtpTransceiverInit = {}) {
    const sender = new FakeSender(typeof track === 'string' ? null : track, sendEncodings);
    this.senders.push(sender);
    return {
      sender,
      setCodecPreferences: (codecs: readonly RTCRtpCodec[]) =>
        void this.codecs.push(...codecs.map(({ mimeType, sdpFmtpLine = '' }) => mimeType + sdpFmtpLine)),
    };
  }
  getSenders() {
    return this.senders;
  }
  setLocalDescription() {
    this.localDescription = { sdp: 'offer' };
    return Promise.resolve();
  }
  getStats() {
    return Promise.resolve(new Map(this.stats));
  }
  setConnectionState(state: string): void {
    this.connectionState = state;
    this.dispatchEvent(new Event('connectionstatechange'));
  }
}

interface FakeBrowser {
  readonly peers: FakePeer[];
  readonly requests: { method: string; url: string; authorization: string | null }[];
  /** Tracks that were opened, in their order. */
  readonly tracks: FakeTrack[];
  readonly devices: EventTarget;
  /** Creates the response to an offer. */
  answer: () => Response;
  /** Name of the DOMException with which requests for devices fail; null: they succeed. */
  denial: string | null;
}

let browser: FakeBrowser;

const acceptOffer = () =>
  new Response('a=candidate:1 1 UDP 1 203.0.113.7 8189 typ host\r\n', {
    status: 201,
    headers: { Location: '/webrtc/session/x' },
  });

/**
 * Replaces the browser globals for one test. `vi.unstubAllGlobals()` restores all but `navigator.mediaDevices`, which is
 * restored when the test ends.
 */
export function stubBrowser(): FakeBrowser {
  const devices = Object.assign(new EventTarget(), {
    getUserMedia: ({ video, audio }: MediaStreamConstraints) => openDevices(Boolean(video), Boolean(audio)),
    getDisplayMedia: () => openDevices(true, true),
    enumerateDevices: () =>
      Promise.resolve([
        { kind: 'videoinput', deviceId: 'front', label: 'Front camera' },
        { kind: 'videoinput', deviceId: 'back', label: 'Back camera' },
        { kind: 'audioinput', deviceId: 'mic', label: 'Studio X1' },
        { kind: 'audioinput', deviceId: '', label: '' },
      ]),
  });
  browser = { peers: [], requests: [], tracks: [], devices, answer: acceptOffer, denial: null };
  vi.stubGlobal('RTCPeerConnection', FakePeer);
  vi.stubGlobal('MediaStream', FakeStream);
  vi.stubGlobal('AudioContext', FakeAudioContext);
  vi.stubGlobal('RTCRtpSender', {
    getCapabilities: () => ({
      codecs: [
        { mimeType: 'video/VP8' },
        { mimeType: 'video/H264', sdpFmtpLine: 'packetization-mode=0' },
        { mimeType: 'video/H264', sdpFmtpLine: 'packetization-mode=1' },
      ],
    }),
  });
  if (typeof navigator === 'undefined') vi.stubGlobal('navigator', { mediaDevices: devices });
  else {
    Object.defineProperty(navigator, 'mediaDevices', { value: devices, configurable: true });
    onTestFinished(() => void Reflect.deleteProperty(navigator, 'mediaDevices'));
  }
  const { fetch: originalFetch } = globalThis;
  vi.stubGlobal('fetch', (input: string | URL, init?: RequestInit) => {
    const url = input.toString();
    return url.startsWith('https://media.example/') ? respond(url, init) : originalFetch(url, init);
  });
  return browser;
}

function openDevices(video: boolean, audio: boolean) {
  if (browser.denial !== null) return Promise.reject(new DOMException('no', browser.denial));
  const tracks = [...(video ? [new FakeTrack('video')] : []), ...(audio ? [new FakeTrack('audio')] : [])];
  browser.tracks.push(...tracks);
  return Promise.resolve(new FakeStream(tracks));
}

function respond(url: string, { method = 'GET', headers = {} }: RequestInit = {}): Promise<Response> {
  browser.requests.push({ method, url, authorization: new Headers(headers).get('Authorization') });
  if (method === 'POST') return Promise.resolve(browser.answer());
  const link = '<turn:turn.example:3478>; rel="ice-server"; username="a"; credential="b"';
  return Promise.resolve(new Response(null, { headers: { Link: link } }));
}
