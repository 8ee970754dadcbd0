import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ProgramEvent, type OnAirFacts, findOnAirPeriods } from './on-air-periods';

const SECOND_MS = 1_000;
/** Times of samples every 5 s in these ranges, which are in seconds. */
const samples = (...ranges: (readonly [from: number, to: number])[]) =>
  ranges.flatMap(([from, to]) =>
    Array.from({ length: (to - from) / 5 + 1 }, (_, index) => (from + index * 5) * SECOND_MS),
  );
const createFacts = (more: Partial<OnAirFacts>): OnAirFacts => ({
  from: 0,
  to: 600 * SECOND_MS,
  events: [],
  sampledAt: samples([0, 600]),
  sampleIntervalMs: 5_000,
  current: null,
  ...more,
});
const findPeriodsInSeconds = (more: Partial<OnAirFacts>) =>
  findOnAirPeriods(createFacts(more)).map(({ input, from, to }) => [input, from / SECOND_MS, to / SECOND_MS]);

describe('findOnAirPeriods', () => {
  test('returns the primary encoder for the whole time without events', () => {
    expect(findPeriodsInSeconds({})).toEqual([['primary', 0, 600]]);
  });

  test('returns a period for each input, slate and gap', () => {
    expect(
      findPeriodsInSeconds({
        sampledAt: samples([0, 100], [150, 300], [400, 600]),
        events: [
          { at: 500 * SECOND_MS, name: 'switched', to: 'standby' },
          { at: 305 * SECOND_MS, name: 'slateStarted' },
          { at: 398 * SECOND_MS, name: 'slateEnded' },
        ],
      }),
    ).toEqual([
      ['primary', 0, 100],
      [null, 100, 150],
      ['primary', 150, 300],
      [null, 300, 305],
      ['slate', 305, 398],
      [null, 398, 400],
      ['primary', 400, 500],
      ['standby', 500, 600],
    ]);
  });

  test('starts with the standby encoder if the first switch is to the primary encoder', () => {
    expect(
      findPeriodsInSeconds({ events: [{ at: 60 * SECOND_MS, name: 'switched', to: 'primary' }] }),
    ).toEqual([
      ['standby', 0, 60],
      ['primary', 60, 600],
    ]);
  });

  test('ends with the input that is on air now', () => {
    expect(findPeriodsInSeconds({ current: { input: 'slate', since: 590 * SECOND_MS } })).toEqual([
      ['primary', 0, 590],
      ['slate', 590, 600],
    ]);
  });

  test('has no gap if there are no samples', () => {
    expect(findPeriodsInSeconds({ sampledAt: [] })).toEqual([['primary', 0, 600]]);
  });

  test('returns periods that cover the whole time once, for any events', () => {
    const input = fc.constantFrom('primary' as const, 'standby' as const);
    const time = fc.integer({ min: -100, max: 1_100 });
    const event: fc.Arbitrary<ProgramEvent> = fc.oneof(
      fc.record({ at: time, name: fc.constant('switched' as const), to: input }),
      fc.record({ at: time, name: fc.constantFrom('slateStarted' as const, 'slateEnded' as const) }),
    );
    fc.assert(
      fc.property(
        fc.array(event, { maxLength: 20 }),
        fc.array(time, { maxLength: 40 }),
        fc.integer({ min: 1, max: 1_000 }),
        fc.option(fc.record({ input: fc.option(input), since: time })),
        (events, times, to, current) => {
          const sampledAt = times.map((time) => time * 100).sort((a, b) => a - b);
          const end = to * 100;
          const periods = findOnAirPeriods({
            from: 0,
            to: end,
            events,
            sampledAt,
            sampleIntervalMs: 10,
            current,
          });
          expect(periods[0]?.from).toBe(0);
          expect(periods.at(-1)?.to).toBe(end);
          for (const [index, period] of periods.entries()) {
            expect(period.to).toBeGreaterThan(period.from);
            const next = periods[index + 1];
            if (!next) continue;
            expect(next.from).toBe(period.to);
            expect(next.input).not.toBe(period.input);
          }
        },
      ),
    );
  });
});
