import { describe, expect, test } from 'vitest';
import { runPlan, type Part } from './plan';
import { emptyTally, singleTally } from './tally';

/** Creates a part that records its start and end, and lets parallel parts run in between. */
function recordedPart(
  events: string[],
  name: string,
  after: readonly string[],
  options: Partial<Part> = {},
): Part {
  return {
    name,
    after,
    async run() {
      events.push(`${name} starts`);
      await Promise.resolve();
      events.push(`${name} ends`);
      return singleTally(true, name);
    },
    ...options,
  };
}

const failure = (name: string, reason = '') => ({ name, reason, rerun: null });

test('a part starts when its dependencies have ended, and runs in parallel to the others', async () => {
  const events: string[] = [];
  const parts = [
    recordedPart(events, 'build', []),
    recordedPart(events, 'checks', []),
    recordedPart(events, 'browser', ['build', 'checks']),
  ];
  expect(await runPlan(parts, 2)).toEqual({ ...emptyTally, passed: 3 });
  expect(events).toEqual([
    ...['build starts', 'checks starts', 'build ends', 'checks ends'],
    ...['browser starts', 'browser ends'],
  ]);
});

describe('workers', () => {
  test('are never more than the budget', async () => {
    const events: string[] = [];
    const parts = [
      recordedPart(events, 'one', []),
      recordedPart(events, 'two', [], { workers: 2 }),
      recordedPart(events, 'none', [], { workers: 0 }),
      recordedPart(events, 'other', []),
    ];
    expect((await runPlan(parts, 2)).passed).toBe(4);
    expect(events.slice(0, 3)).toEqual(['one starts', 'none starts', 'other starts']);
    expect(events.slice(-2)).toEqual(['two starts', 'two ends']);
  });

  test('of a part with more than the budget run without other parts', async () => {
    const events: string[] = [];
    const parts = [recordedPart(events, 'alone', [], { workers: 3 }), recordedPart(events, 'other', [])];
    await runPlan(parts, 2);
    expect(events).toEqual(['alone starts', 'alone ends', 'other starts', 'other ends']);
  });

  test('of parts that must not run at the same time are not busy together', async () => {
    const events: string[] = [];
    const parts = [
      recordedPart(events, 'browser', []),
      recordedPart(events, 'media', [], { conflictsWith: 'browser' }),
      recordedPart(events, 'db', []),
    ];
    await runPlan(parts, 2);
    expect(events.indexOf('media starts')).toBeGreaterThan(events.indexOf('browser ends'));
    expect(events.indexOf('db starts')).toBeLessThan(events.indexOf('browser ends'));
  });
});

test('a failed check does not stop later ones', async () => {
  const events: string[] = [];
  const lint = recordedPart(events, 'lint', [], { run: () => Promise.resolve(singleTally(false, 'lint')) });
  const tally = await runPlan([lint, recordedPart(events, 'tests', ['lint'])], 2);
  expect(tally).toEqual({ ...emptyTally, passed: 1, failures: [failure('lint')] });
});

test('a part whose dependency throws is not run and counts as a failure', async () => {
  const events: string[] = [];
  const missing: Part = { name: 'ffmpeg', after: [], run: () => Promise.reject(new Error('no apt-get')) };
  const parts = [missing, recordedPart(events, 'media', ['ffmpeg']), recordedPart(events, 'lint', [])];
  const { passed: passedCount, failures } = await runPlan(parts, 2);
  expect(passedCount).toBe(1);
  expect(failures).toEqual([
    failure('ffmpeg', 'no apt-get'),
    failure('media', 'not run, because ffmpeg failed'),
  ]);
  expect(events).toEqual(['lint starts', 'lint ends']);
});

test('a part whose dependency is not planned earlier counts as a failure', async () => {
  expect((await runPlan([recordedPart([], 'media', ['ffmpeg'])], 2)).failures).toEqual([
    failure('media', 'ffmpeg is not planned before it'),
  ]);
});
