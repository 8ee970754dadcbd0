import type { MediaPacket } from './media-packet';

/**
 * Passes packets from a point where decoding can start: the next keyframe, with its audio. Decoder configurations
 * always pass. Without video, decoding can start at every audio frame.
 */
export class KeyframeGate {
  #hasVideo = false;
  #isOpen = false;

  /** Whether a packet passes. It must get every packet, in order. */
  accepts(packet: MediaPacket): boolean {
    if (packet.kind === 'video') this.#hasVideo = true;
    if (packet.role === 'config') return true;
    if (packet.kind === 'audio') return this.#isOpen || !this.#hasVideo;
    this.#isOpen ||= packet.key;
    return this.#isOpen;
  }

  /** Waits for the next keyframe after lost packets. */
  close(): void {
    this.#isOpen = false;
  }

  get hasVideo(): boolean {
    return this.#hasVideo;
  }
}
