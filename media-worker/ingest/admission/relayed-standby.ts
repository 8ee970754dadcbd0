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
 * Result for an encoder whose relay has ended: it publishes on this node, is relayed again, is retried later, or
 * is rejected.
 */
export type Readmission = PublishSink | 'relayed' | 'later' | null;

const RETRY_DELAY_MS = 500;
/** Maximum time for which an encoder is kept without a decision. A killed node counts as dead after ten seconds. */
const DECISION_TIMEOUT_MS = 20_000;
/** Timeout until a node that has taken the encoder reads its packets. */
const READ_TIMEOUT_MS = 5_000;
/** Silence after which an encoder is considered dead. */
const SILENCE_LIMIT_MS = 10_000;
/** A relay that ends before this time counts as rejected. */
const SHORT_RELAY_MS = 5_000;
const MAX_SHORT_RELAYS = 3;
const CHECK_INTERVAL_MS = 2_000;

interface RelayOptions {
  readonly connection: PublisherConnection;
  readonly readmit: (relay: RelayedStandby) => Promise<Readmission>;
  /** Whether the reading node has been silent for too long, because a node without a network closes no connection. */
  readonly isReaderLost: () => Promise<boolean>;
  readonly log: Logger;
  readonly onClose: () => void;
}

/**
 * A standby encoder at this node whose stream is at another node, which fetches its packets. If that node is lost,
 * the encoder publishes on this node.
 */
export class RelayedStandby implements PublishSink {
  readonly id = newId();
  readonly #options: RelayOptions;
  readonly #bus: PacketBus;
  /** Receives the packets once the encoder publishes on this node. */
  #sink: PublishSink | null = null;
  #ended: PublishEnd | null = null;
  #shortRelays = 0;
  #isReadmitting = false;
  #readTimer: NodeJS.Timeout | undefined;

  constructor(options: RelayOptions) {
    this.#options = options;
    const { log } = options;
    this.#bus = new PacketBus({ onSubscriberError: (error) => log.error({ err: error }, 'relay failed') });
  }

  push(packet: MediaPacket): void {
    if (this.#sink) this.#sink.push(packet);
    else this.#bus.push(packet);
  }

  /** Records that the other node has taken the encoder. */
  markTaken(): void {
    this.#readTimer = setTimeout(() => void this.#readmit(), READ_TIMEOUT_MS);
  }

  end(reason: PublishEnd): void {
    clearTimeout(this.#readTimer);
    this.#ended = reason;
    this.#bus.end(reason);
    this.#sink?.end(reason);
    this.#options.onClose();
  }

  /** Serves the packets until either side ends. A complete response means that the encoder ended cleanly. */
  async serve(response: ServerResponse): Promise<void> {
    clearTimeout(this.#readTimer);
    const startedAt = performance.now();
    const checkTimer = setInterval(() => void this.#checkReader(response), CHECK_INTERVAL_MS);
    response.on('close', () => clearInterval(checkTimer));
    await sendFlv(response, this.#bus.openReader());
    if (this.#ended === 'finished') response.end();
    else response.destroy();
    if (this.#ended !== null) return;
    this.#shortRelays = performance.now() - startedAt < SHORT_RELAY_MS ? this.#shortRelays + 1 : 0;
    await this.#readmit();
  }

  async #checkReader(response: ServerResponse): Promise<void> {
    // The connection is kept during a database outage.
    if (await this.#options.isReaderLost().catch(() => false)) response.destroy();
  }

  /** Admits the encoder again after the other node has stopped reading. */
  async #readmit(): Promise<void> {
    if (this.#isReadmitting) return;
    this.#isReadmitting = true;
    const { connection, readmit } = this.#options;
    const deadline = performance.now() + DECISION_TIMEOUT_MS;
    const isWanted = () => this.#shortRelays < MAX_SHORT_RELAYS && connection.silentFor() < SILENCE_LIMIT_MS;
    try {
      while (this.#ended === null && isWanted() && performance.now() < deadline) {
        const answer = await readmit(this).catch(() => 'later' as const);
        if (answer === 'relayed') return;
        if (answer === null) break;
        if (answer !== 'later') {
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

  /** Publishes on this node, starting with the encoder's current GOP. */
  #publishHere(sink: PublishSink): void {
    const endReason = this.#ended;
    if (endReason !== null) {
      sink.end(endReason);
      return;
    }
    const stop = this.#bus.subscribe({ packet: (packet) => sink.push(packet), end: () => undefined });
    stop();
    this.#sink = sink;
  }
}

/** Standby encoders at this node whose streams are at other nodes. */
export class RelayedStandbys {
  readonly #relays = new Map<string, RelayedStandby>();

  open(options: Omit<RelayOptions, 'onClose'>): RelayedStandby {
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

  /** Creates a listener that serves standby encoders to other nodes; `next` handles all other requests. */
  createListener(next: RequestListener): RequestListener {
    return (request, response) => {
      const [, id = ''] = relayPath.exec(request.url ?? '') ?? [];
      const relay = this.#relays.get(id);
      if (relay) void relay.serve(response);
      else next(request, response);
    };
  }
}
