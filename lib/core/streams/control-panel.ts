import { reconnectingIssue } from './stream-doctor';
import type { EncoderReport, ProgramInput, ProgramReport } from './program-state';

/** Facts that decide whether an input can be selected. */
interface Switchable {
  readonly isActive: boolean;
  readonly slate: boolean;
  readonly program: Pick<ProgramReport, 'primary' | 'standby'> | null;
}

/** Why an input can't be put on air now, as an error message; null if it can. */
export function inputRejection({ isActive, slate, program }: Switchable, to: ProgramInput): string | null {
  if (!isActive || program === null) return 'the stream is not live';
  if (to === 'slate') return slate ? null : 'the slate of this stream is off: turn it on with slate: true';
  if (program[to]) return null;
  return to === 'primary' ? 'the primary encoder is not connected' : 'no standby encoder is connected';
}

/**
 * Maximum age of a report. The live node sends a report every 2 seconds with two encoders, and every 10 seconds
 * with one.
 */
const staleAfterMs = { withTwoEncoders: 10_000, withOneEncoder: 30_000 };

/** The properties of a stream that its control panel shows. */
export interface PanelFacts {
  readonly isActive: boolean;
  readonly backup: boolean;
  readonly slate: boolean;
  readonly fallbackAfterMs: number;
  readonly program: (ProgramReport & { readonly reportedAt: number | null }) | null;
  readonly issues?: readonly string[] | null;
}

/**
 * State of an input in the control panel. `silent`: the encoder is connected, but sends no media. `missing`: the encoder is
 * not connected. `off`: the input is not enabled in the settings. `unknown`: there is no report, or it is too old.
 */
export type TileState = 'on-air' | 'ready' | 'silent' | 'missing' | 'off' | 'unknown';

export interface PanelTile {
  readonly input: ProgramInput;
  readonly state: TileState;
  readonly encoder: EncoderReport | null;
  /** How long a `silent` input had sent no media when it was reported, in milliseconds; null in other states. */
  readonly silentMs: number | null;
  /** Whether the input can be put on air. */
  readonly selectable: boolean;
}

/**
 * Whether the report of the live node may be outdated. Reports repeat while an encoder is connected; without an encoder, the
 * node sends one for each change only.
 */
export function isReportStale({ program }: Pick<PanelFacts, 'program'>, now: number): boolean {
  if (!program?.primary && !program?.standby) return false;
  const maxAgeMs =
    program.primary && program.standby ? staleAfterMs.withTwoEncoders : staleAfterMs.withOneEncoder;
  return program.reportedAt === null || now - program.reportedAt > maxAgeMs;
}

/**
 * Creates the tiles of the control panel, in their order.
 * @param now Unix milliseconds, by the clock of the server
 */
export function createPanelTiles(facts: PanelFacts, now: number): readonly PanelTile[] {
  const isStale = isReportStale(facts, now);
  return (['primary', 'standby', 'slate'] as const).map((input) => {
    const encoder = input === 'slate' ? null : (facts.program?.[input] ?? null);
    const state = tileStateOf(facts, input, isStale);
    return {
      input,
      state,
      encoder,
      silentMs: state === 'silent' ? (encoder?.silentMs ?? null) : null,
      selectable: state === 'ready' && inputRejection(facts, input) === null,
    };
  });
}

function tileStateOf(facts: PanelFacts, input: ProgramInput, isStale: boolean): TileState {
  const { program, slate, backup, fallbackAfterMs } = facts;
  if (input === 'slate') {
    if (program?.input === 'slate') return 'on-air';
    return slate ? 'ready' : 'off';
  }
  if (!hasControlPanel(facts)) {
    if (input === 'standby') return 'off';
    // Without another input, the primary is on air whenever the stream is live. Its node may report nothing.
    return facts.issues?.includes(reconnectingIssue) ? 'missing' : 'on-air';
  }
  // The node has not reported yet.
  if (!program) return 'unknown';
  const encoder = program[input];
  if (!encoder) return input === 'standby' && !backup ? 'off' : 'missing';
  if (isStale) return 'unknown';
  // The measurements of a single encoder are reported too rarely to tell whether it is silent.
  const comparesBoth = program.primary && program.standby;
  if (comparesBoth && encoder.silentMs >= fallbackAfterMs) return 'silent';
  return program.input === input ? 'on-air' : 'ready';
}

/** Whether the stream has an input to switch to. */
export const hasControlPanel = ({ backup, slate }: Pick<PanelFacts, 'backup' | 'slate'>): boolean =>
  backup || slate;
