import { describe, expect, test } from 'vitest';
import {
  chooseManually,
  chooseInput,
  initialProgramState,
  programInputs,
  STEADY_MS,
  type EncoderFacts,
  type ProgramFacts,
  type ProgramState,
} from './program-state';

const createEncoder = (more: Partial<EncoderFacts> = {}): EncoderFacts => ({
  silentMs: 20,
  steadyMs: 60_000,
  ready: true,
  ...more,
});
const createFacts = (more: Partial<ProgramFacts> = {}): ProgramFacts => ({
  primary: createEncoder(),
  standby: null,
  slate: false,
  fallbackAfterMs: 3_000,
  ...more,
});
const stateWith = (input: ProgramState['input'], byHand = false): ProgramState => ({ input, byHand });
const notConnected = null;
const silentEncoder = createEncoder({ silentMs: 3_000, steadyMs: 0 });

describe('input on air', () => {
  test.each<[string, ProgramState, ProgramFacts, ProgramState['input'], boolean]>([
    [
      'the first encoder, before it has sent anything',
      initialProgramState,
      createFacts({ primary: createEncoder({ ready: false }) }),
      'primary',
      true,
    ],
    [
      'the standby without a primary',
      initialProgramState,
      createFacts({ primary: notConnected, standby: createEncoder({ ready: false }) }),
      'standby',
      true,
    ],
    ['nothing', initialProgramState, createFacts({ primary: notConnected }), null, false],
    [
      'the standby of a lost primary, immediately',
      stateWith('primary'),
      createFacts({ primary: notConnected, standby: createEncoder() }),
      'standby',
      true,
    ],
    [
      'the standby of a silent primary',
      stateWith('primary'),
      createFacts({ primary: silentEncoder, standby: createEncoder() }),
      'standby',
      true,
    ],
    [
      'a primary with a short pause',
      stateWith('primary'),
      createFacts({ primary: createEncoder({ silentMs: 2_999 }), standby: createEncoder(), slate: true }),
      'primary',
      false,
    ],
    [
      'the slate for a lost primary',
      stateWith('primary'),
      createFacts({ primary: notConnected, slate: true }),
      'slate',
      true,
    ],
    [
      'the slate while the standby is silent',
      stateWith('primary'),
      createFacts({ primary: notConnected, standby: silentEncoder, slate: true }),
      'slate',
      true,
    ],
    [
      'the slate for a silent standby',
      stateWith('standby'),
      createFacts({ primary: notConnected, standby: silentEncoder, slate: true }),
      'slate',
      true,
    ],
    [
      'a silent primary without an alternative',
      stateWith('primary'),
      createFacts({ primary: silentEncoder }),
      'primary',
      false,
    ],
    [
      'no input after a lost primary',
      stateWith('primary'),
      createFacts({ primary: notConnected }),
      null,
      true,
    ],
    [
      'the standby until the primary is steady',
      stateWith('standby'),
      createFacts({ primary: createEncoder({ steadyMs: STEADY_MS - 1 }), standby: createEncoder() }),
      'standby',
      false,
    ],
    [
      'the primary when it is steady, at a keyframe',
      stateWith('standby'),
      createFacts({ standby: createEncoder() }),
      'primary',
      false,
    ],
    [
      'the primary immediately when the standby is lost',
      stateWith('standby'),
      createFacts({ primary: createEncoder({ steadyMs: 0 }) }),
      'primary',
      true,
    ],
    [
      'the slate until the encoder has a keyframe',
      stateWith('slate'),
      createFacts({ primary: createEncoder({ ready: false }), slate: true }),
      'slate',
      false,
    ],
    [
      'the encoder after the slate, at a keyframe',
      stateWith('slate'),
      createFacts({ primary: createEncoder({ steadyMs: 0 }), slate: true }),
      'primary',
      false,
    ],
    [
      'the standby after the slate',
      stateWith('slate'),
      createFacts({ primary: silentEncoder, standby: createEncoder(), slate: true }),
      'standby',
      false,
    ],
    [
      'an encoder after the slate is disabled',
      stateWith('slate'),
      createFacts({ primary: createEncoder({ ready: false }) }),
      'primary',
      true,
    ],
    [
      'a manually chosen slate beside a working encoder',
      stateWith('slate', true),
      createFacts({ slate: true }),
      'slate',
      false,
    ],
    [
      'a manually chosen standby beside a steady primary',
      stateWith('standby', true),
      createFacts({ standby: createEncoder() }),
      'standby',
      false,
    ],
    [
      'the primary after a manually chosen standby is lost',
      stateWith('standby', true),
      createFacts(),
      'primary',
      true,
    ],
  ])('is %s; urgent: $4', (_name, state, programFacts, input, urgent) => {
    expect(chooseInput(state, programFacts)).toMatchObject({ input, urgent });
  });

  test('a manual choice is remembered while it is on air, and then forgotten', () => {
    const bothEncoders = createFacts({ standby: createEncoder() });
    expect(chooseManually(stateWith('primary'), 'standby', bothEncoders)).toEqual({
      input: 'standby',
      byHand: true,
      urgent: false,
    });
    expect(chooseInput(stateWith('standby', true), bothEncoders).byHand).toBe(true);
    expect(chooseInput(stateWith('standby', true), createFacts()).byHand).toBe(false);
    expect(chooseManually(stateWith('primary'), 'primary', bothEncoders)).toMatchObject({ byHand: true });
  });

  test('a manual choice of an unavailable input returns null', () => {
    expect(chooseManually(stateWith('primary'), 'standby', createFacts())).toBeNull();
    expect(chooseManually(stateWith('primary'), 'slate', createFacts())).toBeNull();
    expect(
      chooseManually(
        stateWith('standby'),
        'primary',
        createFacts({ primary: silentEncoder, standby: createEncoder() }),
      ),
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
            programFacts: createFacts({ primary, standby, slate }),
          })),
        ),
      ),
    ),
  );
  const isUsableEncoder = (encoder: EncoderFacts | null, { fallbackAfterMs }: ProgramFacts) =>
    encoder !== null && encoder.ready && encoder.silentMs < fallbackAfterMs;

  test('choosing again does not change the input', () => {
    for (const { state, programFacts } of situations) {
      const { input, byHand } = chooseInput(state, programFacts);
      expect(chooseInput({ input, byHand }, programFacts)).toMatchObject({ input });
    }
  });

  test('an input is on air if any is available', () => {
    for (const { state, programFacts } of situations) {
      if (chooseInput(state, programFacts).input === null)
        expect([programFacts.primary, programFacts.standby, programFacts.slate]).toEqual([null, null, false]);
    }
  });

  test('the slate never replaces a working encoder, unless a person chose it', () => {
    for (const { state, programFacts } of situations) {
      const isWorking =
        isUsableEncoder(programFacts.primary, programFacts) ||
        isUsableEncoder(programFacts.standby, programFacts);
      if (isWorking && !state.byHand) expect(chooseInput(state, programFacts).input).not.toBe('slate');
    }
  });

  test('a working encoder is replaced only by a steady primary encoder', () => {
    for (const { state, programFacts } of situations) {
      if (
        state.input === null ||
        state.input === 'slate' ||
        !isUsableEncoder(programFacts[state.input], programFacts)
      )
        continue;
      const { input, urgent } = chooseInput(state, programFacts);
      expect(urgent).toBe(false);
      if (input === state.input) continue;
      expect([state.input, input, programFacts.primary?.steadyMs]).toEqual(['standby', 'primary', STEADY_MS]);
      expect(state.byHand).toBe(false);
    }
  });

  test('the input on air is connected or, for the slate, enabled', () => {
    for (const { state, programFacts } of situations) {
      const { input } = chooseInput(state, programFacts);
      if (input !== null) expect(Boolean(programFacts[input])).toBe(true);
    }
  });
});
