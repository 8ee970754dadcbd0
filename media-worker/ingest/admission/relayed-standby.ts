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

const retryMs = 500;
/** How long an encoder is kept without a decision; a killed node counts as dead after ten seconds. */
const decisionTimeoutMs = 20_000;
/** Time within which a node that took the encoder starts reading. */
const readMs = 5_000;
/** Silence after which an encoder is considered dead. */
const silenceLimitMs = 10_000;
/** Duration below which a relay counts as rejected. */
const shortMs = 5_000;
const maxShortRelays = 3;
const checkIntervalMs = 2_000;

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
  #short = 0;
  #isMoving = false;
  #reading: NodeJS.Timeout | undefined;

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
    this.#reading = setTimeout(() => void this.#move(), readMs);
  }

  end(reason: PublishEnd): void {
    clearTimeout(this.#reading);
    this.#ended = reason;
    this.#bus.end(reason);
    this.#sink?.end(reason);
    this.#options.onClose();
  }

  /** Serves the packets until either side ends. A complete response means that the encoder ended cleanly. */
  async serve(response: ServerResponse): Promise<void> {
    clearTimeout(this.#reading);
    const startedAt = performance.now();
    const checkTimer = setInterval(() => void this.#checkReader(response), checkIntervalMs);
    response.on('close', () => clearInterval(checkTimer));
    await sendFlv(response, this.#bus.reader());
    if (this.#ended === 'finished') response.end();
    else response.destroy();
    if (this.#ended !== null) return;
    this.#short = performance.now() - startedAt < shortMs ? this.#short + 1 : 0;
    await this.#move();
  }

  async #checkReader(response: ServerResponse): Promise<void> {
    // The connection is kept during a database outage.
    if (await this.#options.isReaderLost().catch(() => false)) response.destroy();
  }

  /** Finds a place for the encoder after the other node has stopped reading. */
  async #move(): Promise<void> {
    if (this.#isMoving) return;
    this.#isMoving = true;
    const { connection, readmit } = this.#options;
    const until = performance.now() + decisionTimeoutMs;
    const isWanted = () => this.#short < maxShortRelays && connection.silentFor() < silenceLimitMs;
    try {
      while (this.#ended === null && isWanted() && performance.now() < until) {
        const answer = await readmit(this).catch(() => 'later' as const);
        if (answer === 'relayed') return;
        if (answer === null) break;
        if (answer !== 'later') {
          this.#publishHere(answer);
          return;
        }
        await delay(retryMs);
      }
      connection.disconnect('lost');
    } finally {
      this.#isMoving = false;
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

  /** Serves standby encoders to other nodes; `next` answers all other requests. */
  wrap(next: RequestListener): RequestListener {
    return (request, response) => {
      const [, id = ''] = relayPath.exec(request.url ?? '') ?? [];
      const relay = this.#relays.get(id);
      if (relay) void relay.serve(response);
      else next(request, response);
    };
  }
}
