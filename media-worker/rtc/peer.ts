import { type Audio, PeerConnection, type Track, type Video, initLogger } from 'node-datachannel';
import { defined } from '@/lib/core/defined';
import type { Logger } from '@/lib/infra/logger';
import { withoutCandidates } from './sdp';

/**
 * Why a connection ended. `finished`: its client ended the session; `closed`: this side did; `unreachable`: ICE found no way to
 * the peer; `lost`: the peer was reached, but the connection was not secured or is broken.
 */
export type PeerEnd = 'finished' | 'closed' | 'unreachable' | 'lost';

/** One media section of a connection. Packets are decrypted RTP or RTCP. */
export interface PeerTrack {
  readonly mid: string;
  /** The track of the library, for its packetizers and reports. */
  readonly native: Track;
  onPacket(listener: (packet: Buffer) => void): void;
  /** Sends a packet. @returns false if the connection is not open */
  send(packet: Buffer): boolean;
}

export interface PeerOptions {
  readonly id: string;
  /** UDP port that all connections of this process share; null: a port of its own, for a connection that begins here. */
  readonly port: number | null;
  /** Value of HOST: `0.0.0.0` and `::` mean every interface. */
  readonly host: string;
  readonly log: Pick<Logger, 'debug' | 'warn'>;
  /** Timeout for the first datagram of the peer, ms. */
  readonly connectMs: number;
}

export interface PeerListener {
  /** Called for each media section of the offer in which the peer sends. */
  onTrack?(track: PeerTrack): void;
  /** Called when ICE and DTLS are complete. */
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

const everyInterface: readonly string[] = ['0.0.0.0', '::'];

/** The address to bind the port to; undefined: every interface. @param host value of HOST */
export const bindAddressOf = (host: string): string | undefined =>
  everyInterface.includes(host) ? undefined : host;
const GATHER_MS = 2_000;

/** Logs messages of the library. */
export function logRtcLibrary(log: Pick<Logger, 'debug'>): void {
  initLogger('Error', (_level, message) => log.debug({ library: 'libdatachannel' }, message));
}

/**
 * One WebRTC connection, usually its answering side. It never sends to an address that has not sent to it first: candidates of the
 * peer are ignored, because an offer could otherwise make this machine send into its own network. Connectivity checks of the
 * peer reach the one UDP port, and their source is the address of the peer (RFC 8445 §7.3.1.3). A connection that is offered by
 * this side sends to the candidates that its owner has checked.
 */
export class Peer {
  readonly id: string;
  readonly #options: PeerOptions;
  readonly #listener: PeerListener;
  readonly #connection: PeerConnection;
  /** Referenced here, because callbacks of a garbage-collected track stop. */
  readonly #tracks: PeerTrack[] = [];
  readonly #connecting: NodeJS.Timeout;
  #gathered: (() => void) | null = null;
  #receivedBytes = 0;
  #sentBytes = 0;
  /** Whether ICE is complete, so that no port is blocked. */
  #isReached = false;
  #isConnected = false;
  #ended = false;

  constructor(options: PeerOptions, listener: PeerListener) {
    const { id, port, host } = options;
    const bindAddress = bindAddressOf(host);
    this.id = id;
    this.#options = options;
    this.#listener = listener;
    this.#connection = new PeerConnection(id, {
      // No STUN server is asked for the address of this machine.
      iceServers: [],
      ...(port === null ? {} : { enableIceUdpMux: true, portRangeBegin: port, portRangeEnd: port }),
      disableAutoNegotiation: true,
      ...defined({ bindAddress }),
    });
    this.#connection.onTrack((track) => this.#guarded(() => this.#listener.onTrack?.(this.#open(track))));
    this.#connection.onStateChange((state) => this.#guarded(() => this.#onState(state)));
    this.#connection.onGatheringStateChange((state) => {
      if (state === 'complete') this.#gathered?.();
    });
    this.#connection.onIceStateChange((state) => {
      if (state === 'connected' || state === 'completed') this.#isReached = true;
    });
    this.#connecting = setTimeout(() => this.#fail(), options.connectMs);
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

  /** Adds a track that this side sends. Call it before `answer`, with the mid of the offer's media section. */
  addTrack(media: Video | Audio): PeerTrack {
    return this.#open(this.#connection.addTrack(media));
  }

  /** Answers an offer. The answer has the candidates of all interfaces. @throws Error if the offer cannot be answered */
  async answer(offer: string): Promise<string> {
    return this.#describe('answer', () =>
      this.#connection.setRemoteDescription(withoutCandidates(offer), 'offer'),
    );
  }

  /** Offers a connection. The offer contains the candidates of all interfaces. */
  offer(): Promise<string> {
    return this.#describe('offer', () => undefined);
  }

  /** @param candidates checked addresses; those in the answer are ignored */
  accept(answer: string, candidates: readonly { readonly mid: string; readonly candidate: string }[]): void {
    this.#connection.setRemoteDescription(withoutCandidates(answer), 'answer');
    for (const { mid, candidate } of candidates) this.#connection.addRemoteCandidate(candidate, mid);
  }

  async #describe(type: 'offer' | 'answer', begin: () => void): Promise<string> {
    const whenGathered = new Promise<void>((resolve, reject) => {
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
    await whenGathered;
    const description = this.#connection.localDescription();
    if (!description || this.#ended) throw new Error('the connection ended before its description');
    return description.sdp;
  }

  /** Closes the connection from this side. May be called twice. @param reason `finished` at the request of the client */
  close(reason: 'finished' | 'closed' = 'closed'): void {
    this.#end(reason);
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

  /** A packet that cannot be sent counts as lost, like on the network. */
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
      this.#isReached = this.#isConnected = true;
      clearTimeout(this.#connecting);
      this.#listener.onConnected?.();
    } else if (state === 'failed' || state === 'closed') this.#fail();
  }

  #fail(): void {
    this.#end(this.#isReached ? 'lost' : 'unreachable');
  }

  /** An exception in a listener ends only this connection. */
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
    // Closing within a callback of the library is not allowed.
    setImmediate(() => this.#connection.close());
    this.#listener.onEnd(reason);
  }
}
