import type { MediaPacket } from '@/media-worker/media/packets/media-packet';

/** Audio is transcoded to AAC, and its encoder needs a moment to start. */
const WAIT_MS = 4_000;

/**
 * Holds back a connection that takes over a publish until it can continue without a gap: from a keyframe, and with audio. Earlier
 * packets are dropped, because the previous connection still sends them.
 */
export class TakeoverGate {
  readonly #configs = new Map<MediaPacket['kind'], MediaPacket>();
  readonly #hasVideo: boolean;
  #waitsForAudio: boolean;
  #sinceMs: number | null = null;

  constructor({ video, audio }: { readonly video: object | null; readonly audio: object | null }) {
    this.#hasVideo = video !== null;
    this.#waitsForAudio = audio !== null;
  }

  /** Whether only a keyframe is missing. */
  get wantsKeyframe(): boolean {
    return this.#hasVideo && !this.#waitsForAudio;
  }

  /**
   * @param isUrgent the previous connection sends nothing: video does not wait for audio
   * @returns the first packets of the connection in the publish; null while it is held back
   */
  take(packet: MediaPacket, now: number, isUrgent: boolean): readonly MediaPacket[] | null {
    this.#sinceMs ??= now;
    if (packet.role === 'config') {
      this.#configs.set(packet.kind, packet);
      return null;
    }
    const isLate = now - this.#sinceMs >= WAIT_MS;
    if (packet.kind === 'audio' || isUrgent || isLate) this.#waitsForAudio = false;
    const isEntry = this.#hasVideo ? packet.kind === 'video' && packet.key : packet.kind === 'audio';
    return isEntry && !this.#waitsForAudio ? [...this.#configs.values(), packet] : null;
  }
}
