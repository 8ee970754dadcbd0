import type { EncoderReport, ProgramInput, ProgramReport } from './program-state';

/** Facts that decide whether an input can be selected. */
interface Switchable {
  readonly isActive: boolean;
  readonly slate: boolean;
  readonly program: Pick<ProgramReport, 'primary' | 'standby'> | null;
}

/** Why this input can't be put on air now; null if it can. */
export function inputRefusal({ isActive, slate, program }: Switchable, to: ProgramInput): string | null {
  if (!isActive || program === null) return 'the stream is not live';
  if (to === 'slate') return slate ? null : 'the slate of this stream is off: turn it on with slate: true';
  if (program[to]) return null;
  return to === 'primary' ? 'the primary encoder is not connected' : 'no standby encoder is connected';
}

/** Maximum age of a report: the live node sends one every 2 seconds with two encoders, every 10 with one. */
const staleAfterMs = { two: 10_000, one: 30_000 };

/** Inputs in the order of the panel. */
export interface PanelFacts {
  readonly isActive: boolean;
  readonly backup: boolean;
  readonly slate: boolean;
  readonly fallbackAfterMs: number;
  readonly program: (ProgramReport & { readonly reportedAt: number | null }) | null;
}

/**
 * `on-air`, `ready`; `silent`: connected without media; `missing`: not connected; `off`: not enabled in the settings;
 * `unknown`: the report is too old.
 */
export type TileState = 'on-air' | 'ready' | 'silent' | 'missing' | 'off' | 'unknown';

export interface PanelTile {
  readonly input: ProgramInput;
  readonly state: TileState;
  readonly encoder: EncoderReport | null;
  /** How long a `silent` input had sent nothing when it was reported, ms. */
  readonly silentMs: number | null;
  /** Whether the input can be put on air. */
  readonly selectable: boolean;
}

/** Whether the report may be outdated. Reports repeat while an encoder is connected; otherwise each change sends one. */
export function isStale({ program }: Pick<PanelFacts, 'program'>, now: number): boolean {
  if (!program?.primary && !program?.standby) return false;
  const limit = program.primary && program.standby ? staleAfterMs.two : staleAfterMs.one;
  return program.reportedAt === null || now - program.reportedAt > limit;
}

/** The tiles of the control panel, in order. @param now Unix milliseconds, by the server's clock */
export function panelTiles(facts: PanelFacts, now: number): readonly PanelTile[] {
  const stale = isStale(facts, now);
  return (['primary', 'standby', 'slate'] as const).map((input) => {
    const encoder = input === 'slate' ? null : (facts.program?.[input] ?? null);
    const state = stateOf(facts, input, stale);
    return {
      input,
      state,
      encoder,
      silentMs: state === 'silent' ? (encoder?.silentMs ?? null) : null,
      selectable: state === 'ready' && inputRefusal(facts, input) === null,
    };
  });
}

function stateOf(
  { program, slate, backup, fallbackAfterMs }: PanelFacts,
  input: ProgramInput,
  stale: boolean,
) {
  if (input === 'slate') {
    if (program?.input === 'slate') return 'on-air';
    return slate ? 'ready' : 'off';
  }
  // The node has not reported yet.
  if (!program) return 'unknown';
  const encoder = program[input];
  if (!encoder) return input === 'standby' && !backup ? 'off' : 'missing';
  if (stale) return 'unknown';
  // A single encoder reports measurements only on changes, so they may be old.
  const comparesBoth = program.primary && program.standby;
  if (comparesBoth && encoder.silentMs >= fallbackAfterMs) return 'silent';
  return program.input === input ? 'on-air' : 'ready';
}

/** Whether there is an input to switch to. Without one, the panel shows a message. */
export const hasControlPanel = ({ backup, slate }: Pick<PanelFacts, 'backup' | 'slate'>): boolean =>
  backup || slate;
