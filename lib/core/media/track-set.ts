/** What a publisher says it will send, before it sends it. */
export interface AnnouncedTracks {
  readonly picture: boolean;
  /** Null: it announces no sound. */
  readonly sound: { readonly sampleRate?: number; readonly channels?: number } | null;
}

/** How much media may pass before a picture gets silence as its sound, ms. */
const SOUND_WAIT_MS = 1_000;
/** How much sound may pass before its picture is given up, ms; one that was announced or configured, the longer one. */
const PICTURE_WAIT_MS = 1_500;
const ANNOUNCED_PICTURE_WAIT_MS = 5_000;

/** The tracks of a program: for players they never change. */
export type ProgramTracks = 'picture and sound' | 'sound';

interface SeenPacket {
  readonly kind: 'video' | 'audio';
  readonly role: 'config' | 'frame';
  readonly dts: number;
}

/**
 * Decides once which tracks a program has. A picture always has sound beside it, silence if need be: players cannot add a
 * track later, and play a picture only where there is sound. So a picture that was announced and does not come counts.
 */
export class TrackSet {
  #announced: AnnouncedTracks | null = null;
  #hasPicture = false;
  #isPictureConfigured = false;
  #hasSound = false;
  #fromMs: number | null = null;
  #decided: ProgramTracks | null = null;

  /** Null until it is decided. */
  get decided(): ProgramTracks | null {
    return this.#decided;
  }

  /** A frame of it has come. */
  get hasPicture(): boolean {
    return this.#hasPicture;
  }

  announce(tracks: AnnouncedTracks): void {
    this.#announced = tracks;
  }

  /** @returns the decision, also that of an earlier packet */
  see({ kind, role, dts }: SeenPacket): ProgramTracks | null {
    if (kind === 'audio') this.#hasSound = true;
    else if (role === 'frame') this.#hasPicture = true;
    else this.#isPictureConfigured = true;
    if (role === 'frame') this.#fromMs ??= dts;
    const passedMs = role === 'frame' && this.#fromMs !== null ? Math.abs(dts - this.#fromMs) : 0;
    this.#decided ??= this.#decide(passedMs);
    return this.#decided;
  }

  /** No more can be waited for. */
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
