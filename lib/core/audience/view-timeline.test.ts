import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PlayerReport, playerStates, parseReports } from './read-cmcd';
import { createViewTimeline } from './view-timeline';

const timelineOf = (lines: readonly string[]) => createViewTimeline(parseReports(lines.join('\n')).reports);
const line = (sn: number, sta: string, ts: number, more = '') =>
  `e=ps,sid="a",sn=${sn},sta=${sta},ts=${ts}${more}`;

describe('timeline of a view', () => {
  it('has an entry for each state and picture height, with its duration, and the sums of the view', () => {
    const timeline = timelineOf([
      line(1, 's', 1_000),
      line(2, 'p', 1_800, ',com.headwater-height="720",mtp=(4000),lb=(1100)'),
      line(3, 'r', 11_800, ',mtp=(900)'),
      line(4, 'p', 16_000, ',com.headwater-height="480"'),
      line(5, 'e', 26_000),
    ]);
    expect(timeline).toMatchObject({ from: 1_000, to: 26_000, startupMs: 800, playedMs: 20_000 });
    expect(timeline).toMatchObject({ stalls: 1, stallMs: 4_200, failed: false });
    expect(timeline?.entries.map(({ state, durationMs, height }) => [state, durationMs, height])).toEqual([
      ['starting', 800, null],
      ['playing', 10_000, 720],
      ['rebuffering', 4_200, 720],
      ['playing', 10_000, 480],
      ['ended', 0, 480],
    ]);
    expect(timeline?.entries[2]).toMatchObject({ throughputKbps: 900, lowestKbps: 1_100 });
  });

  it('has one entry for reports without a change', () => {
    const timeline = timelineOf([line(1, 'p', 0), line(2, 'p', 20_000), line(3, 'p', 40_000)]);
    expect(timeline?.entries).toMatchObject([{ at: 0, durationMs: 40_000 }]);
  });

  it('contains the reports of one view only', () => {
    expect(timelineOf([line(1, 's', 0), 'e=ps,sid="b",sn=1,sta=f,ts=9', line(2, 'p', 500)])).toMatchObject({
      failed: false,
      startupMs: 500,
    });
  });

  it('is null without a state', () => {
    expect(timelineOf([])).toBeNull();
    expect(timelineOf(['e=t,sid="a",ts=1'])).toBeNull();
  });

  it('covers its time without gaps or overlaps for any reports', () => {
    const report = fc.record<PlayerReport>({
      sessionId: fc.constant('a'),
      playerTimeMs: fc.nat(10_000_000),
      sequence: fc.option(fc.nat(100)),
      state: fc.option(fc.constantFrom(...Object.values(playerStates))),
      height: fc.constantFrom(480, 720),
    });
    fc.assert(
      fc.property(fc.array(report, { maxLength: 500 }), (reports) => {
        const timeline = createViewTimeline(reports);
        if (!timeline) return;
        const { entries, from, to } = timeline;
        expect(entries.length).toBeLessThanOrEqual(300);
        expect(to).toBeGreaterThanOrEqual(from);
        entries.forEach(({ at, durationMs }, index) => {
          expect(at + durationMs).toBe(entries[index + 1]?.at ?? to);
        });
      }),
    );
  });
});
