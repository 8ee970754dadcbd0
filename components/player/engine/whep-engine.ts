import { endSession, sendOffer } from '@/lib/client/webrtc/signalling';
import type { Engine, EngineEvents, EngineFacts } from './engine';
import { type FallbackReason, fallbackOf } from './fallback';
import { type InboundFacts, noInbound, readInbound } from './inbound-stats';

/** Timeout from the start to the connection: HLS takes no longer to play. */
const CONNECTED_WITHIN_MS = 3_000;
/** Timeout from the connection to the first frame. */
const FIRST_FRAME_TIMEOUT_MS = 6_000;
const CHECK_INTERVAL_MS = 500;
/** Time without packets after which the connection counts as lost: browsers take longer to detect it. */
const SILENT_MS = 2_500;

/** WebRTC by WHEP (draft-ietf-wish-whep), about half a second behind the encoder, without a buffer. */
export class WhepEngine implements Engine {
  readonly #peer = new RTCPeerConnection();
  readonly #closing = new AbortController();
  /** Session URL at the server. */
  #session: string | null = null;
  #inbound: InboundFacts = noInbound;
  #silentSince = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #looking: ReturnType<typeof setInterval> | undefined;
  #isOver = false;

  constructor(
    private readonly video: HTMLVideoElement,
    private readonly url: string,
    private readonly events: EngineEvents,
  ) {}

  start(): void {
    const { signal } = this.#closing;
    this.events.renditions([]);
    this.video.addEventListener('loadeddata', () => clearTimeout(this.#timer), { signal });
    window.addEventListener('pagehide', () => this.destroy(), { signal });
    this.#timer = setTimeout(() => this.#fallBack('udp'), CONNECTED_WITHIN_MS);
    this.#connect().catch(() => this.#fallBack('unavailable'));
  }

  releaseResources(): void {
    this.#stop();
  }

  choose(): void {
    // WebRTC has one rendition.
  }

  chooseAudio(): void {
    // WebRTC has one audio track.
  }

  keepUp(): void {
    // WebRTC is always at the live edge.
  }

  facts(): EngineFacts {
    const { bitrate, codecs } = this.#inbound;
    return { name: 'WebRTC', bitrate, codecs, lowestBitrate: null, bandwidth: null };
  }

  latency(): number | null {
    return this.#inbound.delay;
  }

  livePosition(): number | null {
    return null;
  }

  dateAt(): number | null {
    return null;
  }

  destroy(): void {
    this.#stop();
    this.video.srcObject = null;
  }

  async #connect(): Promise<void> {
    const peer = this.#peer;
    const stream = new MediaStream();
    for (const kind of ['video', 'audio']) peer.addTransceiver(kind, { direction: 'recvonly' });
    peer.addEventListener('track', ({ track, receiver }) => {
      // Minimum jitter buffer. By default, Chromium delays playback for late packets, as in a call over a bad network.
      if ('jitterBufferTarget' in receiver) receiver.jitterBufferTarget = 0;
      stream.addTrack(track);
    });
    peer.addEventListener('connectionstatechange', () => this.#onState());
    const { sdp = '' } = await peer.createOffer();
    const offer = withStereo(sdp);
    // The answer names the TURN servers, which must be set before gathering starts (RFC 9725 section 4.6). The server needs no
    // candidates in the offer, so the offer is applied after the answer has arrived.
    const answer = await this.#ask(offer);
    if (answer === null || this.#isOver) return;
    this.video.srcObject = stream;
    await peer.setLocalDescription({ type: 'offer', sdp: offer });
    await peer.setRemoteDescription({ type: 'answer', sdp: answer });
  }

  async #ask(sdp: string): Promise<string | null> {
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(CONNECTED_WITHIN_MS)]);
    const { status, text, session, iceServers } = await sendOffer(this.url, { sdp, signal });
    this.#session = session;
    if (iceServers.length > 0 && !this.#isOver) this.#peer.setConfiguration({ iceServers: [...iceServers] });
    if (status === 201) {
      if (this.#isOver) this.#leave();
      return text;
    }
    const reason = fallbackOf(status, text);
    if (reason === null) this.#lose();
    else this.#fallBack(reason);
    return null;
  }

  #onState(): void {
    const { connectionState } = this.#peer;
    if (connectionState === 'failed' || connectionState === 'closed') this.#lose();
    if (connectionState !== 'connected' || this.#looking !== undefined) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#fallBack('unavailable'), FIRST_FRAME_TIMEOUT_MS);
    this.#silentSince = performance.now();
    this.#looking = setInterval(() => void this.#checkInbound(), CHECK_INTERVAL_MS);
  }

  async #checkInbound(): Promise<void> {
    const before = this.#inbound;
    this.#inbound = readInbound(await this.#peer.getStats(), before);
    if (this.#inbound.bytes !== before.bytes) this.#silentSince = performance.now();
    else if (performance.now() - this.#silentSince > SILENT_MS) this.#lose();
  }

  #lose(): void {
    if (this.#isOver) return;
    this.#stop();
    this.events.sourceLost('unreachable');
  }

  #fallBack(reason: FallbackReason): void {
    if (this.#isOver) return;
    this.#stop();
    this.events.fellBack(reason);
  }

  #stop(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#closing.abort();
    clearTimeout(this.#timer);
    clearInterval(this.#looking);
    this.#leave();
    this.#peer.close();
  }

  #leave(): void {
    if (this.#session !== null) void endSession(this.#session);
    this.#session = null;
  }
}

/** Browsers decode Opus to mono unless the answer contains `stereo=1` (RFC 7587 section 6.1). */
function withStereo(sdp: string): string {
  const [, opus] = /^a=rtpmap:(\d+) opus\/48000/im.exec(sdp) ?? [];
  return opus === undefined ? sdp : sdp.replace(new RegExp(`^(a=fmtp:${opus} .*)$`, 'm'), '$1;stereo=1');
}
