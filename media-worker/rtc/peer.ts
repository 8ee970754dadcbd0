import { type Audio, PeerConnection, type Track, type Video, initLogger } from 'node-datachannel';
import type { Logger } from '@/lib/infra/logger';

/** Why a connection ended. `unreachable`: no datagram of the peer ever arrived; `lost`: none arrives any more. */
export type PeerEnd = 'closed' | 'unreachable' | 'lost';

/** One media section of a connection. Packets are RTP or RTCP, in the clear. */
export interface PeerTrack {
  readonly mid: string;
  /** The library's own: for its packetizers and reports. */
  readonly native: Track;
  onPacket(listener: (packet: Buffer) => void): void;
  /** False when the packet could not be sent: the connection is not open, or no longer. */
  send(packet: Buffer): boolean;
}

export interface PeerOptions {
  readonly id: string;
  /** UDP port that all connections of this process share; null: a port of its own, for a connection that begins here. */
  readonly port: number | null;
  /** HOST: `0.0.0.0` and `::` stand for every interface. */
  readonly host: string;
  readonly log: Pick<Logger, 'debug' | 'warn'>;
  /** How long the first datagram of the peer may take. */
  readonly connectMs: number;
}

export interface PeerListener {
  /** A media section of the offer that the peer sends. */
  onTrack?(track: PeerTrack): void;
  /** ICE and DTLS are done. */
  onConnected?(): void;
  /** Called once. */
  onEnd(reason: PeerEnd): void;
}

/** Of one connection, for metrics and for the log. */
export interface PeerStats {
  readonly receivedBytes: number;
  readonly sentBytes: number;
  /** Null before it is connected. */
  readonly remoteAddress: string | null;
}

const everyInterface: readonly string[] = ['0.0.0.0', '::'];

/** Where the port is opened; undefined: on every interface. @param host HOST */
export const bindAddressOf = (host: string): string | undefined =>
  everyInterface.includes(host) ? undefined : host;
const GATHER_MS = 2_000;

/** Lines of the library's own log. */
export function logRtcLibrary(log: Pick<Logger, 'debug'>): void {
  initLogger('Error', (_level, message) => log.debug({ library: 'libdatachannel' }, message));
}

const withoutCandidates = (description: string): string =>
  description.replace(/^a=(?:candidate|end-of-candidates)\b.*\r?\n/gm, '');

/**
 * One WebRTC connection, usually the answering side of it. It never sends to an address from which nothing has come: candidates
 * of the peer are not used, or an offer could make this machine send into its own network. The peer's checks reach the
 * one UDP port, and their source is where it is (RFC 8445 §7.3.1.3).
 */
export class Peer {
  readonly id: string;
  readonly #options: PeerOptions;
  readonly #listener: PeerListener;
  readonly #connection: PeerConnection;
  /** Without a reference to them their callbacks end. */
  readonly #tracks: PeerTrack[] = [];
  readonly #connecting: NodeJS.Timeout;
  #gathered: (() => void) | null = null;
  #receivedBytes = 0;
  #sentBytes = 0;
  #isConnected = false;
  #ended = false;

  constructor(options: PeerOptions, listener: PeerListener) {
    const { id, port, host } = options;
    const bindAddress = bindAddressOf(host);
    this.id = id;
    this.#options = options;
    this.#listener = listener;
    this.#connection = new PeerConnection(id, {
      // Nobody else is asked where this machine is.
      iceServers: [],
      ...(port === null ? {} : { enableIceUdpMux: true, portRangeBegin: port, portRangeEnd: port }),
      disableAutoNegotiation: true,
      ...(bindAddress === undefined ? {} : { bindAddress }),
    });
    this.#connection.onTrack((track) => this.#guarded(() => this.#listener.onTrack?.(this.#open(track))));
    this.#connection.onStateChange((state) => this.#guarded(() => this.#onState(state)));
    this.#connection.onGatheringStateChange((state) => {
      if (state === 'complete') this.#gathered?.();
    });
    this.#connecting = setTimeout(() => this.#end('unreachable'), options.connectMs);
  }

  get connected(): boolean {
    return this.#isConnected && !this.#ended;
  }

  get stats(): PeerStats {
    const pair = this.#ended ? null : this.#connection.getSelectedCandidatePair();
    return {
      receivedBytes: this.#receivedBytes,
      sentBytes: this.#sentBytes,
      remoteAddress: pair?.remote.address ?? null,
    };
  }

  /** For a media section that this side sends in: call it before `answer`, with the mid of the offer. */
  addTrack(media: Video | Audio): PeerTrack {
    return this.#open(this.#connection.addTrack(media));
  }

  /** Answers an offer. The answer has the candidates of all interfaces. @throws Error for an offer that cannot be answered */
  async answer(offer: string): Promise<string> {
    return this.#describe('answer', () =>
      this.#connection.setRemoteDescription(withoutCandidates(offer), 'offer'),
    );
  }

  /** The offer of a connection that begins here, with the candidates of all interfaces. */
  offer(): Promise<string> {
    return this.#describe('offer', () => undefined);
  }

  /** @param candidates that may be sent to; those in the answer are left out */
  accept(answer: string, candidates: readonly { readonly mid: string; readonly candidate: string }[]): void {
    this.#connection.setRemoteDescription(withoutCandidates(answer), 'answer');
    for (const { mid, candidate } of candidates) this.#connection.addRemoteCandidate(candidate, mid);
  }

  async #describe(type: 'offer' | 'answer', begin: () => void): Promise<string> {
    const gathered = new Promise<void>((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error('candidates of this machine not gathered in time')),
        GATHER_MS,
      );
      this.#gathered = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    begin();
    this.#connection.setLocalDescription(type);
    if (this.#connection.gatheringState() === 'complete') this.#gathered?.();
    await gathered;
    const description = this.#connection.localDescription();
    if (!description || this.#ended) throw new Error('the connection ended before its description');
    return description.sdp;
  }

  /** Ends it from this side. May be called twice. */
  close(): void {
    this.#end('closed');
  }

  #open(native: Track): PeerTrack {
    const track: PeerTrack = {
      mid: native.mid(),
      native,
      onPacket: (listener) =>
        native.onMessage((packet) => {
          if (this.#ended) return;
          this.#receivedBytes += packet.length;
          this.#guarded(() => listener(packet));
        }),
      send: (packet) => {
        if (this.#ended || !native.isOpen()) return false;
        this.#sentBytes += packet.length;
        return this.#sent(() => native.sendMessageBinary(packet));
      },
    };
    this.#tracks.push(track);
    return track;
  }

  /** A packet that cannot be sent is lost, as on the way. */
  #sent(send: () => boolean): boolean {
    try {
      return send();
    } catch {
      return false;
    }
  }

  #onState(state: string): void {
    if (this.#ended) return;
    this.#options.log.debug({ connection: this.id, state }, 'WebRTC connection');
    if (state === 'connected' && !this.#isConnected) {
      this.#isConnected = true;
      clearTimeout(this.#connecting);
      this.#listener.onConnected?.();
    } else if (state === 'failed' || state === 'closed')
      this.#end(this.#isConnected ? 'lost' : 'unreachable');
  }

  /** What a listener throws ends this connection, and no other. */
  #guarded(action: () => void): void {
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
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#connecting);
    // Not from within a callback of the library.
    setImmediate(() => this.#connection.close());
    this.#listener.onEnd(reason);
  }
}
