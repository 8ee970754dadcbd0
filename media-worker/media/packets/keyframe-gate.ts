import type { MediaPacket } from './media-packet';

/**
 * Passes packets from a point where decoding can start: the next keyframe, with its audio. Decoder configurations
 * always pass. Without video, decoding can start at every audio frame.
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

  /** Waits for the next keyframe after lost packets. */
  close(): void {
    this.#open = false;
  }

  get hasVideo(): boolean {
    return this.#video;
  }
}
