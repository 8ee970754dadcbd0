import type { MediaPacket, VideoPacket } from '@/media-worker/media/packets/media-packet';
import { PacketBus } from '@/media-worker/media/packets/packet-bus';
import type { Rendition } from '@/media-worker/media/packaging/rendition';
import { positionOfKey, RenditionPackager, type RenditionPackagerOptions } from './rendition-packager';

export interface RenditionFeedOptions extends Omit<RenditionPackagerOptions, 'window'> {
  readonly rendition: Rendition;
  /** The previous feed of this rendition, which continues to the end of its segment. Then this feed takes over. */
  readonly predecessor?: RenditionFeed | undefined;
  readonly onError: (error: unknown) => void;
}

/** Maximum packets in a buffer: audio that waits for its video, or all packets of a feed that waits for its predecessor. */
const MAX_WAITING_PACKETS = 8_192;

/**
 * Joins the encoded video of one rendition with the audio of the source in decoding order, on a bus. The packager of the
 * rendition is its first reader.
 */
export class RenditionFeed {
  readonly #options: RenditionFeedOptions;
  readonly #bus: PacketBus;
  readonly #packager: RenditionPackager;
  #pendingAudio: MediaPacket[] = [];
  /** Packets that arrive while the predecessor is active; null once this feed has taken over. */
  #waitingPackets: MediaPacket[] | null = null;
  #videoMs = -Infinity;
  #onHandover: (() => void) | null = null;
  #isOver = false;

  constructor(options: RenditionFeedOptions) {
    const { rendition, onError, predecessor } = options;
    this.#options = options;
    this.#bus = new PacketBus({ onSubscriberError: onError });
    const packager = new RenditionPackager({ ...options, window: rendition.window });
    this.#packager = packager;
    this.#bus.subscribe({
      packet: (packet) => packager.push(packet),
      end: (reason) => {
        // The last segment of an aborted rendition is incomplete, so it is dropped.
        if (reason === 'finished') packager.finish();
      },
    });
    this.#waitingPackets = [];
    if (predecessor) predecessor.#handOver(() => this.#takeOver());
    else this.#takeOver();
  }

  /** Decode time of the newest frame in ms on the media timeline. */
  get videoMs(): number {
    return this.#videoMs;
  }

  /** The highest segment number in use, by this feed or its predecessors. */
  get lastMsn(): number {
    return this.#packager.lastMsn ?? this.#options.fromMsn - 1;
  }

  /** Whether the feed has ended. */
  get isOver(): boolean {
    return this.#isOver;
  }

  pushVideo(packet: VideoPacket): void {
    if (packet.role === 'config') {
      this.#push(packet);
      return;
    }
    this.#videoMs = packet.dts;
    if (this.#onHandover && this.#startsSegment(packet, this.lastMsn + 1)) {
      this.#pushAudioBefore(packet.dts);
      this.#pendingAudio = [];
      this.end(true);
      return;
    }
    if (this.#waitingPackets && !this.#waitingPackets.some(({ role }) => role === 'frame')) {
      // Segments that the predecessor has made are not repeated.
      if (!this.#startsSegment(packet, this.#options.fromMsn)) return;
      this.#pendingAudio = this.#pendingAudio.filter(({ dts }) => dts >= packet.dts);
    }
    this.#pushAudioBefore(packet.dts);
    this.#push(packet);
  }

  /** Continues with video of another configuration. The audio before its keyframe belongs to the video before it. */
  changeVideo(config: VideoPacket, keyframe: VideoPacket): void {
    this.#pushAudioBefore(keyframe.dts);
    this.pushVideo(config);
    this.pushVideo(keyframe);
  }

  pushAudio(packet: MediaPacket): void {
    if (packet.role === 'config') this.#push(packet);
    else this.#pendingAudio.push(packet);
    if (this.#pendingAudio.length > MAX_WAITING_PACKETS) this.#pendingAudio.shift();
  }

  /**
   * Ends the feed. May be called twice.
   * @param isComplete whether all packets have arrived
   */
  end(isComplete: boolean): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (isComplete) this.#pushAudioBefore(Infinity);
    this.#bus.end(isComplete ? 'finished' : 'cut');
    this.#onHandover?.();
  }

  /** Ends with the open segment, then calls `onHandover`; immediately if no segment is open. */
  #handOver(onHandover: () => void): void {
    if (this.#isOver) onHandover();
    else {
      this.#onHandover = onHandover;
      if (this.#packager.lastMsn === undefined) this.end(false);
    }
  }

  #takeOver(): void {
    const waitingPackets = this.#waitingPackets ?? [];
    this.#waitingPackets = null;
    if (this.#isOver) return;
    this.#options.rendition.startPublish(this.#bus);
    for (const packet of waitingPackets) this.#bus.push(packet);
  }

  #startsSegment(packet: VideoPacket, msn: number): boolean {
    return packet.key && (positionOfKey(this.#options.leader, packet)?.msn ?? -1) >= msn;
  }

  #push(packet: MediaPacket): void {
    if (!this.#waitingPackets) this.#bus.push(packet);
    else if (this.#waitingPackets.length < MAX_WAITING_PACKETS) this.#waitingPackets.push(packet);
  }

  #pushAudioBefore(ms: number): void {
    const laterIndex = this.#pendingAudio.findIndex((packet) => packet.dts >= ms);
    const duePackets = this.#pendingAudio.splice(
      0,
      laterIndex === -1 ? this.#pendingAudio.length : laterIndex,
    );
    for (const packet of duePackets) this.#push(packet);
  }
}
