import type { Clock } from '@/lib/infra/clock';
import type { MediaPacket, VideoPacket } from '@/media-worker/media/packets/media-packet';

type Kind = MediaPacket['kind'];

/** Longest gap between the last frame of one input and the first frame of the next. */
const MAX_INPUT_GAP_MS = 500;
/** Assumed frame interval of a track that has only one frame. */
const FIRST_FRAME_MS: Readonly<Record<Kind, number>> = { video: 33, audio: 21 };

interface Track {
  /** Time of the last frame on the timeline, ms. */
  lastMs: number;
  /** Last interval between two frames of at most 100 ms. */
  frameMs: number;
}

/**
 * Joins the packets of successive inputs on one timeline. One offset serves both tracks of an input, so audio and video stay
 * in sync. An input begins where the previous one ended, and its frames never move before that time. If an input ends between
 * frames that are not decoded in the order in which they are shown, the next one begins after the frame that is shown last.
 */
export class ProgramTimeline {
  readonly #emit: (packet: MediaPacket) => void;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #tracks: Record<Kind, Track | null> = { video: null, audio: null };
  /** When the last frame arrived, in monotonic milliseconds. */
  #arrivedAtMs = 0;
  /** Time offset of the input on air; null before its first frame. */
  #offsetMs: number | null = null;
  /** End of the previous input on the timeline, ms. */
  #cutMs = -Infinity;
  /** Presentation time of the frame that is shown last, ms. */
  #maxPtsMs = -Infinity;
  /** Time from decoding to presentation of the first video frame of the input, ms. */
  #leadMs = 0;
  /** Audio of the input before this decode time is dropped, because it belongs to video that has been shown already. */
  #entryDts = -Infinity;

  constructor(emit: (packet: MediaPacket) => void, clock: Pick<Clock, 'monotonic'>) {
    this.#emit = emit;
    this.#clock = clock;
  }

  /** Starts the next input, which begins with the next frame. */
  startInput(): void {
    this.#cutMs = this.#endMs ?? -Infinity;
    this.#offsetMs = null;
    this.#entryDts = -Infinity;
  }

  /**
   * Starts the next input with its current GOP, which is shown immediately up to its last frame.
   * @param frames in order, beginning with a keyframe
   */
  startInputWithGop(frames: readonly VideoPacket[]): void {
    this.startInput();
    const [firstFrame, lastFrame] = [frames[0], frames.at(-1)];
    if (!firstFrame || !lastFrame) return;
    const lastIndex = frames.length - 1;
    // All frames but the last are compressed to one millisecond each, so that they are shown at once.
    const compression =
      lastFrame.dts > firstFrame.dts ? Math.min(1, lastIndex / (lastFrame.dts - firstFrame.dts)) : 1;
    this.#leadMs = (firstFrame.pts - firstFrame.dts) * compression;
    this.#offsetMs =
      this.#offsetAtEnd(firstFrame.dts) +
      Math.round((lastFrame.dts - firstFrame.dts) * compression) +
      firstFrame.dts -
      lastFrame.dts;
    this.#entryDts = lastFrame.dts;
    const compressedMs = (ms: number) =>
      ms >= lastFrame.dts ? ms : lastFrame.dts - (lastFrame.dts - ms) * compression;
    for (const frame of frames) {
      const dts = Math.round(compressedMs(frame.dts));
      const pts = Math.max(dts, Math.round(compressedMs(frame.pts)));
      this.#emitFrame({ ...frame, dts, pts, originalDts: frame.originalDts ?? frame.dts });
    }
  }

  push(packet: MediaPacket): void {
    if (packet.role === 'config') {
      const timeMs = this.#tracks[packet.kind]?.lastMs ?? this.#endMs ?? packet.dts;
      this.#emit({ ...packet, dts: timeMs, pts: timeMs });
      return;
    }
    if (packet.kind === 'audio' && packet.dts < this.#entryDts) return;
    if (this.#offsetMs === null) {
      if (packet.kind === 'video') this.#leadMs = packet.pts - packet.dts;
      this.#offsetMs = this.#offsetAtEnd(packet.dts);
    }
    if (packet.kind === 'audio' && packet.dts + this.#offsetMs < this.#cutMs) return;
    this.#emitFrame(packet);
  }

  /** End of the timeline; null before the first frame. */
  get #endMs(): number | null {
    const trackEnds = Object.values(this.#tracks).flatMap((track) =>
      track ? track.lastMs + track.frameMs : [],
    );
    return trackEnds.length > 0 ? Math.max(...trackEnds) : null;
  }

  /** The offset that places a frame at the end of the timeline. */
  #offsetAtEnd(dts: number): number {
    const endMs = this.#endMs;
    if (endMs === null) return 0;
    const elapsedMs = this.#clock.monotonic() - this.#arrivedAtMs;
    const lastMs = Math.max(...Object.values(this.#tracks).map((track) => track?.lastMs ?? -Infinity));
    const presentationEndMs = this.#maxPtsMs + (this.#tracks.video?.frameMs ?? 0) - this.#leadMs;
    const startMs = Math.max(lastMs + elapsedMs, presentationEndMs);
    return Math.round(Math.max(endMs, Math.min(startMs, endMs + MAX_INPUT_GAP_MS))) - dts;
  }

  #emitFrame(packet: MediaPacket): void {
    const offsetMs = this.#offsetMs ?? 0;
    const track = this.#tracks[packet.kind];
    const dts = Math.max(packet.dts + offsetMs, track ? track.lastMs + 1 : -Infinity);
    if (track) {
      const stepMs = dts - track.lastMs;
      if (stepMs <= 100) track.frameMs = stepMs;
      track.lastMs = dts;
    } else this.#tracks[packet.kind] = { lastMs: dts, frameMs: FIRST_FRAME_MS[packet.kind] };
    this.#arrivedAtMs = this.#clock.monotonic();
    const pts = packet.pts + dts - packet.dts;
    // A wrong presentation time, which can be hours ahead, must not delay all later inputs.
    if (packet.kind === 'video')
      this.#maxPtsMs = Math.max(this.#maxPtsMs, Math.min(pts, dts + MAX_INPUT_GAP_MS));
    if (dts === packet.dts) this.#emit(packet);
    else {
      this.#emit({ ...packet, dts, pts, originalDts: packet.originalDts ?? packet.dts });
    }
  }
}
