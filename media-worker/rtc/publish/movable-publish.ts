import type { Logger } from '@/lib/infra/logger';
import type { PublishLifecycle } from '@/media-worker/ingest/publisher/publish-lifecycle';
import type { MediaPacket, VideoPacket } from '@/media-worker/media/packets/media-packet';
import type { PublishEnd } from '@/media-worker/media/packets/publish';
import type { OfferedMedia } from './offered-media';
import { TakeoverGate } from './takeover-gate';

/** Maximum time from a rejected ICE restart to the next offer of the client, ms. */
const MAX_MOVE_MS = 10_000;
/**
 * When the previous connection has sent nothing for this long, the next connection does not wait for its own
 * audio, ms.
 */
const SILENCE_MS = 250;

type Tracks = Pick<OfferedMedia, 'video' | 'audio'>;

interface MovablePublishOptions {
  readonly publish: PublishLifecycle;
  /** Fingerprint of the stream key. */
  readonly keyFingerprint: string;
  readonly tracks: Tracks;
  readonly log: Pick<Logger, 'info'>;
  /** Returns monotonic milliseconds. */
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

  /** Whether this connection takes over with the next keyframe. */
  get wantsKeyframe(): boolean {
    return this.#gate?.wantsKeyframe ?? false;
  }

  /**
   * Called when ICE and DTLS are complete.
   * @returns the start of the media timeline of the publish, monotonic ms
   */
  onConnected(): number {
    return this.#publish.startTimeline();
  }

  push(packet: MediaPacket): void {
    const packets = this.#gate ? this.#publish.passGate(this, this.#gate, packet) : [packet];
    if (!packets) return;
    this.#gate = null;
    for (const admittedPacket of packets) this.#publish.pushMedia(this, admittedPacket);
  }

  /**
   * Publishes a frame of a smaller layer, once this connection publishes.
   * @param layer number of the layer, from 1
   */
  pushLayer(layer: number, packet: VideoPacket): void {
    if (!this.#gate) this.#publish.pushLayerMedia(this, layer, packet);
  }

  /** Called when an ICE restart was rejected: the client will connect again. */
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
 * A publish that can move to another connection of the same client. The previous connection sends until the next
 * one can take over, so no media is lost unless the previous connection is already broken.
 */
export class MovablePublish {
  readonly #options: MovablePublishOptions;
  #currentConnection: PublishConnection | null = null;
  #nextConnection: PublishConnection | null = null;
  #timelineStartMs: number | null = null;
  #moveExpectedAtMs = -Infinity;

  constructor(options: MovablePublishOptions) {
    this.#options = options;
  }

  /** Creates the first connection. */
  createFirstConnection(close: () => void): PublishConnection {
    const connection = new PublishConnection(this, close, null);
    this.#currentConnection = connection;
    return connection;
  }

  /**
   * Whether an offer with this key and these tracks continues this publish, which a rejected ICE restart has
   * announced.
   */
  isContinuedBy(streamKeyFingerprint: string, tracks: Tracks): boolean {
    const { publish, keyFingerprint, tracks: ownTracks } = this.#options;
    const hasSameTracks =
      ownTracks.video?.codec === tracks.video?.codec &&
      (ownTracks.audio === null) === (tracks.audio === null);
    return !publish.hasEnded && this.#isMoving && keyFingerprint === streamKeyFingerprint && hasSameTracks;
  }

  /** Creates the connection that takes over. An earlier connection that has not taken over yet is closed. */
  createNextConnection(close: () => void): PublishConnection {
    const previousCandidate = this.#nextConnection;
    const connection = new PublishConnection(this, close, new TakeoverGate(this.#options.tracks));
    this.#nextConnection = connection;
    previousCandidate?.close();
    return connection;
  }

  /** Closes all connections. Called when the live process ends the publish. */
  closeAll(): void {
    const openConnections = [this.#currentConnection, this.#nextConnection];
    this.#currentConnection = this.#nextConnection = null;
    for (const connection of openConnections) connection?.close();
  }

  /** Starts the media timeline with the first connection; returns its start, monotonic ms. */
  startTimeline(): number {
    return (this.#timelineStartMs ??= this.#options.now());
  }

  /** Called when an ICE restart was rejected, after which the client may open another connection. */
  expectMove(): void {
    this.#moveExpectedAtMs = this.#options.now();
  }

  /**
   * Passes a packet through the gate of a connection. When the gate opens for the next connection, that connection
   * takes over and the previous one is closed.
   * @returns the packets to publish; null while the connection is held back
   */
  passGate(
    connection: PublishConnection,
    gate: TakeoverGate,
    packet: MediaPacket,
  ): readonly MediaPacket[] | null {
    const { publish, now } = this.#options;
    const isUrgent = connection === this.#currentConnection || publish.silentMs() >= SILENCE_MS;
    const packets = gate.push(packet, now(), isUrgent);
    if (!packets || connection !== this.#nextConnection) return packets;
    const previous = this.#currentConnection;
    this.#takeOver(connection);
    previous?.close();
    return packets;
  }

  /** Makes a connection the sending one. Its own end is then the end of the publish. */
  #takeOver(connection: PublishConnection): void {
    const { publish, log } = this.#options;
    this.#currentConnection = connection;
    this.#nextConnection = null;
    this.#moveExpectedAtMs = -Infinity;
    log.info({ connection: publish.id, ...publish.ids }, 'WebRTC publish continues on another connection');
  }

  /** Publishes a packet, if it comes from the current connection. */
  pushMedia(connection: PublishConnection, packet: MediaPacket): void {
    if (connection === this.#currentConnection) this.#options.publish.pushMedia(packet);
  }

  /** Publishes a frame of a smaller layer, if it comes from the current connection. */
  pushLayerMedia(connection: PublishConnection, layer: number, packet: VideoPacket): void {
    if (connection === this.#currentConnection) this.#options.publish.pushLayerMedia(layer, packet);
  }

  /** Handles the end of a connection. The publish ends with its current connection, unless another one takes over. */
  end(connection: PublishConnection, reason: PublishEnd): void {
    if (connection === this.#nextConnection) this.#nextConnection = null;
    if (connection !== this.#currentConnection) return;
    this.#currentConnection = null;
    // A client that closes its connection to open another one has not ended the publish.
    if (this.#nextConnection) this.#takeOver(this.#nextConnection);
    else this.#options.publish.end(this.#isMoving ? 'lost' : reason);
  }

  get #isMoving(): boolean {
    return this.#options.now() - this.#moveExpectedAtMs <= MAX_MOVE_MS;
  }
}
