import { isIPv6 } from 'node:net';
import type { TargetFinding } from '@/lib/core/targets/target-test';
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
import { type AnsweredCandidate, candidatesIn, hasFingerprint, takes } from './whip-answer';
import { openWhipSession, type WhipSession } from './whip-session';

export interface WhipTargetOptions {
  readonly id: string;
  readonly host: string;
  readonly destination: WhipDestination;
  readonly codecs: ChosenCodecs;
  readonly egress: Pick<Egress, 'fetch'>;
  /** Checks addresses. */
  readonly sockets: Pick<EgressSockets, 'resolve'>;
  readonly clock: Pick<Clock, 'monotonic' | 'now'>;
  readonly log: Pick<Logger, 'debug' | 'warn'>;
}

/** From the offer to the first datagram, the answer included. */
const CONNECT_MS = 12_000;

/** One connection to a WHIP endpoint, which this side offers. */
export class WhipTarget implements FeedViewer {
  readonly #options: WhipTargetOptions;
  readonly #peer: Peer;
  readonly #sender: WhepViewer;
  readonly #progress = new ReportProgress();
  readonly #connected: Promise<boolean>;
  #session: WhipSession | null = null;
  #hasPicture = false;
  #isOpen = false;
  #finding: TargetFinding | null = null;

  constructor(options: WhipTargetOptions) {
    this.#options = options;
    const { id, host, log, codecs, clock } = options;
    let settle: (isConnected: boolean) => void = () => undefined;
    this.#connected = new Promise((resolve) => (settle = resolve));
    const listener = {
      onConnected: () => settle(true),
      onEnd: (reason: PeerEnd) => {
        settle(false);
        this.#end(reason === 'unreachable' ? { outcome: 'udp_blocked' } : { outcome: 'lost' });
      },
    };
    this.#peer = new Peer({ id, port: null, host, log, connectMs: CONNECT_MS }, listener);
    this.#sender = new WhepViewer({
      codecs,
      clock,
      // A recording would begin with the pictures of a whole group at one moment.
      cached: () => [],
      onFeedback: (feedback) => this.#reported(feedback),
      close: () => this.#end({ outcome: 'interrupted' }),
    });
  }

  /** Bytes of media that were sent. */
  get bytes(): number {
    return this.#peer.stats.sentBytes;
  }

  get stalledMs(): number {
    return this.#progress.stalledMs(this.#options.clock.monotonic());
  }

  /** Why it has ended; null while it goes on. */
  get finding(): TargetFinding | null {
    return this.#finding;
  }

  /** @returns null when it is connected; otherwise why not, and everything is released */
  async connect(): Promise<TargetFinding | null> {
    const finding = await this.#negotiate().catch((error: unknown): TargetFinding => {
      this.#options.log.warn({ err: error }, 'no offer for a WHIP target');
      return { outcome: 'interrupted' };
    });
    if (finding) this.#end(finding);
    else if (await this.#connected) this.#start();
    return this.#finding;
  }

  /** Asks the endpoint whether it takes the stream, and sends nothing. */
  async test(): Promise<TargetFinding> {
    try {
      return (await this.#negotiate()) ?? { outcome: 'accepted' };
    } finally {
      await this.close();
    }
  }

  /** Ends the session there. May be called twice. */
  async close(): Promise<void> {
    this.#end({ outcome: 'interrupted' });
    const session = this.#session;
    this.#session = null;
    await session?.end();
  }

  picture(packet: VideoPacket): void {
    if (!this.#isOpen) return;
    this.#hasPicture ||= packet.role === 'frame' && packet.key;
    this.#progress.sent(this.#options.clock.monotonic());
    this.#sender.picture(packet);
  }

  sound(packet: Buffer, ms: number): void {
    if (!this.#isOpen || (this.#options.codecs.video && !this.#hasPicture)) return;
    if (!this.#options.codecs.video) this.#progress.sent(this.#options.clock.monotonic());
    this.#sender.sound(packet, ms);
  }

  resume(): void {
    this.#sender.resume();
  }

  /** The stream is over, or has another picture. */
  end(): void {
    this.#end({ outcome: 'interrupted' });
  }

  #start(): void {
    this.#isOpen = true;
    this.#sender.start();
  }

  /** A request for a keyframe cannot be served: the encoder of the stream decides. */
  #reported({ highest }: ViewerFeedback): void {
    if (highest !== null) this.#progress.reported(highest);
  }

  async #negotiate(): Promise<TargetFinding | null> {
    const { egress, destination } = this.#options;
    this.#sender.prepare(this.#peer);
    const session = await openWhipSession(egress, destination, await this.#peer.offer());
    if ('outcome' in session) return session;
    this.#session = session;
    if (this.#finding) return this.#finding;
    if (!hasFingerprint(session.answer)) return { outcome: 'handshake_failed' };
    if (!this.#isTaken(session.answer)) return { outcome: 'codec_refused' };
    const candidates = candidatesIn(session.answer);
    const allowed = await this.#allowed(candidates);
    if (allowed.length === 0)
      return { outcome: candidates.length === 0 ? 'udp_blocked' : 'address_not_public' };
    try {
      this.#peer.accept(writeSdp(session.answer), allowed);
      return null;
    } catch {
      return { outcome: 'handshake_failed' };
    }
  }

  #isTaken(answer: SessionDescription): boolean {
    const { video, audio } = this.#options.codecs;
    return [video, audio].every(
      (one) => !one || takes(answer, { mid: one.media.mid, payloadType: one.codec.payloadType }),
    );
  }

  /** Those that the rules for outgoing connections allow. */
  async #allowed(candidates: readonly AnsweredCandidate[]): Promise<AnsweredCandidate[]> {
    const allowed: AnsweredCandidate[] = [];
    for (const candidate of candidates) {
      const { address } = candidate;
      const host = isIPv6(address) ? `[${address}]` : address;
      const isAllowed = await this.#options.sockets.resolve(host).then(
        () => true,
        () => false,
      );
      if (isAllowed) allowed.push(candidate);
    }
    return allowed;
  }

  #end(finding: TargetFinding): void {
    if (this.#finding) return;
    this.#finding = finding;
    this.#isOpen = false;
    this.#sender.stop();
    this.#peer.close();
  }
}
