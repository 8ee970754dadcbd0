import { describe, expect, test } from 'vitest';
import {
  manualChoice,
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
const notConnected = null;
const silent = encoder({ silentMs: 3_000, steadyMs: 0 });

describe('input on air', () => {
  test.each<[string, ProgramState, ProgramFacts, ProgramState['input'], boolean]>([
    [
      'the first encoder, before it has sent anything',
      nothingOnAir,
      facts({ primary: encoder({ ready: false }) }),
      'primary',
      true,
    ],
    [
      'the standby without a primary',
      nothingOnAir,
      facts({ primary: notConnected, standby: encoder({ ready: false }) }),
      'standby',
      true,
    ],
    ['nothing', nothingOnAir, facts({ primary: notConnected }), null, false],
    [
      'the standby of a lost primary, immediately',
      onAir('primary'),
      facts({ primary: notConnected, standby: encoder() }),
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
      'a primary with a short pause',
      onAir('primary'),
      facts({ primary: encoder({ silentMs: 2_999 }), standby: encoder(), slate: true }),
      'primary',
      false,
    ],
    [
      'the slate for a lost primary',
      onAir('primary'),
      facts({ primary: notConnected, slate: true }),
      'slate',
      true,
    ],
    [
      'the slate while the standby is silent',
      onAir('primary'),
      facts({ primary: notConnected, standby: silent, slate: true }),
      'slate',
      true,
    ],
    [
      'the slate for a silent standby',
      onAir('standby'),
      facts({ primary: notConnected, standby: silent, slate: true }),
      'slate',
      true,
    ],
    [
      'a silent primary without an alternative',
      onAir('primary'),
      facts({ primary: silent }),
      'primary',
      false,
    ],
    ['no input after a lost primary', onAir('primary'), facts({ primary: notConnected }), null, true],
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
      'the primary immediately when the standby is lost',
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
      'an encoder after the slate is disabled',
      onAir('slate'),
      facts({ primary: encoder({ ready: false }) }),
      'primary',
      true,
    ],
    [
      'a manually chosen slate beside a working encoder',
      onAir('slate', true),
      facts({ slate: true }),
      'slate',
      false,
    ],
    [
      'a manually chosen standby beside a steady primary',
      onAir('standby', true),
      facts({ standby: encoder() }),
      'standby',
      false,
    ],
    ['the primary after a manually chosen standby is lost', onAir('standby', true), facts(), 'primary', true],
  ])('%s', (_name, state, facts, input, urgent) => {
    expect(chooseInput(state, facts)).toMatchObject({ input, urgent });
  });

  test('a manual choice is remembered while it is on air, and then forgotten', () => {
    const both = facts({ standby: encoder() });
    expect(manualChoice(onAir('primary'), 'standby', both)).toEqual({
      input: 'standby',
      byHand: true,
      urgent: false,
    });
    expect(chooseInput(onAir('standby', true), both).byHand).toBe(true);
    expect(chooseInput(onAir('standby', true), facts()).byHand).toBe(false);
    expect(manualChoice(onAir('primary'), 'primary', both)).toMatchObject({ byHand: true });
  });

  test("an unavailable input can't be chosen", () => {
    expect(manualChoice(onAir('primary'), 'standby', facts())).toBeNull();
    expect(manualChoice(onAir('primary'), 'slate', facts())).toBeNull();
    expect(
      manualChoice(onAir('standby'), 'primary', facts({ primary: silent, standby: encoder() })),
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
            programFacts: facts({ primary, standby, slate }),
          })),
        ),
      ),
    ),
  );
  const works = (source: EncoderFacts | null, input: ProgramFacts) =>
    source !== null && source.ready && source.silentMs < input.fallbackAfterMs;

  test('the choice is stable when repeated', () => {
    for (const { state, programFacts } of situations) {
      const { input, byHand } = chooseInput(state, programFacts);
      expect(chooseInput({ input, byHand }, programFacts)).toMatchObject({ input });
    }
  });

  test('no input is on air only if none is available', () => {
    for (const { state, programFacts } of situations) {
      if (chooseInput(state, programFacts).input === null)
        expect([programFacts.primary, programFacts.standby, programFacts.slate]).toEqual([null, null, false]);
    }
  });

  test('the slate never replaces a working encoder, unless a person chose it', () => {
    for (const { state, programFacts } of situations) {
      const isWorking =
        works(programFacts.primary, programFacts) || works(programFacts.standby, programFacts);
      if (isWorking && !state.byHand) expect(chooseInput(state, programFacts).input).not.toBe('slate');
    }
  });

  test('a working input is replaced only by a steady primary, or if it is the slate', () => {
    for (const { state, programFacts } of situations) {
      if (state.input === null || state.input === 'slate' || !works(programFacts[state.input], programFacts))
        continue;
      const { input, urgent } = chooseInput(state, programFacts);
      expect(urgent).toBe(false);
      if (input === state.input) continue;
      expect([state.input, input, programFacts.primary?.steadyMs]).toEqual(['standby', 'primary', STEADY_MS]);
      expect(state.byHand).toBe(false);
    }
  });

  test('the chosen input is connected', () => {
    for (const { state, programFacts } of situations) {
      const { input } = chooseInput(state, programFacts);
      if (input !== null) expect(Boolean(programFacts[input])).toBe(true);
    }
  });
});
