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

/** Result for an encoder whose relay has ended: it publishes here, is relayed again, is retried later, or is rejected. */
export type Readmission = PublishSink | 'relayed' | 'later' | null;

const retryMs = 500;
/** A killed node is known to be gone after ten seconds. */
const patienceMs = 20_000;
/** A node that took the encoder starts reading within this time. */
const readMs = 5_000;
/** An encoder without media for this long is considered dead. */
const silenceLimitMs = 10_000;
/** A relay that ends sooner than this was rejected. */
const shortMs = 5_000;
const mostShort = 3;
const lookMs = 2_000;

interface RelayOptions {
  readonly connection: PublisherConnection;
  readonly readmit: (relay: RelayedStandby) => Promise<Readmission>;
  /** Whether the reading node has been silent for too long: a node without a network closes no connection. */
  readonly isReaderLost: () => Promise<boolean>;
  readonly log: Logger;
  readonly onClose: () => void;
}

/** A standby encoder whose stream is at another node, which fetches its packets. If that node is lost, it publishes here. */
export class RelayedStandby implements PublishSink {
  readonly id = newId();
  readonly #options: RelayOptions;
  readonly #bus: PacketBus;
  /** Receives the packets once the encoder publishes here. */
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

  /** The other node has taken the encoder. */
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
    const looking = setInterval(() => void this.#look(response), lookMs);
    response.on('close', () => clearInterval(looking));
    await sendFlv(response, this.#bus.reader());
    if (this.#ended === 'finished') response.end();
    else response.destroy();
    if (this.#ended !== null) return;
    this.#short = performance.now() - startedAt < shortMs ? this.#short + 1 : 0;
    await this.#move();
  }

  async #look(response: ServerResponse): Promise<void> {
    // Keep the connection while the database is away.
    if (await this.#options.isReaderLost().catch(() => false)) response.destroy();
  }

  /** The other node has stopped reading. */
  async #move(): Promise<void> {
    if (this.#isMoving) return;
    this.#isMoving = true;
    const { connection, readmit } = this.#options;
    const until = performance.now() + patienceMs;
    const isWanted = () => this.#short < mostShort && connection.silentFor() < silenceLimitMs;
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

  /** Continues with the current GOP of the encoder. */
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

  forget({ id }: RelayedStandby): void {
    this.#relays.delete(id);
  }

  /** Serves standby encoders to other nodes; `next` answers everything else. */
  wrap(next: RequestListener): RequestListener {
    return (request, response) => {
      const [, id = ''] = relayPath.exec(request.url ?? '') ?? [];
      const relay = this.#relays.get(id);
      if (relay) void relay.serve(response);
      else next(request, response);
    };
  }
}
