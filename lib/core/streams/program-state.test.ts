import { describe, expect, test } from 'vitest';
import {
  chooseByHand,
  chooseInput,
  nothingOnAir,
  programInputs,
  STEADY_MS,
  type EncoderFacts,
  type ProgramFacts,
  type ProgramState,
} from './program-state';

const encoder = (more: Partial<EncoderFacts> = {}): EncoderFacts => ({
  silentMs: 20,
  steadyMs: 60_000,
  ready: true,
  ...more,
});
const facts = (more: Partial<ProgramFacts> = {}): ProgramFacts => ({
  primary: encoder(),
  standby: null,
  slate: false,
  fallbackAfterMs: 3_000,
  ...more,
});
const onAir = (input: ProgramState['input'], byHand = false): ProgramState => ({ input, byHand });
const gone = null;
const silent = encoder({ silentMs: 3_000, steadyMs: 0 });

describe('what is on air', () => {
  test.each<[string, ProgramState, ProgramFacts, ProgramState['input'], boolean]>([
    [
      'the first encoder, before it has sent anything',
      nothingOnAir,
      facts({ primary: encoder({ ready: false }) }),
      'primary',
      true,
    ],
    [
      'a standby alone',
      nothingOnAir,
      facts({ primary: gone, standby: encoder({ ready: false }) }),
      'standby',
      true,
    ],
    ['nothing', nothingOnAir, facts({ primary: gone }), null, false],
    [
      'the standby of a lost primary, at once',
      onAir('primary'),
      facts({ primary: gone, standby: encoder() }),
      'standby',
      true,
    ],
    [
      'the standby of a silent primary',
      onAir('primary'),
      facts({ primary: silent, standby: encoder() }),
      'standby',
      true,
    ],
    [
      'a primary that pauses for less',
      onAir('primary'),
      facts({ primary: encoder({ silentMs: 2_999 }), standby: encoder(), slate: true }),
      'primary',
      false,
    ],
    ['the slate of a lost primary', onAir('primary'), facts({ primary: gone, slate: true }), 'slate', true],
    [
      'the slate while the standby is silent too',
      onAir('primary'),
      facts({ primary: gone, standby: silent, slate: true }),
      'slate',
      true,
    ],
    [
      'the slate of a silent standby',
      onAir('standby'),
      facts({ primary: gone, standby: silent, slate: true }),
      'slate',
      true,
    ],
    [
      'a silent primary without anything else',
      onAir('primary'),
      facts({ primary: silent }),
      'primary',
      false,
    ],
    ['nothing after a lost primary alone', onAir('primary'), facts({ primary: gone }), null, true],
    [
      'the standby until the primary is steady',
      onAir('standby'),
      facts({ primary: encoder({ steadyMs: STEADY_MS - 1 }), standby: encoder() }),
      'standby',
      false,
    ],
    [
      'the primary when it is steady, at a keyframe',
      onAir('standby'),
      facts({ standby: encoder() }),
      'primary',
      false,
    ],
    [
      'the primary at once when the standby is lost',
      onAir('standby'),
      facts({ primary: encoder({ steadyMs: 0 }) }),
      'primary',
      true,
    ],
    [
      'the slate until the encoder has a keyframe',
      onAir('slate'),
      facts({ primary: encoder({ ready: false }), slate: true }),
      'slate',
      false,
    ],
    [
      'the encoder after the slate, at a keyframe',
      onAir('slate'),
      facts({ primary: encoder({ steadyMs: 0 }), slate: true }),
      'primary',
      false,
    ],
    [
      'the standby after the slate',
      onAir('slate'),
      facts({ primary: silent, standby: encoder(), slate: true }),
      'standby',
      false,
    ],
    [
      'an encoder, once the slate is switched off',
      onAir('slate'),
      facts({ primary: encoder({ ready: false }) }),
      'primary',
      true,
    ],
    [
      'a slate chosen by hand, beside a working encoder',
      onAir('slate', true),
      facts({ slate: true }),
      'slate',
      false,
    ],
    [
      'a standby chosen by hand, beside a steady primary',
      onAir('standby', true),
      facts({ standby: encoder() }),
      'standby',
      false,
    ],
    ['the primary after a standby chosen by hand is lost', onAir('standby', true), facts(), 'primary', true],
  ])('%s', (_name, state, given, input, urgent) => {
    expect(chooseInput(state, given)).toMatchObject({ input, urgent });
  });

  test('a choice by hand is remembered while it lasts, and forgotten with what follows', () => {
    const both = facts({ standby: encoder() });
    expect(chooseByHand(onAir('primary'), 'standby', both)).toEqual({
      input: 'standby',
      byHand: true,
      urgent: false,
    });
    expect(chooseInput(onAir('standby', true), both).byHand).toBe(true);
    expect(chooseInput(onAir('standby', true), facts()).byHand).toBe(false);
    expect(chooseByHand(onAir('primary'), 'primary', both)).toMatchObject({ byHand: true });
  });

  test('what is not there cannot be chosen', () => {
    expect(chooseByHand(onAir('primary'), 'standby', facts())).toBeNull();
    expect(chooseByHand(onAir('primary'), 'slate', facts())).toBeNull();
    expect(
      chooseByHand(onAir('standby'), 'primary', facts({ primary: silent, standby: encoder() })),
    ).toBeNull();
  });
});

describe('in every situation', () => {
  const encoders = [
    null,
    ...[0, 2_999, 3_000, 60_000].flatMap((silentMs) =>
      [0, STEADY_MS].flatMap((steadyMs) => [true, false].map((ready) => ({ silentMs, steadyMs, ready }))),
    ),
  ];
  const situations = [null, ...programInputs].flatMap((input) =>
    [true, false].flatMap((byHand) =>
      encoders.flatMap((primary) =>
        encoders.flatMap((standby) =>
          [true, false].map((slate) => ({
            state: { input, byHand: byHand && input !== null },
            given: facts({ primary, standby, slate }),
          })),
        ),
      ),
    ),
  );
  const works = (one: EncoderFacts | null, input: ProgramFacts) =>
    one !== null && one.ready && one.silentMs < input.fallbackAfterMs;

  test('the choice is stable: asked again, it stays', () => {
    for (const { state, given } of situations) {
      const { input, byHand } = chooseInput(state, given);
      expect(chooseInput({ input, byHand }, given)).toMatchObject({ input });
    }
  });

  test('nothing is on air only when nothing is there', () => {
    for (const { state, given } of situations) {
      if (chooseInput(state, given).input === null)
        expect([given.primary, given.standby, given.slate]).toEqual([null, null, false]);
    }
  });

  test('a slate never stands in for a working encoder, unless a person chose it', () => {
    for (const { state, given } of situations) {
      const works1 = works(given.primary, given) || works(given.standby, given);
      if (works1 && !state.byHand) expect(chooseInput(state, given).input).not.toBe('slate');
    }
  });

  test('a working input is left only for a steady primary, or from the slate', () => {
    for (const { state, given } of situations) {
      if (state.input === null || state.input === 'slate' || !works(given[state.input], given)) continue;
      const { input, urgent } = chooseInput(state, given);
      expect(urgent).toBe(false);
      if (input === state.input) continue;
      expect([state.input, input, given.primary?.steadyMs]).toEqual(['standby', 'primary', STEADY_MS]);
      expect(state.byHand).toBe(false);
    }
  });

  test('what is chosen is connected', () => {
    for (const { state, given } of situations) {
      const { input } = chooseInput(state, given);
      if (input !== null) expect(Boolean(given[input])).toBe(true);
    }
  });
});
