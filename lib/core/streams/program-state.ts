/** Inputs of the program: sources of picture and sound of a live stream. */
export const programInputs = ['primary', 'standby', 'slate'] as const;
export type ProgramInput = (typeof programInputs)[number];

/** An encoder that is connected. */
export interface EncoderReport {
  /** Milliseconds since the epoch. */
  readonly connectedAt: number;
  /** Bitrate of picture and sound over the last seconds, in bit/s. */
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
  /** Input on air; null if there is none. */
  readonly input: ProgramInput | null;
  /** Time since `input` is on air, in Unix milliseconds. */
  readonly since: number;
  /** Whether a person chose the input. It stays until it fails or another one is chosen. */
  readonly byHand: boolean;
  readonly primary: EncoderReport | null;
  readonly standby: EncoderReport | null;
}

/** An encoder, as far as the choice of the input depends on it. */
export interface EncoderFacts {
  /** Milliseconds since its last media. */
  readonly silentMs: number;
  /** Milliseconds of media without a pause. */
  readonly steadyMs: number;
  /** The program can go on with it: its configuration and a keyframe have come. */
  readonly ready: boolean;
}

/** Facts about all inputs. */
export interface ProgramFacts {
  /** Null: not connected. */
  readonly primary: EncoderFacts | null;
  readonly standby: EncoderFacts | null;
  /** A slate is wanted, and prepared. */
  readonly slate: boolean;
  /** An open connection that sends nothing for this long counts as away, ms. */
  readonly fallbackAfterMs: number;
}

/** Current input and how it was chosen. */
export interface ProgramState {
  readonly input: ProgramInput | null;
  readonly byHand: boolean;
}

/** `urgent`: what is on air has stopped, so the next input begins at once; otherwise at its next keyframe. */
export interface ProgramChoice extends ProgramState {
  readonly urgent: boolean;
}

export const nothingOnAir: ProgramState = { input: null, byHand: false };

/** An encoder that was away is trusted again after this. */
export const STEADY_MS = 10_000;

const isAway = (encoder: EncoderFacts | null, facts: ProgramFacts): boolean =>
  encoder === null || encoder.silentMs >= facts.fallbackAfterMs;

const isUsable = (encoder: EncoderFacts | null, facts: ProgramFacts): boolean =>
  encoder?.ready === true && !isAway(encoder, facts);

/** Whether the program could show it now. */
function isThere(input: ProgramInput, facts: ProgramFacts): boolean {
  return input === 'slate' ? facts.slate : isUsable(facts[input], facts);
}

/** Best input that is not on air: the primary, then the standby, then the slate. */
function bestOf(facts: ProgramFacts): ProgramInput | null {
  return programInputs.find((input) => isThere(input, facts)) ?? null;
}

/**
 * What should be on air. An input that works stays, except that the primary comes back from the standby when it is
 * steady, and any encoder from the slate. What a person chose stays until it is gone.
 */
export function chooseInput(state: ProgramState, facts: ProgramFacts): ProgramChoice {
  const { input } = state;
  const stay: ProgramChoice = { ...state, urgent: false };
  const to = (next: ProgramInput | null, urgent: boolean): ProgramChoice =>
    next === input ? { input, byHand: false, urgent: false } : { input: next, byHand: false, urgent };
  if (input === null) return to(firstOf(facts), true);
  if (input === 'slate') {
    if (state.byHand && facts.slate) return stay;
    const encoder = isUsable(facts.primary, facts) ? 'primary' : 'standby';
    if (isUsable(facts[encoder], facts)) return to(encoder, false);
    return facts.slate ? stay : to(firstOf(facts), true);
  }
  const otherInput = input === 'primary' ? 'standby' : 'primary';
  if (isAway(facts[input], facts)) {
    const next = isThere(otherInput, facts) ? otherInput : facts.slate ? 'slate' : null;
    if (next !== null) return to(next, true);
    // An open connection may go on, and nothing else is there.
    return facts[input] ? stay : to(firstOf(facts), true);
  }
  if (input === 'primary' || state.byHand) return stay;
  const isBack = isUsable(facts.primary, facts) && (facts.primary?.steadyMs ?? 0) >= STEADY_MS;
  return isBack ? to('primary', false) : stay;
}

/** Picks an input while nothing is on air. The encoder need not be steady first. */
function firstOf(facts: ProgramFacts): ProgramInput | null {
  return bestOf(facts) ?? (facts.primary ? 'primary' : facts.standby ? 'standby' : null);
}

/** Chosen by a person; null if it is not there. */
export function chooseByHand(
  state: ProgramState,
  requestedInput: ProgramInput,
  facts: ProgramFacts,
): ProgramChoice | null {
  if (requestedInput === state.input) return { input: requestedInput, byHand: true, urgent: false };
  return isThere(requestedInput, facts)
    ? { input: requestedInput, byHand: true, urgent: requestedInput === 'slate' }
    : null;
}

/** A slate that was put on air a little later than its encoder was lost, and what clocks differ by, ms. */
const SLATE_LEEWAY_MS = 10_000;

/** A slate is on air, and may still be. @param slateMs how long it may be */
export const isHeldBySlate = (program: ProgramReport | null, at: number, slateMs: number): boolean =>
  program?.input === 'slate' && at - program.since <= slateMs + SLATE_LEEWAY_MS;
