/** Tracks that a publisher announces before it sends media. */
export interface AnnouncedTracks {
  readonly video: boolean;
  /** Format of the audio; null if the publisher announces that it sends no audio. */
  readonly audio: { readonly sampleRate?: number; readonly channels?: number } | null;
}

/** Media time after which a publish with video but without audio gets silent audio, in milliseconds. */
const AUDIO_WAIT_MS = 1_000;
/**
 * Media time without a video frame after which the tracks are decided, in milliseconds. The result is audio-only, or video
 * and audio if video was announced or configured; the longer time applies then.
 */
const VIDEO_WAIT_MS = 1_500;
const ANNOUNCED_VIDEO_WAIT_MS = 5_000;

/** The tracks of a program, which never change for players. */
export type ProgramTracks = 'video and audio' | 'audio';

interface TrackPacket {
  readonly kind: 'video' | 'audio';
  readonly role: 'config' | 'frame';
  readonly dts: number;
}

/**
 * Decides once which tracks a program has. A program with video always has audio, which is silent if the publisher sends
 * none: players can't add a track later, and play video only where there is audio. Announced video counts even if it never
 * arrives.
 */
export class TrackSet {
  #announced: AnnouncedTracks | null = null;
  #hasVideo = false;
  #isVideoConfigured = false;
  #hasAudio = false;
  #firstDts: number | null = null;
  #decision: ProgramTracks | null = null;

  /** The decision; null until it is made. */
  get decision(): ProgramTracks | null {
    return this.#decision;
  }

  /** Whether a video frame has arrived. */
  get hasVideo(): boolean {
    return this.#hasVideo;
  }

  announce(tracks: AnnouncedTracks): void {
    this.#announced = tracks;
  }

  /**
   * Adds a packet of the publish.
   * @returns the decision, also if an earlier packet led to it; null while it is open
   */
  addPacket({ kind, role, dts }: TrackPacket): ProgramTracks | null {
    if (kind === 'audio') this.#hasAudio = true;
    else if (role === 'frame') this.#hasVideo = true;
    else this.#isVideoConfigured = true;
    if (role === 'frame') this.#firstDts ??= dts;
    const passedMs = role === 'frame' && this.#firstDts !== null ? Math.abs(dts - this.#firstDts) : 0;
    this.#decision ??= this.#decide(passedMs);
    return this.#decision;
  }

  /** Decides without waiting for more packets. */
  decideNow(): ProgramTracks {
    return (this.#decision ??= this.#hasVideo || this.#expectsVideo ? 'video and audio' : 'audio');
  }

  get #expectsVideo(): boolean {
    return this.#isVideoConfigured || this.#announced?.video === true;
  }

  #decide(passedMs: number): ProgramTracks | null {
    if (this.#hasVideo) {
      const isComplete = this.#hasAudio || this.#announced?.audio === null;
      return isComplete || passedMs >= AUDIO_WAIT_MS ? 'video and audio' : null;
    }
    const waitMs = this.#expectsVideo ? ANNOUNCED_VIDEO_WAIT_MS : VIDEO_WAIT_MS;
    return passedMs >= waitMs ? this.decideNow() : null;
  }
}
