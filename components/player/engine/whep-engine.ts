import { endSession, sendOffer } from '@/lib/client/webrtc/signalling';
import type { Engine, EngineEvents, EngineFacts } from './engine';
import { type FallbackReason, fallbackOf } from './fallback';
import { type InboundFacts, noInboundFacts, readInboundFacts } from './inbound-stats';

/** Timeout for the connection, after which HLS is used: HLS starts within this time. */
const CONNECTION_TIMEOUT_MS = 3_000;
/** Timeout from the connection to the first frame. */
const FIRST_FRAME_TIMEOUT_MS = 6_000;
/** Interval at which the received bytes are checked. */
const CHECK_INTERVAL_MS = 500;
/**
 * Time without packets after which the connection counts as lost. Browsers take longer to detect a lost
 * connection.
 */
const SILENCE_TIMEOUT_MS = 2_500;

/**
 * Engine that plays WebRTC by WHEP (draft-ietf-wish-whep), about half a second behind the encoder, without a
 * buffer.
 */
export class WhepEngine implements Engine {
  readonly #peer = new RTCPeerConnection();
  readonly #closing = new AbortController();
  /** URL that ends the WebRTC session at the server; null before it starts and after it has ended. */
  #sessionUrl: string | null = null;
  #inbound: InboundFacts = noInboundFacts;
  /** Time of the last received bytes, as `performance.now()`. */
  #lastBytesAt = 0;
  /** Timer for the timeout of the connection, then for that of the first frame. */
  #startTimer: ReturnType<typeof setTimeout> | undefined;
  #statsTimer: ReturnType<typeof setInterval> | undefined;
  #isStopped = false;

  constructor(
    private readonly video: HTMLVideoElement,
    private readonly url: string,
    private readonly events: EngineEvents,
  ) {}

  start(): void {
    const { signal } = this.#closing;
    this.events.renditions([]);
    this.video.addEventListener('loadeddata', () => clearTimeout(this.#startTimer), { signal });
    window.addEventListener('pagehide', () => this.destroy(), { signal });
    this.#startTimer = setTimeout(() => this.#fallBack('udp'), CONNECTION_TIMEOUT_MS);
    this.#connect().catch(() => this.#fallBack('unavailable'));
  }

  stopLoading(): void {
    this.#stop();
  }

  chooseRendition(): void {
    // WebRTC has one rendition.
  }

  chooseAudio(): void {
    // WebRTC has one audio track.
  }

  setCatchUp(): void {
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
      // Keeps the jitter buffer as short as possible. By default, Chromium delays playback to wait for late packets.
      if ('jitterBufferTarget' in receiver) receiver.jitterBufferTarget = 0;
      stream.addTrack(track);
    });
    peer.addEventListener('connectionstatechange', () => this.#onConnectionState());
    const { sdp = '' } = await peer.createOffer();
    const offer = requestStereo(sdp);
    // The answer names the TURN servers, which must be set before gathering starts (RFC 9725 section 4.6). The server needs no
    // candidates in the offer, so the offer is applied after the answer has arrived.
    const answer = await this.#exchangeSdp(offer);
    if (answer === null || this.#isStopped) return;
    this.video.srcObject = stream;
    await peer.setLocalDescription({ type: 'offer', sdp: offer });
    await peer.setRemoteDescription({ type: 'answer', sdp: answer });
  }

  /** Sends an SDP offer and returns the SDP answer; null if the server rejected the offer, which is reported. */
  async #exchangeSdp(sdp: string): Promise<string | null> {
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(CONNECTION_TIMEOUT_MS)]);
    const { status, text, sessionUrl, iceServers } = await sendOffer(this.url, { sdp, signal });
    this.#sessionUrl = sessionUrl;
    if (iceServers.length > 0 && !this.#isStopped)
      this.#peer.setConfiguration({ iceServers: [...iceServers] });
    if (status === 201) {
      if (this.#isStopped) this.#endSession();
      return text;
    }
    const reason = fallbackOf(status, text);
    if (reason === null) this.#reportLoss();
    else this.#fallBack(reason);
    return null;
  }

  #onConnectionState(): void {
    const { connectionState } = this.#peer;
    if (connectionState === 'failed' || connectionState === 'closed') this.#reportLoss();
    if (connectionState !== 'connected' || this.#statsTimer !== undefined) return;
    clearTimeout(this.#startTimer);
    this.#startTimer = setTimeout(() => this.#fallBack('unavailable'), FIRST_FRAME_TIMEOUT_MS);
    this.#lastBytesAt = performance.now();
    this.#statsTimer = setInterval(() => void this.#checkInbound(), CHECK_INTERVAL_MS);
  }

  async #checkInbound(): Promise<void> {
    const previousFacts = this.#inbound;
    this.#inbound = readInboundFacts(await this.#peer.getStats(), previousFacts);
    if (this.#inbound.bytes !== previousFacts.bytes) this.#lastBytesAt = performance.now();
    else if (performance.now() - this.#lastBytesAt > SILENCE_TIMEOUT_MS) this.#reportLoss();
  }

  #reportLoss(): void {
    if (this.#isStopped) return;
    this.#stop();
    this.events.sourceLost('unreachable');
  }

  #fallBack(reason: FallbackReason): void {
    if (this.#isStopped) return;
    this.#stop();
    this.events.fellBack(reason);
  }

  #stop(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#closing.abort();
    clearTimeout(this.#startTimer);
    clearInterval(this.#statsTimer);
    this.#endSession();
    this.#peer.close();
  }

  #endSession(): void {
    if (this.#sessionUrl !== null) void endSession(this.#sessionUrl);
    this.#sessionUrl = null;
  }
}

/**
 * Adds `stereo=1` to the Opus format of an offer, because browsers decode Opus to mono without it (RFC 7587
 * section 6.1).
 */
function requestStereo(sdp: string): string {
  const [, opusType] = /^a=rtpmap:(\d+) opus\/48000/im.exec(sdp) ?? [];
  return opusType === undefined
    ? sdp
    : sdp.replace(new RegExp(`^(a=fmtp:${opusType} .*)$`, 'm'), '$1;stereo=1');
}
