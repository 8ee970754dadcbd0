import type { MediaPacket } from '@/media-worker/media/packets/media-packet';

/** The sound comes by way of an encoder, which needs a moment to start. */
const WAIT_MS = 4_000;

/**
 * Holds back a connection that takes over a publish until it can go on without a break: from a keyframe, and with sound. What
 * comes earlier is dropped, because the connection before it still sends.
 */
export class TakeoverGate {
  readonly #configs = new Map<MediaPacket['kind'], MediaPacket>();
  readonly #hasPicture: boolean;
  #waitsForSound: boolean;
  #sinceMs: number | null = null;

  constructor({ picture, sound }: { readonly picture: object | null; readonly sound: object | null }) {
    this.#hasPicture = picture !== null;
    this.#waitsForSound = sound !== null;
  }

  /** Nothing but a keyframe is missing. */
  get wantsKeyframe(): boolean {
    return this.#hasPicture && !this.#waitsForSound;
  }

  /**
   * @param isUrgent the connection before it sends nothing: the picture does not wait for the sound
   * @returns the first packets of the connection in the publish; null while it is held back
   */
  take(packet: MediaPacket, now: number, isUrgent: boolean): readonly MediaPacket[] | null {
    this.#sinceMs ??= now;
    if (packet.role === 'config') {
      this.#configs.set(packet.kind, packet);
      return null;
    }
    const isLate = now - this.#sinceMs >= WAIT_MS;
    if (packet.kind === 'audio' || isUrgent || isLate) this.#waitsForSound = false;
    const isEntry = this.#hasPicture ? packet.kind === 'video' && packet.key : packet.kind === 'audio';
    return isEntry && !this.#waitsForSound ? [...this.#configs.values(), packet] : null;
  }
}
