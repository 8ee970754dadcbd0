/** Inputs of the program: sources of video and audio of a live stream. */
export const programInputs = ['primary', 'standby', 'slate'] as const;
export type ProgramInput = (typeof programInputs)[number];

export interface EncoderReport {
  /** Unix milliseconds. */
  readonly connectedAt: number;
  /** Bitrate of video and audio over the last seconds, in bit/s. */
  readonly bitrate: number;
  readonly width: number | null;
  readonly height: number | null;
  /** Frames per second of the video. */
  readonly fps: number | null;
  /** Milliseconds since its last media. */
  readonly silentMs: number;
}

/** The inputs of a live stream, reported by its node: `Stream.program` in the database. */
export interface ProgramReport {
  /** Input on air; null if there is none. */
  readonly input: ProgramInput | null;
  /** When `input` went on air, in Unix milliseconds. */
  readonly since: number;
  /** Whether a person chose the input. Such an input stays until it fails or another input is chosen. */
  readonly byHand: boolean;
  readonly primary: EncoderReport | null;
  readonly standby: EncoderReport | null;
}

/** Properties of an encoder on which the choice of the input depends. */
export interface EncoderFacts {
  /** Milliseconds since its last media. */
  readonly silentMs: number;
  /** Milliseconds of media without a pause. */
  readonly steadyMs: number;
  /** Whether its configuration and a keyframe have arrived, so that the program can switch to it. */
  readonly ready: boolean;
}

export interface ProgramFacts {
  /** The primary encoder; null if it is not connected. */
  readonly primary: EncoderFacts | null;
  readonly standby: EncoderFacts | null;
  /** Whether the slate is enabled and prepared. */
  readonly slate: boolean;
  /** A connected encoder without media for this long counts as lost, ms. */
  readonly fallbackAfterMs: number;
}

/** The input on air, and how it was chosen. */
export interface ProgramState {
  readonly input: ProgramInput | null;
  readonly byHand: boolean;
}

/**
 * The input that is put on air. If the choice is urgent, because the input on air has stopped, it starts immediately;
 * otherwise at its next keyframe.
 */
export interface ProgramChoice extends ProgramState {
  readonly urgent: boolean;
}

export const initialProgramState: ProgramState = { input: null, byHand: false };

/** How long a primary encoder that has returned must send media before it replaces the standby encoder, in milliseconds. */
export const STEADY_MS = 10_000;

const isAway = (encoder: EncoderFacts | null, facts: ProgramFacts): boolean =>
  encoder === null || encoder.silentMs >= facts.fallbackAfterMs;

const isUsable = (encoder: EncoderFacts | null, facts: ProgramFacts): boolean =>
  encoder?.ready === true && !isAway(encoder, facts);

/** Whether the program could show the input now. */
function isAvailable(input: ProgramInput, facts: ProgramFacts): boolean {
  return input === 'slate' ? facts.slate : isUsable(facts[input], facts);
}

/** The best available input: the primary, then the standby, then the slate. */
function bestInput(facts: ProgramFacts): ProgramInput | null {
  return programInputs.find((input) => isAvailable(input, facts)) ?? null;
}

/**
 * Chooses the input to put on air. A working input stays, except that a steady primary replaces the standby, and any
 * encoder replaces the slate. A manually chosen input stays until it fails.
 */
export function chooseInput(state: ProgramState, facts: ProgramFacts): ProgramChoice {
  const { input } = state;
  const stay: ProgramChoice = { ...state, urgent: false };
  const choose = (next: ProgramInput | null, isUrgent: boolean): ProgramChoice =>
    next === input
      ? { input, byHand: false, urgent: false }
      : { input: next, byHand: false, urgent: isUrgent };
  if (input === null) return choose(initialInput(facts), true);
  if (input === 'slate') {
    if (state.byHand && facts.slate) return stay;
    const encoder = isUsable(facts.primary, facts) ? 'primary' : 'standby';
    if (isUsable(facts[encoder], facts)) return choose(encoder, false);
    return facts.slate ? stay : choose(initialInput(facts), true);
  }
  const otherInput = input === 'primary' ? 'standby' : 'primary';
  if (isAway(facts[input], facts)) {
    const next = isAvailable(otherInput, facts) ? otherInput : facts.slate ? 'slate' : null;
    if (next !== null) return choose(next, true);
    // The connected encoder may send again, and no other input is available.
    return facts[input] ? stay : choose(initialInput(facts), true);
  }
  if (input === 'primary' || state.byHand) return stay;
  const hasPrimaryRecovered = isUsable(facts.primary, facts) && (facts.primary?.steadyMs ?? 0) >= STEADY_MS;
  return hasPrimaryRecovered ? choose('primary', false) : stay;
}

/** Chooses an input while none is on air. The encoder does not have to be steady. */
function initialInput(facts: ProgramFacts): ProgramInput | null {
  return bestInput(facts) ?? (facts.primary ? 'primary' : facts.standby ? 'standby' : null);
}

/** Puts the input that a person requested on air; null if that input is not available. */
export function chooseManually(
  state: ProgramState,
  requestedInput: ProgramInput,
  facts: ProgramFacts,
): ProgramChoice | null {
  if (requestedInput === state.input) return { input: requestedInput, byHand: true, urgent: false };
  return isAvailable(requestedInput, facts)
    ? { input: requestedInput, byHand: true, urgent: requestedInput === 'slate' }
    : null;
}

/** Tolerance in milliseconds for clock differences, and for a slate that started some time after the encoder was lost. */
const SLATE_LEEWAY_MS = 10_000;

/**
 * Whether the slate of a program keeps the stream active: it is on air, and its time is not over.
 * @param time current time in Unix milliseconds
 * @param slateMs maximum duration of the slate
 */
export const isHeldBySlate = (program: ProgramReport | null, time: number, slateMs: number): boolean =>
  program?.input === 'slate' && time - program.since <= slateMs + SLATE_LEEWAY_MS;
