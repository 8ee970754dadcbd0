/** Tracks that a publisher announces before it sends media. */
export interface AnnouncedTracks {
  readonly video: boolean;
  /** Null: the publisher announces no audio. */
  readonly audio: { readonly sampleRate?: number; readonly channels?: number } | null;
}

/** Media time without audio after which a video gets silent audio, ms. */
const AUDIO_WAIT_MS = 1_000;
/**
 * Media time of audio after which the program becomes audio-only, ms. The longer time is for video that was announced or
 * configured.
 */
const VIDEO_WAIT_MS = 1_500;
const ANNOUNCED_VIDEO_WAIT_MS = 5_000;

/** The tracks of a program, which never change for players. */
export type ProgramTracks = 'video and audio' | 'audio';

interface SeenPacket {
  readonly kind: 'video' | 'audio';
  readonly role: 'config' | 'frame';
  readonly dts: number;
}

/**
 * Decides once which tracks a program has. Video always has audio, if necessary silence: players can't add a track later,
 * and play video only where there is audio. An announced video counts even if it never arrives.
 */
export class TrackSet {
  #announced: AnnouncedTracks | null = null;
  #hasVideo = false;
  #isVideoConfigured = false;
  #hasAudio = false;
  #fromMs: number | null = null;
  #decided: ProgramTracks | null = null;

  /** Null until decided. */
  get decided(): ProgramTracks | null {
    return this.#decided;
  }

  /** Whether a video frame has arrived. */
  get hasVideo(): boolean {
    return this.#hasVideo;
  }

  announce(tracks: AnnouncedTracks): void {
    this.#announced = tracks;
  }

  /** @returns the decision, including that of an earlier packet */
  see({ kind, role, dts }: SeenPacket): ProgramTracks | null {
    if (kind === 'audio') this.#hasAudio = true;
    else if (role === 'frame') this.#hasVideo = true;
    else this.#isVideoConfigured = true;
    if (role === 'frame') this.#fromMs ??= dts;
    const passedMs = role === 'frame' && this.#fromMs !== null ? Math.abs(dts - this.#fromMs) : 0;
    this.#decided ??= this.#decide(passedMs);
    return this.#decided;
  }

  /** Decides now, because no more packets can be awaited. */
  settle(): ProgramTracks {
    return (this.#decided ??= this.#hasVideo || this.#expectsVideo ? 'video and audio' : 'audio');
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
    return passedMs >= waitMs ? this.settle() : null;
  }
}
