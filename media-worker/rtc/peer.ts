import { type Audio, PeerConnection, type Track, type Video, initLogger } from 'node-datachannel';
import { omitUndefined } from '@/lib/core/omit-undefined';
import type { Logger } from '@/lib/infra/logger';
import { within } from '@/lib/infra/within';
import { bindAddressOf } from './bind-address';
import { withoutCandidates } from './sdp';

/** Why a connection ended: by its client (`finished`) or this side (`closed`), without ICE (`unreachable`), or later (`lost`). */
export type PeerEnd = 'finished' | 'closed' | 'unreachable' | 'lost';

/** One media section of a connection. Packets are decrypted RTP or RTCP. */
export interface PeerTrack {
  readonly mid: string;
  /** The track of the library, for its packetizers and reports. */
  readonly native: Track;
  onPacket(listener: (packet: Buffer) => void): void;
  /** Sends a packet; false if the connection is not open. */
  send(packet: Buffer): boolean;
}

export interface PeerOptions {
  readonly id: string;
  /** UDP port shared by the connections of this process; null for a connection that this side offers. */
  readonly port: number | null;
  /** Value of HOST: `0.0.0.0` and `::` mean every interface. */
  readonly host: string;
  readonly log: Pick<Logger, 'debug' | 'warn'>;
  /** Timeout from the start of the connection until ICE and DTLS are complete, ms. */
  readonly connectTimeoutMs: number;
}

export interface PeerListener {
  /** Called for each media section of the offer in which the peer sends. */
  onTrack?(track: PeerTrack): void;
  /** Called when ICE and DTLS are complete and the tracks that this side sends are open. */
  onConnected?(): void;
  /** Called once, when the connection has ended. */
  onEnd(reason: PeerEnd): void;
}

/** Statistics of one connection, for metrics and the log. */
export interface PeerStats {
  readonly receivedBytes: number;
  readonly sentBytes: number;
  /** Address of the peer; null before it is connected. */
  readonly remoteAddress: string | null;
}

/** Time within which the addresses of this machine must be found. */
const GATHER_TIMEOUT_MS = 2_000;

/** Logs messages of the library. */
export function logRtcLibrary(log: Pick<Logger, 'debug'>): void {
  initLogger('Error', (_level, message) => log.debug({ library: 'libdatachannel' }, message));
}

/**
 * One WebRTC connection. The answering side sends only to addresses from which it has received a connectivity check
 * (RFC 8445 §7.3.1.3). It ignores the candidates in an offer, which could make this machine send into its own network. A
 * connection that this side offers sends to the candidates that its owner has checked.
 */
export class Peer {
  readonly id: string;
  readonly #options: PeerOptions;
  readonly #listener: PeerListener;
  readonly #connection: PeerConnection;
  /** Tracks are referenced here, because a garbage-collected track calls no callbacks. */
  readonly #tracks: PeerTrack[] = [];
  readonly #sendingTracks: Track[] = [];
  readonly #connectTimer: NodeJS.Timeout;
  #onGathered: (() => void) | null = null;
  #receivedBytes = 0;
  #sentBytes = 0;
  /** Whether ICE is complete, so that no port is blocked. */
  #isIceComplete = false;
  /** Whether ICE and DTLS are complete. */
  #isSecure = false;
  #isConnected = false;
  #isEnded = false;

  constructor(options: PeerOptions, listener: PeerListener) {
    const { id, port, host } = options;
    const bindAddress = bindAddressOf(host);
    this.id = id;
    this.#options = options;
    this.#listener = listener;
    this.#connection = new PeerConnection(id, {
      // No STUN server is needed: the public addresses of this machine are configured.
      iceServers: [],
      ...(port === null ? {} : { enableIceUdpMux: true, portRangeBegin: port, portRangeEnd: port }),
      disableAutoNegotiation: true,
      ...omitUndefined({ bindAddress }),
    });
    this.#connection.onTrack((track) =>
      this.#runGuarded(() => this.#listener.onTrack?.(this.#wrapTrack(track))),
    );
    this.#connection.onStateChange((state) => this.#runGuarded(() => this.#onState(state)));
    this.#connection.onGatheringStateChange((state) => {
      if (state === 'complete') this.#onGathered?.();
    });
    this.#connection.onIceStateChange((state) => {
      if (state === 'connected' || state === 'completed') this.#isIceComplete = true;
    });
    this.#connectTimer = setTimeout(() => this.#endAsFailed(), options.connectTimeoutMs);
  }

  get isConnected(): boolean {
    return this.#isConnected && !this.#isEnded;
  }

  get stats(): PeerStats {
    const candidatePair = this.#isEnded ? null : this.#connection.getSelectedCandidatePair();
    return {
      receivedBytes: this.#receivedBytes,
      sentBytes: this.#sentBytes,
      remoteAddress: candidatePair?.remote.address ?? null,
    };
  }

  /** Adds a track that this side sends. Call it before `offer`, or before `answer` with the mid of the offer's media section. */
  addTrack(media: Video | Audio): PeerTrack {
    const native = this.#connection.addTrack(media);
    native.onOpen(() => this.#runGuarded(() => this.#reportConnected()));
    this.#sendingTracks.push(native);
    return this.#wrapTrack(native);
  }

  /**
   * Answers an offer with the candidates of all interfaces.
   * @throws Error if the library rejects the offer, or if the candidates are late
   */
  async answer(offer: string): Promise<string> {
    return this.#describe('answer', () =>
      this.#connection.setRemoteDescription(withoutCandidates(offer), 'offer'),
    );
  }

  /**
   * Creates an offer with the candidates of all interfaces.
   * @throws Error if the candidates are late, or if the connection has ended
   */
  offer(): Promise<string> {
    return this.#describe('offer', () => undefined);
  }

  /**
   * Accepts the answer to the offer of this side.
   * @param candidates candidates with checked addresses; the candidates in the answer are ignored
   * @throws Error if the library rejects the answer
   */
  accept(answer: string, candidates: readonly { readonly mid: string; readonly candidate: string }[]): void {
    this.#connection.setRemoteDescription(withoutCandidates(answer), 'answer');
    for (const { mid, candidate } of candidates) this.#connection.addRemoteCandidate(candidate, mid);
  }

  async #describe(type: 'offer' | 'answer', applyRemote: () => void): Promise<string> {
    const gathering = new Promise<void>((resolve) => (this.#onGathered = resolve));
    applyRemote();
    this.#connection.setLocalDescription(type);
    if (this.#connection.gatheringState() === 'complete') this.#onGathered?.();
    await within(GATHER_TIMEOUT_MS, gathering, () => {
      throw new Error('candidates of this machine not gathered in time');
    });
    const description = this.#connection.localDescription();
    if (!description || this.#isEnded) throw new Error('the connection ended before its description');
    return description.sdp;
  }

  /** Closes the connection from this side; `finished`: at the request of the client. May be called twice. */
  close(reason: 'finished' | 'closed' = 'closed'): void {
    this.#end(reason);
  }

  #wrapTrack(native: Track): PeerTrack {
    const track: PeerTrack = {
      mid: native.mid(),
      native,
      onPacket: (listener) =>
        native.onMessage((packet) => {
          if (this.#isEnded) return;
          this.#receivedBytes += packet.length;
          this.#runGuarded(() => listener(packet));
        }),
      send: (packet) => {
        if (this.#isEnded || !native.isOpen()) return false;
        this.#sentBytes += packet.length;
        return this.#trySend(() => native.sendMessageBinary(packet));
      },
    };
    this.#tracks.push(track);
    return track;
  }

  /** A packet that cannot be sent counts as lost, like on the network. */
  #trySend(send: () => boolean): boolean {
    try {
      return send();
    } catch {
      return false;
    }
  }

  #onState(state: string): void {
    if (this.#isEnded) return;
    this.#options.log.debug({ connection: this.id, state }, 'WebRTC connection');
    if (state === 'connected') {
      this.#isIceComplete = this.#isSecure = true;
      this.#reportConnected();
    } else if (state === 'failed' || state === 'closed') {
      // The library may close before it reports that ICE is complete, and then does not report it.
      this.#isIceComplete ||= this.#connection.iceState() !== 'failed';
      this.#endAsFailed();
    }
  }

  /** Reports the connection once. The library may open tracks only after it reports a connection; earlier packets are lost. */
  #reportConnected(): void {
    const areTracksOpen = this.#sendingTracks.every((track) => track.isOpen() || track.isClosed());
    if (this.#isEnded || this.#isConnected || !this.#isSecure || !areTracksOpen) return;
    this.#isConnected = true;
    clearTimeout(this.#connectTimer);
    this.#listener.onConnected?.();
  }

  #endAsFailed(): void {
    this.#end(this.#isIceComplete ? 'lost' : 'unreachable');
  }

  /** An exception in a listener ends only this connection. */
  #runGuarded(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.#options.log.warn(
        { connection: this.id, why: error instanceof Error ? error.name : 'unknown' },
        'WebRTC connection failed',
      );
      this.#end('lost');
    }
  }

  #end(reason: PeerEnd): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    clearTimeout(this.#connectTimer);
    // The library does not allow closing a connection within one of its callbacks.
    setImmediate(() => this.#connection.close());
    this.#listener.onEnd(reason);
  }
}
