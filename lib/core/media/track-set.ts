/** Tracks that a publisher announces before it sends media. */
export interface AnnouncedTracks {
  readonly picture: boolean;
  /** Null: the publisher announces no audio. */
  readonly sound: { readonly sampleRate?: number; readonly channels?: number } | null;
}

/** Media time without audio after which a video gets silent audio, ms. */
const SOUND_WAIT_MS = 1_000;
/**
 * Media time of audio after which the program becomes audio-only, ms. The longer time is for video that was announced or
 * configured.
 */
const PICTURE_WAIT_MS = 1_500;
const ANNOUNCED_PICTURE_WAIT_MS = 5_000;

/** The tracks of a program, which never change for players. */
export type ProgramTracks = 'picture and sound' | 'sound';

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
  #hasPicture = false;
  #isPictureConfigured = false;
  #hasSound = false;
  #fromMs: number | null = null;
  #decided: ProgramTracks | null = null;

  /** Null until decided. */
  get decided(): ProgramTracks | null {
    return this.#decided;
  }

  /** Whether a video frame has arrived. */
  get hasPicture(): boolean {
    return this.#hasPicture;
  }

  announce(tracks: AnnouncedTracks): void {
    this.#announced = tracks;
  }

  /** @returns the decision, including that of an earlier packet */
  see({ kind, role, dts }: SeenPacket): ProgramTracks | null {
    if (kind === 'audio') this.#hasSound = true;
    else if (role === 'frame') this.#hasPicture = true;
    else this.#isPictureConfigured = true;
    if (role === 'frame') this.#fromMs ??= dts;
    const passedMs = role === 'frame' && this.#fromMs !== null ? Math.abs(dts - this.#fromMs) : 0;
    this.#decided ??= this.#decide(passedMs);
    return this.#decided;
  }

  /** Decides now, because no more packets can be awaited. */
  settle(): ProgramTracks {
    return (this.#decided ??= this.#hasPicture || this.#expectsPicture ? 'picture and sound' : 'sound');
  }

  get #expectsPicture(): boolean {
    return this.#isPictureConfigured || this.#announced?.picture === true;
  }

  #decide(passedMs: number): ProgramTracks | null {
    if (this.#hasPicture) {
      const isComplete = this.#hasSound || this.#announced?.sound === null;
      return isComplete || passedMs >= SOUND_WAIT_MS ? 'picture and sound' : null;
    }
    const waitMs = this.#expectsPicture ? ANNOUNCED_PICTURE_WAIT_MS : PICTURE_WAIT_MS;
    return passedMs >= waitMs ? this.settle() : null;
  }
}
