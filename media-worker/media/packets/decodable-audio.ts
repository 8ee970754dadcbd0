import { parseAacConfig } from '@/media-worker/media/cmaf/aac-config';
import { parseOrNull } from '@/media-worker/media/cmaf/readable-only';
import type { AudioPacket } from './media-packet';

/** Tells which audio packets of a publish can be decoded: AAC with a usable configuration before its frames. */
export class DecodableAudio {
  #hasConfig = false;
  #hasRejected = false;

  /** Whether `toReport` was called. */
  get hasRejected(): boolean {
    return this.#hasRejected;
  }

  accepts({ codec, role, payload }: AudioPacket): boolean {
    if (codec !== 'aac') return false;
    if (role === 'frame') return this.#hasConfig;
    const isUsable = parseOrNull(() => parseAacConfig(payload)) !== null;
    this.#hasConfig ||= isUsable;
    return isUsable;
  }

  /**
   * The packet that shows the packager why audio is not decodable: a frame that no configuration precedes becomes an empty
   * configuration.
   * @returns null if nothing new has to be shown
   */
  toReport(packet: AudioPacket): AudioPacket | null {
    const isReported = this.#hasRejected;
    this.#hasRejected = true;
    if (packet.codec !== 'aac' || packet.role === 'config') return packet;
    return isReported ? null : { ...packet, role: 'config', payload: Buffer.alloc(0) };
  }
}
