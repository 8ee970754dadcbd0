/** Where the picture and sound of a live stream come from. */
export const programInputs = ['primary', 'standby', 'slate'] as const;
export type ProgramInput = (typeof programInputs)[number];

/** An encoder that is connected. */
export interface EncoderReport {
  /** Milliseconds since the epoch. */
  readonly connectedAt: number;
  /** Of picture and sound, bits per second over the last seconds. */
  readonly bitrate: number;
  readonly width: number | null;
  readonly height: number | null;
  /** Pictures per second. */
  readonly fps: number | null;
  /** Milliseconds since its last media. */
  readonly silentMs: number;
}

/** The inputs of a live stream, as its node says them: `Stream.program` in the database. */
export interface ProgramReport {
  /** On air; null: nothing is. */
  readonly input: ProgramInput | null;
  /** Of `input`, milliseconds since the epoch. */
  readonly since: number;
  /** It was chosen by a person, and stays until it is gone or another is chosen. */
  readonly byHand: boolean;
  readonly primary: EncoderReport | null;
  readonly standby: EncoderReport | null;
}
