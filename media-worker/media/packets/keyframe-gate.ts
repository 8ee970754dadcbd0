import type { MediaPacket } from './media-packet';

/**
 * Passes packets from a point where decoding can start: the next keyframe, with its audio. Decoder configurations always
 * pass. Without video every audio frame is such a point.
 */
export class KeyframeGate {
  #video = false;
  #open = false;

  accepts(packet: MediaPacket): boolean {
    if (packet.kind === 'video') this.#video = true;
    if (packet.role === 'config') return true;
    if (packet.kind === 'audio') return this.#open || !this.#video;
    this.#open ||= packet.key;
    return this.#open;
  }

  /** Packets were lost: wait for the next keyframe. */
  close(): void {
    this.#open = false;
  }

  get hasVideo(): boolean {
    return this.#video;
  }
}
