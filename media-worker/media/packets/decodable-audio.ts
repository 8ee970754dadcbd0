import { parseAacConfig } from '@/media-worker/media/cmaf/aac-config';
import { parseOrNull } from '@/media-worker/media/cmaf/parse-or-null';
import type { AudioPacket } from './media-packet';

/** Tells which audio packets of a publish can be decoded: AAC with a usable configuration before its frames. */
export class DecodableAudio {
  #hasConfig = false;
  #hasRejected = false;

  /** Whether `createReport` was called. */
  get hasRejected(): boolean {
    return this.#hasRejected;
  }

  /** Whether a packet can be decoded. It must get every audio packet, in order. */
  accepts({ codec, role, payload }: AudioPacket): boolean {
    if (codec !== 'aac') return false;
    if (role === 'frame') return this.#hasConfig;
    const isUsable = parseOrNull(() => parseAacConfig(payload)) !== null;
    this.#hasConfig ||= isUsable;
    return isUsable;
  }

  /**
   * Creates the packet from which the packager makes its issue for audio that cannot be decoded: a frame without a configuration
   * before it becomes an empty configuration.
   * @returns null if the packager has that packet already
   */
  createReport(packet: AudioPacket): AudioPacket | null {
    const isReported = this.#hasRejected;
    this.#hasRejected = true;
    if (packet.codec !== 'aac' || packet.role === 'config') return packet;
    return isReported ? null : { ...packet, role: 'config', payload: Buffer.alloc(0) };
  }
}
