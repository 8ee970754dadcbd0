import { describe, expect, test } from 'vitest';
import { runPlan, type Part } from './plan';
import { none, one } from './tally';

/** A part that records its start and end, and lets parallel parts run in between. */
function recorded(events: string[], name: string, after: readonly string[], more: Partial<Part> = {}): Part {
  return {
    ...{ name, after },
    async run() {
      events.push(`${name} starts`);
      await Promise.resolve();
      events.push(`${name} ends`);
      return one(true, name);
    },
    ...more,
  };
}

const failed = (name: string, reason = '') => ({ name, reason, again: null });

test('a part starts when its dependencies have ended, and runs in parallel to the others', async () => {
  const events: string[] = [];
  const parts = [
    recorded(events, 'build', []),
    recorded(events, 'checks', []),
    recorded(events, 'browser', ['build', 'checks']),
  ];
  expect(await runPlan(parts, 2)).toEqual({ ...none, passed: 3 });
  expect(events).toEqual([
    ...['build starts', 'checks starts', 'build ends', 'checks ends'],
    ...['browser starts', 'browser ends'],
  ]);
});

describe('workers', () => {
  test('are never more than the budget', async () => {
    const events: string[] = [];
    const parts = [
      recorded(events, 'one', []),
      recorded(events, 'two', [], { workers: 2 }),
      recorded(events, 'none', [], { workers: 0 }),
      recorded(events, 'other', []),
    ];
    expect((await runPlan(parts, 2)).passed).toBe(4);
    expect(events.slice(0, 3)).toEqual(['one starts', 'none starts', 'other starts']);
    expect(events.slice(-2)).toEqual(['two starts', 'two ends']);
  });

  test('a part that has more than the budget runs alone', async () => {
    const events: string[] = [];
    const parts = [recorded(events, 'alone', [], { workers: 3 }), recorded(events, 'other', [])];
    await runPlan(parts, 2);
    expect(events).toEqual(['alone starts', 'alone ends', 'other starts', 'other ends']);
  });

  test('of two parts that are kept apart, one waits', async () => {
    const events: string[] = [];
    const apart = 'film';
    const parts = [
      recorded(events, 'browser', [], { apart }),
      recorded(events, 'media', [], { apart }),
      recorded(events, 'db', []),
    ];
    await runPlan(parts, 2);
    expect(events.indexOf('media starts')).toBeGreaterThan(events.indexOf('browser ends'));
    expect(events.indexOf('db starts')).toBeLessThan(events.indexOf('browser ends'));
  });
});

test('a failed check does not stop later ones', async () => {
  const events: string[] = [];
  const lint = recorded(events, 'lint', [], { run: () => Promise.resolve(one(false, 'lint')) });
  const tally = await runPlan([lint, recorded(events, 'tests', ['lint'])], 2);
  expect(tally).toEqual({ ...none, passed: 1, failures: [failed('lint')] });
});

test('a part whose dependency throws is not run and counts as a failure', async () => {
  const events: string[] = [];
  const missing: Part = { name: 'ffmpeg', after: [], run: () => Promise.reject(new Error('no apt-get')) };
  const parts = [missing, recorded(events, 'media', ['ffmpeg']), recorded(events, 'lint', [])];
  const { passed, failures } = await runPlan(parts, 2);
  expect(passed).toBe(1);
  expect(failures).toEqual([
    failed('ffmpeg', 'no apt-get'),
    failed('media', 'not run, because ffmpeg failed'),
  ]);
  expect(events).toEqual(['lint starts', 'lint ends']);
});

test('a part that depends on one that is not planned before it is a failure', async () => {
  expect((await runPlan([recorded([], 'media', ['ffmpeg'])], 2)).failures).toEqual([
    failed('media', 'ffmpeg is not planned before it'),
  ]);
});
