import type { AudioPacket, MediaPacket, VideoPacket } from './media-packet';

/** Bytes counted for each packet in addition to its payload, which limits the number of empty frames. */
const PACKET_OVERHEAD_BYTES = 256;

/**
 * Stores the packets that a late reader needs to start immediately: the decoder configurations and the frames since
 * the last keyframe.
 */
export class GopCache {
  readonly #maxBytes: number;
  #videoConfig: VideoPacket | null = null;
  #audioConfig: AudioPacket | null = null;
  #frames: MediaPacket[] = [];
  #bytes = 0;

  /** @param maxBytes a larger GOP is not kept: late readers then wait for the next keyframe */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  add(packet: MediaPacket): void {
    if (packet.role === 'config') this.#setConfig(packet);
    else if (packet.kind === 'video' && packet.key) this.#restart(packet);
    else if (this.#frames.length > 0) this.#append(packet);
  }

  /** Configurations first, then the frames in order. */
  snapshot(): MediaPacket[] {
    return [this.#videoConfig, this.#audioConfig, ...this.#frames].filter((packet) => packet !== null);
  }

  #setConfig(packet: MediaPacket): void {
    const previous = packet.kind === 'video' ? this.#videoConfig : this.#audioConfig;
    if (packet.kind === 'video') this.#videoConfig = packet;
    else this.#audioConfig = packet;
    // Encoders repeat their configuration; only a different one makes earlier frames undecodable.
    if (previous !== null && !previous.payload.equals(packet.payload)) this.#clear();
  }

  #restart(packet: MediaPacket): void {
    this.#clear();
    this.#append(packet);
  }

  #append(packet: MediaPacket): void {
    this.#bytes += packet.payload.length + PACKET_OVERHEAD_BYTES;
    if (this.#bytes > this.#maxBytes) this.#clear();
    else this.#frames.push(packet);
  }

  #clear(): void {
    this.#frames = [];
    this.#bytes = 0;
  }
}
