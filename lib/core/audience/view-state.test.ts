import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type PlayerReport, type PlayerState, playerStates } from './read-cmcd';
import { type ViewState, MAX_GAP_MS, applyReport } from './view-state';

const report = (state: PlayerState | null, at: number, more: Partial<PlayerReport> = {}): PlayerReport => ({
  sessionId: 'a',
  sequence: null,
  state,
  at,
  ...more,
});

function sums(reports: readonly PlayerReport[]) {
  const sum = { startups: [] as number[], stalls: [] as number[], playedMs: 0, failures: 0 };
  let view: ViewState | null = null;
  for (const playerReport of reports) {
    const next = applyReport(view, playerReport);
    view = next.view;
    if (next.facts.startupMs !== undefined) sum.startups.push(next.facts.startupMs);
    if (next.facts.stallMs !== undefined) sum.stalls.push(next.facts.stallMs);
    sum.playedMs += next.facts.playedMs;
    sum.failures += next.facts.failed ? 1 : 0;
  }
  return { ...sum, view };
}

describe('a view', () => {
  test('starts, plays, stalls and ends', () => {
    const reports = [
      report('starting', 1_000),
      report('playing', 1_800),
      report(null, 11_800),
      report('rebuffering', 15_000),
      report('playing', 17_500),
      report('ended', 20_000),
    ];
    const { view, ...sum } = sums(reports);
    expect(sum).toEqual({ startups: [800], stalls: [2_500], playedMs: 15_700, failures: 0 });
    expect(view?.state).toBe('ended');
  });

  test('does not stall while it waits after a seek', () => {
    const states = ['starting', 'playing', 'seeking', 'rebuffering', 'playing'] as const;
    expect(sums(states.map((state, at) => report(state, at * 1_000))).stalls).toEqual([]);
  });

  test('counts the stall during which the viewer leaves', () => {
    const states = ['playing', 'rebuffering', 'rebuffering', 'quit'] as const;
    expect(sums(states.map((state, at) => report(state, at * 1_000))).stalls).toEqual([2_000]);
  });

  test('counts waiting before the first frame as startup only', () => {
    const states = ['starting', 'rebuffering', 'playing'] as const;
    const { startups, stalls } = sums(states.map((state, at) => report(state, at * 1_000)));
    expect([startups, stalls]).toEqual([[2_000], []]);
  });

  test('ignores duplicate and late reports', () => {
    const reports = [report('starting', 0), report('playing', 900), report('failed', 4_000)].map(
      (item, at) => ({ ...item, sequence: at }),
    );
    const { view: _view, ...sum } = sums([...reports, ...reports]);
    expect(sum).toEqual({ startups: [900], stalls: [], playedMs: 3_100, failures: 1 });
  });

  test('does not count time while the device slept', () => {
    expect(sums([report('playing', 0), report('playing', 86_400_000)]).playedMs).toBe(MAX_GAP_MS);
  });

  test('never plays and stalls longer than its clock ran', () => {
    const reports = fc.array(
      fc.record({
        sessionId: fc.constant('a'),
        at: fc.nat(1_000_000),
        sequence: fc.option(fc.nat(50)),
        state: fc.option(fc.constantFrom(...Object.values(playerStates))),
      }),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(reports, (input) => {
        const inOrder = input.toSorted((a, b) => a.at - b.at);
        const { startups, stalls, playedMs } = sums(inOrder);
        const [first, last] = [inOrder[0]?.at ?? 0, inOrder.at(-1)?.at ?? 0];
        const total = [...stalls, playedMs].reduce((sum, ms) => sum + ms, 0);
        expect(total).toBeLessThanOrEqual(last - first);
        expect(startups.length).toBeLessThanOrEqual(1);
      }),
    );
  });
});
