import { newId } from '@/lib/infra/ids';
import { networkOfIp, unmapAddress } from '@/lib/infra/egress/ip-address';
import type { ConnectionLimits, Full, Slot } from '@/media-worker/ingest/publisher/connection-limits';
import { PublishLifecycle } from '@/media-worker/ingest/publisher/publish-lifecycle';
import { Cookies, type Peer } from './cookies';
import { type DecisionContext, decideCall } from './decide-call';
import { type Handshake, handshakeTypes, parseHandshake, rejections } from './handshake';
import {
  createAcceptingResponse,
  createInductionResponse,
  createRejectionResponse,
} from './handshake-answers';
import type { StreamCipher } from './key-material';
import { type Call, parseCall } from './read-call';
import { SrtConnection } from './srt-connection';
import type { SrtLimits } from './srt-limits';
import type { ControlPacket } from './srt-packet';

interface HandshakeOptions extends DecisionContext {
  readonly limits: SrtLimits;
  readonly slots: ConnectionLimits;
  readonly send: (packet: Buffer, peer: Peer) => void;
  readonly onFull: (ip: string, full: Full) => void;
  /** Returns a socket id that no connection uses. */
  readonly newSocketId: () => number;
  readonly onOpen: (socketId: number, peer: Peer, connection: SrtConnection) => void;
  readonly onClosed: (socketId: number) => void;
}

/**
 * A caller from its conclusion to the end of its connection. The caller repeats its conclusion until it is
 * answered.
 */
interface Caller {
  /** Address, port and socket id, by which a repeated conclusion is recognized. */
  readonly name: string;
  readonly peer: Peer;
  readonly conclusion: Handshake;
  readonly call: Call;
  readonly timestampUs: number;
  readonly slot: Slot;
  readonly publish: PublishLifecycle;
  readonly openResult: OpenResult;
}

/** Result of the admission. `answer` is repeated if the caller repeats its conclusion. Both are null before the admission. */
interface OpenResult {
  connection: SrtConnection | null;
  answer: Buffer | null;
}

/** The handshakes of an SRT server. No state is kept for a caller before it returns a cookie from its address. */
export class SrtHandshakes {
  readonly #options: HandshakeOptions;
  readonly #cookies: Cookies;
  readonly #callers = new Map<string, Caller>();

  constructor(options: HandshakeOptions) {
    this.#options = options;
    this.#cookies = new Cookies(options.now);
  }

  /** Handles a handshake packet. Packets without a valid cookie are ignored. */
  receive(packet: ControlPacket, peer: Peer): void {
    const handshake = parseHandshake(packet.body);
    if (!handshake || handshake.socketId === 0) return;
    const { type, cookie, socketId } = handshake;
    if (type === handshakeTypes.induction) {
      this.#options.send(createInductionResponse(handshake, this.#cookies.create(peer), peer.address), peer);
      return;
    }
    if (type !== handshakeTypes.conclusion || !this.#cookies.isValid(cookie, peer)) return;
    const name = `${peer.address} ${peer.port} ${socketId}`;
    const knownCaller = this.#callers.get(name);
    if (!knownCaller) this.#conclude(name, handshake, peer, packet.timestampUs);
    else if (knownCaller.openResult.answer) this.#options.send(knownCaller.openResult.answer, peer);
  }

  /** Ends all connections, and all callers that wait for their admission. */
  close(): void {
    for (const { publish } of this.#callers.values()) publish.disconnect('cut');
  }

  #conclude(name: string, handshake: Handshake, peer: Peer, timestampUs: number): void {
    const { slots, onFull, send } = this.#options;
    const call = parseCall(handshake);
    if ('rejection' in call) {
      send(createRejectionResponse(handshake, call.rejection), peer);
      return;
    }
    const ip = unmapAddress(peer.address);
    const openResult: OpenResult = { connection: null, answer: null };
    const publish = this.#newPublish(name, ip, openResult);
    const slot = slots.takeSlot(networkOfIp(ip), () => publish.disconnect('cut'));
    if ('fullLimit' in slot) {
      onFull(ip, slot);
      send(createRejectionResponse(handshake, rejections.resource), peer);
      return;
    }
    // Views of the datagram are dropped, because they would keep it in memory.
    const conclusion = { ...handshake, peerAddress: Buffer.alloc(16), extensions: new Map<number, Buffer>() };
    const caller: Caller = { name, peer, conclusion, call, timestampUs, slot, publish, openResult };
    this.#callers.set(name, caller);
    void this.#decide(caller);
  }

  #newPublish(name: string, ip: string, openResult: OpenResult): PublishLifecycle {
    const { limits, now, log } = this.#options;
    const publish: PublishLifecycle = new PublishLifecycle({
      id: newId(),
      ip,
      source: 'encoder',
      limits,
      now,
      close: () => openResult.connection?.close('cut'),
      onEnd: (reason, wasAdmitted) => {
        this.#remove(name, publish);
        const ids = { connection: publish.id, ...publish.ids };
        if (wasAdmitted) log.info({ ...ids, reason, ...openResult.connection?.counts }, 'publish ended');
      },
    });
    return publish;
  }

  async #decide(caller: Caller): Promise<void> {
    const { name, call, publish, conclusion, peer, slot } = caller;
    const decision = await decideCall(call, publish, this.#options);
    if ('rejection' in decision) {
      this.#options.send(createRejectionResponse(conclusion, decision.rejection), peer);
      this.#remove(name, publish);
      return;
    }
    if (!publish.hasEnded) {
      slot.keep();
      this.#open(caller, decision.cipher);
    }
    publish.attachSink(decision.sink);
  }

  #open(caller: Caller, cipher: StreamCipher | null): void {
    const { limits, now, newSocketId, onOpen, onClosed, send } = this.#options;
    const { peer, publish, conclusion, call, timestampUs, openResult } = caller;
    const socketId = newSocketId();
    const latencyMs = Math.min(Math.max(call.requestedLatencyMs, limits.latencyMs), limits.maxLatencyMs);
    const connection = new SrtConnection({
      publish,
      limits,
      latencyMs,
      cipher,
      conclusionTimestampUs: timestampUs,
      monotonicMs: now(),
      peerSocketId: conclusion.socketId,
      initialSequence: conclusion.initialSequence,
      send: (packet) => send(packet, peer),
      onClosed: () => onClosed(socketId),
    });
    const flowWindow = limits.bufferPackets;
    const answer = createAcceptingResponse(conclusion, {
      socketId,
      call,
      latencyMs,
      flowWindow,
      ip: peer.address,
    });
    openResult.connection = connection;
    openResult.answer = answer;
    onOpen(socketId, peer, connection);
    send(answer, peer);
  }

  /** Removes a caller, unless it has called again meanwhile. */
  #remove(name: string, publish: PublishLifecycle): void {
    const caller = this.#callers.get(name);
    if (caller?.publish !== publish) return;
    caller.slot.release();
    this.#callers.delete(name);
  }
}
