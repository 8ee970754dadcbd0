import type { Logger } from '@/lib/infra/logger';
import type { PublishLifecycle } from '@/media-worker/ingest/publisher/publish-lifecycle';
import type { MediaPacket } from '@/media-worker/media/packets/media-packet';
import type { PublishEnd } from '@/media-worker/media/packets/publish';
import type { OfferedMedia } from './offered-media';
import { TakeoverGate } from './takeover-gate';

/** How long a client may take from a refused ICE restart to its next offer. */
const MOVE_MS = 10_000;
/** When the previous connection has sent nothing for this long, the next one does not wait for its audio, ms. */
const SILENT_MS = 250;

type Tracks = Pick<OfferedMedia, 'video' | 'audio'>;

interface MovablePublishOptions {
  readonly publish: PublishLifecycle;
  /** Fingerprint of the stream key. */
  readonly key: string;
  readonly tracks: Tracks;
  readonly log: Pick<Logger, 'info'>;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

/** One connection of a publish. */
export class PublishConnection {
  readonly close: () => void;
  readonly #publish: MovablePublish;
  #gate: TakeoverGate | null;

  constructor(publish: MovablePublish, close: () => void, gate: TakeoverGate | null) {
    this.#publish = publish;
    this.close = close;
    this.#gate = gate;
  }

  /** Whether this connection continues a publish that another connection started. */
  get isSuccessor(): boolean {
    return this.#gate !== null;
  }

  get wantsKeyframe(): boolean {
    return this.#gate?.wantsKeyframe ?? false;
  }

  /** ICE and DTLS are done. @returns the start of the media timeline of the publish */
  connected(): number {
    return this.#publish.begin();
  }

  push(packet: MediaPacket): void {
    const packets = this.#gate ? this.#publish.enter(this, this.#gate, packet) : [packet];
    if (!packets) return;
    this.#gate = null;
    for (const each of packets) this.#publish.media(this, each);
  }

  /** The client was refused an ICE restart, and is about to connect again. */
  expectMove(): void {
    this.#publish.expectMove();
  }

  /** Ends the connection from this side. */
  disconnect(reason: PublishEnd): void {
    this.#publish.end(this, reason);
    this.close();
  }

  /** The connection has ended. */
  end(reason: PublishEnd): void {
    this.#publish.end(this, reason);
  }
}

/**
 * A publish that may move to another connection of the same client while it goes on. The connection before it sends until the next
 * one does, so nothing is missing unless it is broken already.
 */
export class MovablePublish {
  readonly #options: MovablePublishOptions;
  #sending: PublishConnection | null = null;
  #next: PublishConnection | null = null;
  #beganAt: number | null = null;
  #expectedAt = -Infinity;

  constructor(options: MovablePublishOptions) {
    this.#options = options;
  }

  /** The first connection. */
  open(close: () => void): PublishConnection {
    const connection = new PublishConnection(this, close, null);
    this.#sending = connection;
    return connection;
  }

  /** Whether an offer with this key and these tracks goes on with this publish. */
  isMovedBy(key: string, tracks: Tracks): boolean {
    const { publish, key: ownKey, tracks: ownTracks } = this.#options;
    const isSame =
      ownTracks.video?.codec === tracks.video?.codec &&
      (ownTracks.audio === null) === (tracks.audio === null);
    return !publish.ended && this.#isMoving && ownKey === key && isSame;
  }

  /** The connection that takes over. One that was to do so before has failed. */
  moveTo(close: () => void): PublishConnection {
    const failed = this.#next;
    const connection = new PublishConnection(this, close, new TakeoverGate(this.#options.tracks));
    this.#next = connection;
    failed?.close();
    return connection;
  }

  /** Called when the publish was ended by the live process. */
  closeAll(): void {
    const open = [this.#sending, this.#next];
    this.#sending = this.#next = null;
    for (const connection of open) connection?.close();
  }

  begin(): number {
    return (this.#beganAt ??= this.#options.now());
  }

  expectMove(): void {
    this.#expectedAt = this.#options.now();
  }

  /** Null while the connection is held back. */
  enter(
    connection: PublishConnection,
    gate: TakeoverGate,
    packet: MediaPacket,
  ): readonly MediaPacket[] | null {
    const { publish, now, log } = this.#options;
    const isUrgent = connection === this.#sending || publish.silentFor() >= SILENT_MS;
    const packets = gate.take(packet, now(), isUrgent);
    if (!packets || connection !== this.#next) return packets;
    const before = this.#sending;
    this.#sending = connection;
    this.#next = null;
    this.#expectedAt = -Infinity;
    log.info({ connection: publish.id, ...publish.about }, 'WebRTC publish goes on over another connection');
    before?.close();
    return packets;
  }

  media(connection: PublishConnection, packet: MediaPacket): void {
    if (connection === this.#sending) this.#options.publish.media(packet);
  }

  end(connection: PublishConnection, reason: PublishEnd): void {
    if (connection === this.#next) this.#next = null;
    if (connection !== this.#sending) return;
    this.#sending = this.#next;
    this.#next = null;
    // A client that gives up its connection to make another one has not finished.
    if (!this.#sending) this.#options.publish.end(this.#isMoving ? 'lost' : reason);
  }

  get #isMoving(): boolean {
    return this.#options.now() - this.#expectedAt <= MOVE_MS;
  }
}
