import { isIPv6 } from 'node:net';
import type { TargetFinding } from '@/lib/core/targets/target-finding';
import type { WhipDestination } from '@/lib/core/targets/whip-url';
import type { Clock } from '@/lib/infra/clock';
import type { Egress } from '@/lib/infra/egress/egress';
import type { EgressSockets } from '@/lib/infra/egress/egress-socket';
import type { Logger } from '@/lib/infra/logger';
import type { VideoPacket } from '@/media-worker/media/packets/media-packet';
import { Peer, type PeerEnd } from '@/media-worker/rtc/peer';
import { type SessionDescription, writeSdp } from '@/media-worker/rtc/sdp';
import type { ChosenCodecs } from '@/media-worker/rtc/viewers/choose-codecs';
import type { ViewerFeedback } from '@/media-worker/rtc/viewers/rtcp';
import type { FeedViewer } from '@/media-worker/rtc/viewers/viewer-feed';
import { WhepViewer } from '@/media-worker/rtc/viewers/whep-viewer';
import { ReportProgress } from './report-progress';
import { type AnsweredCandidate, parseCandidates, hasFingerprint, acceptsCodec } from './whip-answer';
import { openWhipSession, type WhipSession } from './whip-session';

export interface WhipTargetOptions {
  readonly id: string;
  readonly host: string;
  readonly destination: WhipDestination;
  readonly codecs: ChosenCodecs;
  readonly egress: Pick<Egress, 'fetch'>;
  /** Checks the addresses in the answer. */
  readonly sockets: Pick<EgressSockets, 'resolve'>;
  readonly clock: Pick<Clock, 'monotonic' | 'now'>;
  readonly log: Pick<Logger, 'debug' | 'warn'>;
  /** Called when the endpoint requests a keyframe. */
  readonly onKeyframeRequest: () => void;
}

/** Timeout from the creation of the offer until ICE and DTLS are complete, including the HTTP request, ms. */
const CONNECT_TIMEOUT_MS = 12_000;
/** Maximum time for which the video waits for the first audio, ms. */
const AUDIO_WAIT_MS = 3_000;

/** One connection to the WHIP endpoint of a multistream target. */
export class WhipTarget implements FeedViewer {
  readonly #options: WhipTargetOptions;
  readonly #peer: Peer;
  readonly #sender: WhepViewer;
  readonly #receiverReports = new ReportProgress();
  readonly #whenConnected: Promise<boolean>;
  #session: WhipSession | null = null;
  /** Whether sending has started, at a keyframe. */
  #hasSentVideo = false;
  /** Whether audio of the stream has arrived. */
  #hasAudio = false;
  #isOpen = false;
  #openedAtMs = 0;
  #finding: TargetFinding | null = null;

  constructor(options: WhipTargetOptions) {
    this.#options = options;
    const { id, host, log, codecs, clock } = options;
    let settleConnected: (isConnected: boolean) => void = () => undefined;
    this.#whenConnected = new Promise((resolve) => (settleConnected = resolve));
    const listener = {
      onConnected: () => settleConnected(true),
      onEnd: (reason: PeerEnd) => {
        settleConnected(false);
        this.#end(reason === 'unreachable' ? { outcome: 'udp_blocked' } : { outcome: 'lost' });
      },
    };
    this.#peer = new Peer({ id, port: null, host, log, connectTimeoutMs: CONNECT_TIMEOUT_MS }, listener);
    this.#sender = new WhepViewer({
      codecs,
      clock,
      // Cached frames would get nearly identical timestamps, which would show in recordings of the endpoint.
      cachedFrames: () => [],
      onFeedback: (feedback) => this.#handleFeedback(feedback),
      close: () => this.#end({ outcome: 'interrupted' }),
    });
  }

  get takesAudio(): boolean {
    return this.#sender.takesAudio;
  }

  /** Bytes of media sent. */
  get sentBytes(): number {
    return this.#peer.stats.sentBytes;
  }

  /** Time for which the endpoint has reported no new packets although media was sent, ms. */
  get stalledMs(): number {
    return this.#receiverReports.stalledMs(this.#options.clock.monotonic());
  }

  /** The reason why the connection ended; null while it is open. */
  get finding(): TargetFinding | null {
    return this.#finding;
  }

  /**
   * Connects to the endpoint.
   * @returns the reason of a failure, after which nothing needs to be released; null if the target is connected
   */
  async connect(): Promise<TargetFinding | null> {
    const finding = await this.#negotiate().catch((error: unknown): TargetFinding => {
      this.#options.log.warn({ err: error }, 'no offer for a WHIP target');
      return { outcome: 'interrupted' };
    });
    if (finding) this.#end(finding);
    else if (await this.#whenConnected) this.#start();
    if (this.#finding) await this.close();
    return this.#finding;
  }

  /** Checks whether the endpoint accepts an offer, without sending media. The target is closed afterwards. */
  async test(): Promise<TargetFinding> {
    try {
      return (await this.#negotiate()) ?? { outcome: 'accepted' };
    } finally {
      await this.close();
    }
  }

  /** Ends the session at the endpoint. May be called twice. */
  async close(): Promise<void> {
    this.#end({ outcome: 'interrupted' });
    const session = this.#session;
    this.#session = null;
    await session?.end();
  }

  sendVideo(packet: VideoPacket): void {
    if (!this.#isOpen) return;
    const monotonicMs = this.#options.clock.monotonic();
    const isStart = packet.role === 'frame' && packet.key && this.#isAudioReady(monotonicMs);
    this.#hasSentVideo ||= isStart;
    if (!this.#hasSentVideo) return;
    this.#receiverReports.recordSent(monotonicMs);
    this.#sender.sendVideo(packet);
  }

  sendAudio(packet: Buffer, ptsMs: number): void {
    if (!this.#isOpen) return;
    this.#hasAudio = true;
    if (this.#options.codecs.video && !this.#hasSentVideo) return;
    if (!this.#options.codecs.video) this.#receiverReports.recordSent(this.#options.clock.monotonic());
    this.#sender.sendAudio(packet, ptsMs);
  }

  resume(): void {
    this.#sender.resume();
  }

  /** Ends the connection, because the stream is over or its video has changed. */
  end(): void {
    this.#end({ outcome: 'interrupted' });
  }

  /** Whether the video may start. Receivers treat audio that starts later as a change of the stream's tracks. */
  #isAudioReady(monotonicMs: number): boolean {
    return !this.takesAudio || this.#hasAudio || monotonicMs - this.#openedAtMs > AUDIO_WAIT_MS;
  }

  #start(): void {
    this.#isOpen = true;
    this.#openedAtMs = this.#options.clock.monotonic();
    this.#sender.start();
  }

  #handleFeedback({ highestSequence, needsKeyframe }: ViewerFeedback): void {
    if (needsKeyframe) this.#options.onKeyframeRequest();
    if (highestSequence !== null) this.#receiverReports.recordReport(highestSequence);
  }

  async #negotiate(): Promise<TargetFinding | null> {
    const { egress, destination } = this.#options;
    this.#sender.addTracks(this.#peer);
    const session = await openWhipSession(egress, destination, await this.#peer.offer());
    if ('outcome' in session) return session;
    this.#session = session;
    // The stream may have ended while the endpoint answered.
    if (this.#finding) return this.#finding;
    if (!hasFingerprint(session.answer)) return { outcome: 'handshake_failed' };
    if (!this.#areCodecsAccepted(session.answer)) return { outcome: 'codec_refused' };
    const candidates = parseCandidates(session.answer);
    const allowedCandidates = await this.#filterAllowed(candidates);
    if (allowedCandidates.length === 0)
      return { outcome: candidates.length === 0 ? 'udp_blocked' : 'address_not_public' };
    try {
      this.#peer.accept(writeSdp(session.answer), allowedCandidates);
      return null;
    } catch {
      return { outcome: 'handshake_failed' };
    }
  }

  #areCodecsAccepted(answer: SessionDescription): boolean {
    const { video, audio } = this.#options.codecs;
    return [video, audio].every(
      (offeredCodec) =>
        !offeredCodec ||
        acceptsCodec(answer, { mid: offeredCodec.media.mid, payloadType: offeredCodec.codec.payloadType }),
    );
  }

  /** Candidates that the egress policy allows. */
  async #filterAllowed(candidates: readonly AnsweredCandidate[]): Promise<AnsweredCandidate[]> {
    const allowedCandidates: AnsweredCandidate[] = [];
    for (const candidate of candidates) {
      const { address } = candidate;
      const host = isIPv6(address) ? `[${address}]` : address;
      // `resolve` rejects for an address that the egress policy forbids.
      const isAllowed = await this.#options.sockets.resolve(host, { timeoutMs: CONNECT_TIMEOUT_MS }).then(
        () => true,
        () => false,
      );
      if (isAllowed) allowedCandidates.push(candidate);
    }
    return allowedCandidates;
  }

  #end(finding: TargetFinding): void {
    if (this.#finding) return;
    this.#finding = finding;
    this.#isOpen = false;
    this.#sender.stop();
    this.#peer.close();
  }
}
