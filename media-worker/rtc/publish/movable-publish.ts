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

  /** Called when ICE and DTLS are complete. @returns the start of the media timeline of the publish */
  connected(): number {
    return this.#publish.begin();
  }

  push(packet: MediaPacket): void {
    const packets = this.#gate ? this.#publish.enter(this, this.#gate, packet) : [packet];
    if (!packets) return;
    this.#gate = null;
    for (const each of packets) this.#publish.media(this, each);
  }

  /** Called when an ICE restart was refused: the client will connect again. */
  expectMove(): void {
    this.#publish.expectMove();
  }

  /** Ends the connection from this side. */
  disconnect(reason: PublishEnd): void {
    this.#publish.end(this, reason);
    this.close();
  }

  /** Called when the connection has ended. */
  end(reason: PublishEnd): void {
    this.#publish.end(this, reason);
  }
}

/**
 * A publish that can move to another connection of the same client. The previous connection sends until the next one does, so no
 * media is lost unless it is already broken.
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

  /** Creates the first connection. */
  open(close: () => void): PublishConnection {
    const connection = new PublishConnection(this, close, null);
    this.#sending = connection;
    return connection;
  }

  /** Whether an offer with this key and these tracks continues this publish. */
  isMovedBy(key: string, tracks: Tracks): boolean {
    const { publish, key: ownKey, tracks: ownTracks } = this.#options;
    const isSame =
      ownTracks.video?.codec === tracks.video?.codec &&
      (ownTracks.audio === null) === (tracks.audio === null);
    return !publish.ended && this.#isMoving && ownKey === key && isSame;
  }

  /** Creates the connection that takes over, and closes an earlier candidate. */
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

  /** The packets to publish; null while the connection is held back. */
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
    log.info({ connection: publish.id, ...publish.about }, 'WebRTC publish continues on another connection');
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
    // A client that closes its connection to open another one has not ended the publish.
    if (!this.#sending) this.#options.publish.end(this.#isMoving ? 'lost' : reason);
  }

  get #isMoving(): boolean {
    return this.#options.now() - this.#expectedAt <= MOVE_MS;
  }
}
