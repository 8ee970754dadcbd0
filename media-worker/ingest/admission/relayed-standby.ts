import type { RequestListener, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@/lib/infra/logger';
import { newId } from '@/lib/infra/ids';
import type { MediaPacket } from '@/media-worker/media/packets/media-packet';
import { PacketBus } from '@/media-worker/media/packets/packet-bus';
import { sendFlv } from '@/media-worker/media/packets/send-flv';
import type { PublishEnd, PublisherConnection, PublishSink } from '@/media-worker/media/packets/publish';

/** Path where another node fetches the packets of a standby encoder: `/standbys/<id>`. */
const relayPath = /^\/standbys\/([0-9a-f-]{36})$/;

/**
 * Decision about a standby encoder whose relay has ended. A sink: it publishes on this node. `relayed`: another node has taken
 * it. `retry`: no decision yet. Null: it is rejected.
 */
export type Readmission = PublishSink | 'relayed' | 'retry' | null;

const RETRY_DELAY_MS = 500;
/**
 * Maximum time for which an encoder is kept without a decision. Longer than the ten seconds after which a killed node counts
 * as dead.
 */
const DECISION_TIMEOUT_MS = 20_000;
/** Timeout from the acceptance of the encoder by another node until that node fetches its packets. */
const READ_TIMEOUT_MS = 5_000;
/** An encoder that has sent no packet for this time is disconnected instead of admitted again. */
const SILENCE_LIMIT_MS = 10_000;
/** A relay shorter than this counts as short. An encoder with `MAX_SHORT_RELAYS` in a row is disconnected. */
const SHORT_RELAY_MS = 5_000;
const MAX_SHORT_RELAYS = 3;
/** Interval at which the node that reads the packets is checked. */
const CHECK_INTERVAL_MS = 2_000;

interface RelayedStandbyOptions {
  readonly connection: PublisherConnection;
  /** Decides where the encoder publishes after its relay has ended. Errors count as `retry`. */
  readonly readmit: (relay: RelayedStandby) => Promise<Readmission>;
  /** Whether the node that reads the packets counts as dead. Its connection stays open if it lost its network. */
  readonly isReaderLost: () => Promise<boolean>;
  readonly log: Logger;
  /** Called when the encoder's publish has ended. */
  readonly onClose: () => void;
}

/**
 * A standby encoder at this node whose stream is at another node, which fetches its packets. If that node is lost,
 * the encoder publishes on this node.
 */
export class RelayedStandby implements PublishSink {
  readonly id = newId();
  readonly #options: RelayedStandbyOptions;
  readonly #bus: PacketBus;
  /** Receives the packets once the encoder publishes on this node. */
  #sink: PublishSink | null = null;
  #endReason: PublishEnd | null = null;
  #shortRelayCount = 0;
  #isReadmitting = false;
  #readTimer: NodeJS.Timeout | undefined;

  constructor(options: RelayedStandbyOptions) {
    this.#options = options;
    const { log } = options;
    this.#bus = new PacketBus({ onSubscriberError: (error) => log.error({ err: error }, 'relay failed') });
  }

  push(packet: MediaPacket): void {
    if (this.#sink) this.#sink.push(packet);
    else this.#bus.push(packet);
  }

  /** Called when another node has taken the encoder. If it does not fetch the packets in time, the encoder is admitted again. */
  startReadTimeout(): void {
    this.#readTimer = setTimeout(() => void this.#readmit(), READ_TIMEOUT_MS);
  }

  end(reason: PublishEnd): void {
    clearTimeout(this.#readTimer);
    this.#endReason = reason;
    this.#bus.end(reason);
    this.#sink?.end(reason);
    this.#options.onClose();
  }

  /**
   * Sends the packets to the node that has the stream, as FLV, until the encoder or that node disconnects. The response is
   * completed if the encoder ended its publish (`finished`), and otherwise destroyed.
   */
  async serve(response: ServerResponse): Promise<void> {
    clearTimeout(this.#readTimer);
    const startedAtMs = performance.now();
    const checkTimer = setInterval(() => void this.#checkReader(response), CHECK_INTERVAL_MS);
    response.on('close', () => clearInterval(checkTimer));
    await sendFlv(response, this.#bus.openReader());
    if (this.#endReason === 'finished') response.end();
    else response.destroy();
    if (this.#endReason !== null) return;
    this.#shortRelayCount = performance.now() - startedAtMs < SHORT_RELAY_MS ? this.#shortRelayCount + 1 : 0;
    await this.#readmit();
  }

  async #checkReader(response: ServerResponse): Promise<void> {
    // While the database does not respond, the reader is not known to be lost.
    if (await this.#options.isReaderLost().catch(() => false)) response.destroy();
  }

  /** Admits the encoder again after the other node has stopped reading. Disconnects it if that fails. */
  async #readmit(): Promise<void> {
    if (this.#isReadmitting) return;
    this.#isReadmitting = true;
    const { connection, readmit } = this.#options;
    const deadlineMs = performance.now() + DECISION_TIMEOUT_MS;
    const shouldReadmit = () =>
      this.#shortRelayCount < MAX_SHORT_RELAYS && connection.silentMs() < SILENCE_LIMIT_MS;
    try {
      while (this.#endReason === null && shouldReadmit() && performance.now() < deadlineMs) {
        const answer = await readmit(this).catch(() => 'retry' as const);
        if (answer === 'relayed') return;
        if (answer === null) break;
        if (answer !== 'retry') {
          this.#publishHere(answer);
          return;
        }
        await delay(RETRY_DELAY_MS);
      }
      connection.disconnect('lost');
    } finally {
      this.#isReadmitting = false;
    }
  }

  /** Publishes on this node, starting with the GOP that the bus has cached. */
  #publishHere(sink: PublishSink): void {
    const endReason = this.#endReason;
    if (endReason !== null) {
      sink.end(endReason);
      return;
    }
    // A new subscriber immediately gets the cached GOP; later packets go directly to the sink.
    const unsubscribe = this.#bus.subscribe({ packet: (packet) => sink.push(packet), end: () => undefined });
    unsubscribe();
    this.#sink = sink;
  }
}

/** Standby encoders at this node whose streams are at other nodes. */
export class RelayedStandbys {
  readonly #relays = new Map<string, RelayedStandby>();

  /** Creates a relay for an encoder. It is removed when the encoder's publish has ended. */
  open(options: Omit<RelayedStandbyOptions, 'onClose'>): RelayedStandby {
    const relay: RelayedStandby = new RelayedStandby({
      ...options,
      onClose: () => void this.#relays.delete(relay.id),
    });
    this.#relays.set(relay.id, relay);
    return relay;
  }

  remove({ id }: RelayedStandby): void {
    this.#relays.delete(id);
  }

  /** Wraps a listener: requests of other nodes for standby encoders are served here, and `next` gets all others. */
  wrapListener(next: RequestListener): RequestListener {
    return (request, response) => {
      const [, id = ''] = relayPath.exec(request.url ?? '') ?? [];
      const relay = this.#relays.get(id);
      if (relay) void relay.serve(response);
      else next(request, response);
    };
  }
}
