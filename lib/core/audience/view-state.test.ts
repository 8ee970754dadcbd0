import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type PlayerReport, type PlayerState, playerStates } from './read-cmcd';
import { type ViewState, MAX_GAP_MS, applyReport, applyRequestOfView } from './view-state';

const createReport = (
  state: PlayerState | null,
  playerTimeMs: number,
  more: Partial<PlayerReport> = {},
): PlayerReport => ({
  sessionId: 'a',
  sequence: null,
  state,
  playerTimeMs,
  ...more,
});

function applyReports(reports: readonly PlayerReport[]) {
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
      createReport('starting', 1_000),
      createReport('playing', 1_800),
      createReport(null, 11_800),
      createReport('rebuffering', 15_000),
      createReport('playing', 17_500),
      createReport('ended', 20_000),
    ];
    const { view, ...sum } = applyReports(reports);
    expect(sum).toEqual({ startups: [800], stalls: [2_500], playedMs: 15_700, failures: 0 });
    expect(view?.state).toBe('ended');
  });

  test('does not stall while it waits after a seek', () => {
    const states = ['starting', 'playing', 'seeking', 'rebuffering', 'playing'] as const;
    expect(applyReports(states.map((state, second) => createReport(state, second * 1_000))).stalls).toEqual(
      [],
    );
  });

  test('counts the stall during which the viewer leaves', () => {
    const states = ['playing', 'rebuffering', 'rebuffering', 'quit'] as const;
    expect(applyReports(states.map((state, second) => createReport(state, second * 1_000))).stalls).toEqual([
      2_000,
    ]);
  });

  test.each([
    // [player, duration of the stall, measurements at its end, whether the connection is slow].
    ['received 2 s of media in a stall of 8 s', 8_000, { bufferMs: 2_000 }, true],
    ['received nothing', 8_000, { bufferMs: 0 }, true],
    ['received 1 s less than the stall lasted', 3_000, { bufferMs: 2_000 }, true],
    ['received media almost in real time', 2_900, { bufferMs: 2_000 }, false],
    ['waited for a buffer that was filled faster than real time', 4_000, { bufferMs: 5_000 }, false],
    ['had enough media and could not show it', 30_000, { bufferMs: 30_000 }, false],
    ['does not report its buffer', 8_000, {}, false],
    ['measured less than the lowest rendition needs', 500, { throughputKbps: 900, lowestKbps: 1_100 }, true],
    ['measured enough for the lowest rendition', 8_000, { throughputKbps: 1_200, lowestKbps: 1_100 }, false],
  ])('judges the connection of a player that %s; too slow: $3', (_name, stallMs, measures, slow) => {
    const stalled = applyReports([
      createReport('playing', 0),
      createReport('rebuffering', 1_000, { bufferMs: 0 }),
    ]).view;
    const { facts } = applyReport(stalled, createReport('playing', 1_000 + stallMs, measures));
    expect(facts).toMatchObject({ stallMs, slow });
  });

  test('an empty buffer is no evidence of a slow connection if the stall did not end with playback', () => {
    const stalled = applyReports([createReport('playing', 0), createReport('rebuffering', 1_000)]).view;
    for (const state of ['failed', 'ended', 'quit', 'paused'] as const)
      expect(applyReport(stalled, createReport(state, 9_000, { bufferMs: 0 })).facts.slow).toBe(false);
  });

  test('more media in the buffer or a shorter stall never makes a connection slow', () => {
    const ms = fc.nat(60_000);
    const isSlow = (stallMs: number, bufferMs: number) => {
      const stalled = applyReports([createReport('playing', 0), createReport('rebuffering', 1_000)]).view;
      return applyReport(stalled, createReport('playing', 1_000 + stallMs, { bufferMs })).facts.slow;
    };
    fc.assert(
      fc.property(ms, ms, ms, ms, (stallMs, bufferMs, shorter, more) => {
        if (isSlow(Math.max(0, stallMs - shorter), bufferMs + more))
          expect(isSlow(stallMs, bufferMs)).toBe(true);
        if (isSlow(stallMs, bufferMs)) expect(bufferMs).toBeLessThan(stallMs);
      }),
    );
  });

  test('a request after the stall is no stronger evidence than the report at its end', () => {
    const ms = fc.nat(20_000);
    const playing = [createReport('playing', 0), createReport('rebuffering', 1_000)];
    fc.assert(
      fc.property(ms, ms, ms, ms, (stallMs, bufferMs, receivedMs, sinceMs) => {
        fc.pre(bufferMs + receivedMs >= sinceMs);
        const end = createReport('playing', 1_000 + stallMs);
        const request = { bufferMs: bufferMs + receivedMs - sinceMs };
        const { view } = applyReports([...playing, end]);
        if (!view) throw new Error('no view');
        const late = applyRequestOfView(view, request, sinceMs);
        const stalled = applyReports(playing).view;
        const { facts } = applyReport(stalled, { ...end, bufferMs });
        if (late.facts.slow) expect(facts.slow).toBe(true);
        if (receivedMs === 0) expect(late.facts.slow ?? false).toBe(facts.slow);
        // One stall counts once.
        expect(applyRequestOfView(late.view, request, sinceMs).facts.slow).toBeUndefined();
      }),
    );
  });

  test('counts waiting before the first frame as startup only', () => {
    const states = ['starting', 'rebuffering', 'playing'] as const;
    const { startups, stalls } = applyReports(
      states.map((state, second) => createReport(state, second * 1_000)),
    );
    expect([startups, stalls]).toEqual([[2_000], []]);
  });

  test('ignores duplicate and late reports', () => {
    const reports = [
      createReport('starting', 0),
      createReport('playing', 900),
      createReport('failed', 4_000),
    ].map((report, sequence) => ({ ...report, sequence }));
    const { view: _view, ...sum } = applyReports([...reports, ...reports]);
    expect(sum).toEqual({ startups: [900], stalls: [], playedMs: 3_100, failures: 1 });
  });

  test('counts at most two minutes between two reports, because the device may have slept', () => {
    expect(applyReports([createReport('playing', 0), createReport('playing', 86_400_000)]).playedMs).toBe(
      MAX_GAP_MS,
    );
  });

  test('never plays and stalls longer than its clock ran', () => {
    const reports = fc.array(
      fc.record({
        sessionId: fc.constant('a'),
        playerTimeMs: fc.nat(1_000_000),
        sequence: fc.option(fc.nat(50)),
        state: fc.option(fc.constantFrom(...Object.values(playerStates))),
      }),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(reports, (input) => {
        const inOrder = input.toSorted((a, b) => a.playerTimeMs - b.playerTimeMs);
        const { startups, stalls, playedMs } = applyReports(inOrder);
        const [first, last] = [inOrder[0]?.playerTimeMs ?? 0, inOrder.at(-1)?.playerTimeMs ?? 0];
        const total = [...stalls, playedMs].reduce((sum, ms) => sum + ms, 0);
        expect(total).toBeLessThanOrEqual(last - first);
        expect(startups.length).toBeLessThanOrEqual(1);
      }),
    );
  });
});
