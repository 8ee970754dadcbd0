import { BlackVideo } from './black-video';
import type { VideoPacket } from './media-packet';

/**
 * If video begins more than this behind the end of the black frames, it was sent late, and is shifted to their end.
 */
const LATE_MS = 100;

/** The video of one program: black while it is missing, and then the encoder's frames from the first keyframe on. */
export class ProgramVideo {
  readonly #emit: (packet: VideoPacket) => void;
  #config: VideoPacket | null = null;
  #black: BlackVideo | null = null;
  #shiftMs = 0;

  constructor(emit: (packet: VideoPacket) => void) {
    this.#emit = emit;
  }

  /** Starts black frames where audio begins at `ms` and video is missing. */
  startBlack(ms: number): void {
    this.#black = new BlackVideo(ms, this.#emit);
  }

  /** Emits black frames up to shortly before the audio's position `ms`. */
  fillBehindAudio(ms: number): void {
    this.#black?.fillBehindAudio(ms);
  }

  push(packet: VideoPacket): void {
    if (packet.role === 'config') this.#config = packet;
    if (this.#black && packet.role === 'frame' && packet.key) this.#replaceBlack(this.#black, packet);
    if (this.#black) return;
    const [dts, pts] = [packet.dts + this.#shiftMs, packet.pts + this.#shiftMs];
    this.#emit(
      this.#shiftMs === 0 ? packet : { ...packet, dts, pts, originalDts: packet.originalDts ?? packet.dts },
    );
  }

  #replaceBlack(black: BlackVideo, { dts }: VideoPacket): void {
    black.fillUntil(dts);
    this.#black = null;
    const behindMs = black.endMs - dts;
    this.#shiftMs = behindMs > LATE_MS ? behindMs : 0;
    if (this.#config) this.#emit({ ...this.#config, dts: dts + this.#shiftMs, pts: dts + this.#shiftMs });
  }
}
