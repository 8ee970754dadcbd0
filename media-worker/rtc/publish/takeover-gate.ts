import type { MediaPacket } from '@/media-worker/media/packets/media-packet';

/** Maximum wait for the first audio, which is transcoded to AAC by an encoder that needs a moment to start. */
const AUDIO_WAIT_MS = 4_000;

/**
 * Holds back a connection that takes over a publish until it can continue without a gap: with a keyframe, and with audio. Earlier
 * packets are dropped, because the previous connection still sends them.
 */
export class TakeoverGate {
  readonly #configs = new Map<MediaPacket['kind'], MediaPacket>();
  readonly #hasVideo: boolean;
  #waitsForAudio: boolean;
  #heldSinceMs: number | null = null;

  constructor({ video, audio }: { readonly video: object | null; readonly audio: object | null }) {
    this.#hasVideo = video !== null;
    this.#waitsForAudio = audio !== null;
  }

  /** Whether only a keyframe is missing. */
  get wantsKeyframe(): boolean {
    return this.#hasVideo && !this.#waitsForAudio;
  }

  /**
   * @param isUrgent whether the previous connection sends nothing, so that video does not wait for audio
   * @returns the first packets that this connection adds to the publish; null while the connection is held back
   */
  push(packet: MediaPacket, monotonicMs: number, isUrgent: boolean): readonly MediaPacket[] | null {
    this.#heldSinceMs ??= monotonicMs;
    if (packet.role === 'config') {
      this.#configs.set(packet.kind, packet);
      return null;
    }
    const isLate = monotonicMs - this.#heldSinceMs >= AUDIO_WAIT_MS;
    if (packet.kind === 'audio' || isUrgent || isLate) this.#waitsForAudio = false;
    const isEntryPoint = this.#hasVideo ? packet.kind === 'video' && packet.key : packet.kind === 'audio';
    return isEntryPoint && !this.#waitsForAudio ? [...this.#configs.values(), packet] : null;
  }
}
