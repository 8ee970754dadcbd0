import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  assetPhases,
  firstAssetPhase,
  isFinalAssetPhase,
  isReadyAsset,
  nextAssetState,
  type AssetEvent,
  type AssetState,
} from './asset-state';

const types = [
  'upload_started',
  'upload_broken',
  'work_started',
  'progressed',
  'completed',
  'failed',
  'retried',
] as const;

const eventOf = (type: AssetEvent['type'], progress = 0.5): AssetEvent =>
  type === 'progressed' ? { type, progress } : { type };

const outOfTurn = 'out_of_turn';
const final = 'already_final';

/** phase → event → next phase or the refusal. */
const expected = {
  waiting: {
    upload_started: 'uploading',
    upload_broken: outOfTurn,
    work_started: 'processing',
    progressed: outOfTurn,
    completed: outOfTurn,
    failed: 'failed',
    retried: outOfTurn,
  },
  uploading: {
    upload_started: outOfTurn,
    upload_broken: 'waiting',
    work_started: 'processing',
    progressed: outOfTurn,
    completed: outOfTurn,
    failed: 'failed',
    retried: outOfTurn,
  },
  processing: {
    upload_started: outOfTurn,
    upload_broken: outOfTurn,
    work_started: 'processing',
    progressed: 'processing',
    completed: 'ready',
    failed: 'failed',
    retried: outOfTurn,
  },
  ready: Object.fromEntries(types.map((type) => [type, final])) as Record<AssetEvent['type'], string>,
  failed: {
    ...(Object.fromEntries(types.map((type) => [type, final])) as Record<AssetEvent['type'], string>),
    retried: 'processing',
  },
} as const;

describe('nextAssetState', () => {
  const pairs = assetPhases.flatMap((phase) => types.map((type) => [phase, type] as const));

  test.each(pairs)('%s + %s', (phase, type) => {
    const wanted = expected[phase][type];
    const next = nextAssetState({ phase, progress: null }, eventOf(type));
    if (wanted === final || wanted === outOfTurn) expect(next).toEqual({ refused: wanted });
    else expect(next).toMatchObject({ state: { phase: wanted } });
  });

  test.each([
    [null, -1, 0],
    [null, 0.25, 0.25],
    [0.5, 0.25, 0.5],
    [0.5, 7, 1],
  ])('progress %s, then %s: %s', (progress, reported, wanted) => {
    const next = nextAssetState({ phase: 'processing', progress }, eventOf('progressed', reported));
    expect(next).toEqual({ state: { phase: 'processing', progress: wanted } });
  });

  test('ready is never left, failed only by a retry, and progress never falls but by that', () => {
    const events = fc.array(
      fc.tuple(fc.constantFrom(...types), fc.double({ min: -1, max: 2, noNaN: true })),
      {
        maxLength: 60,
      },
    );
    fc.assert(
      fc.property(events, (life) => {
        let state: AssetState = { phase: firstAssetPhase, progress: null };
        for (const [type, progress] of life) {
          const next = nextAssetState(state, eventOf(type, progress));
          const retried = state.phase === 'failed' && type === 'retried';
          if (isFinalAssetPhase(state.phase) && !retried) expect(next).toEqual({ refused: final });
          if ('refused' in next) continue;
          expect(next.state.progress ?? 0).toBeGreaterThanOrEqual(retried ? 0 : (state.progress ?? 0));
          expect(next.state.progress ?? 0).toBeLessThanOrEqual(1);
          expect(isReadyAsset(next.state.phase)).toBe(type === 'completed');
          state = next.state;
        }
      }),
    );
  });
});
