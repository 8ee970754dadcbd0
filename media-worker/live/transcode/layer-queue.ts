import type { VideoPacket } from '@/media-worker/media/packets/media-packet';
import type { SourceTimes } from './source-times';

/** Maximum packets and bytes of one layer that wait for the source. A layer is one of several sizes of a WebRTC publisher. */
const MAX_PACKETS = 900;
const MAX_BYTES = 16 * 1024 * 1024;

/** A keyframe or later frame of a layer on the media timeline, with the configuration that decodes it. */
export interface LayerFrame {
  readonly config: VideoPacket;
  readonly frame: VideoPacket;
}

/** Holds the packets of one layer until the source has reached them, and places them on the media timeline. */
export class LayerQueue {
  readonly #times: Pick<SourceTimes, 'msOf' | 'stampOfKey'>;
  #packets: VideoPacket[] = [];
  #bytes = 0;
  #config: VideoPacket | null = null;
  /** Offset from the clock of the layer to that of the source at the last keyframe, ms. */
  #correctionMs = 0;
  #waitsForKey = true;

  constructor(times: Pick<SourceTimes, 'msOf' | 'stampOfKey'>) {
    this.#times = times;
  }

  push(packet: VideoPacket): void {
    this.#packets.push(packet);
    this.#bytes += packet.payload.length;
    if (this.#packets.length > MAX_PACKETS || this.#bytes > MAX_BYTES) this.#clear();
  }

  /** Drops all frames. The next ones begin with a keyframe. */
  restart(): void {
    this.#clear();
    this.#correctionMs = 0;
  }

  /** Removes the frames up to `ms` on the media timeline. */
  takeFramesUntil(ms: number): LayerFrame[] {
    const frames: LayerFrame[] = [];
    for (let packet = this.#packets[0]; packet; packet = this.#packets[0]) {
      const correctionMs = this.#correctionOf(packet);
      const placedMs = this.#times.msOf(packet.dts + correctionMs);
      if (placedMs === null || placedMs > ms) break;
      this.#packets.shift();
      this.#bytes -= packet.payload.length;
      this.#correctionMs = correctionMs;
      if (packet.role === 'config') this.#config = packet;
      else if (packet.key && this.#config) this.#waitsForKey = false;
      if (packet.role === 'config' || this.#waitsForKey || !this.#config) continue;
      const pts = placedMs + packet.pts - packet.dts;
      frames.push({ config: this.#config, frame: { ...packet, dts: placedMs, pts } });
    }
    return frames;
  }

  /** A configuration has the time of the keyframe after it. */
  #correctionOf({ role, key, dts }: VideoPacket): number {
    if (role === 'frame' && !key) return this.#correctionMs;
    const stampMs = this.#times.stampOfKey(dts);
    return stampMs === null ? this.#correctionMs : stampMs - dts;
  }

  #clear(): void {
    // A configuration is sent once, and decodes all later frames.
    this.#config = this.#packets.findLast(({ role }) => role === 'config') ?? this.#config;
    this.#packets = [];
    this.#bytes = 0;
    this.#waitsForKey = true;
  }
}
