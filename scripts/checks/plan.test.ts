import { expect, test } from 'vitest';
import { runPlan, type Part } from './plan';
import { one } from './tally';

/** A part that records its start and end, and lets parallel parts run in between. */
function recorded(events: string[], name: string, after: readonly string[], ok = true): Part {
  return {
    ...{ name, after },
    async run() {
      events.push(`${name} starts`);
      await Promise.resolve();
      events.push(`${name} ends`);
      return one(ok, name);
    },
  };
}

test('a part starts when its dependencies have ended, and runs in parallel to the others', async () => {
  const events: string[] = [];
  const tally = await runPlan([
    recorded(events, 'build', []),
    recorded(events, 'checks', []),
    recorded(events, 'browser', ['build', 'checks']),
  ]);
  expect(tally).toEqual({ passed: 3, failures: [] });
  expect(events).toEqual([
    ...['build starts', 'checks starts', 'build ends', 'checks ends'],
    ...['browser starts', 'browser ends'],
  ]);
});

test('a failed check does not stop later ones', async () => {
  const events: string[] = [];
  const tally = await runPlan([recorded(events, 'lint', [], false), recorded(events, 'tests', ['lint'])]);
  expect(tally).toEqual({ passed: 1, failures: ['lint'] });
});

test('a part whose dependency throws is not run and counts as a failure', async () => {
  const events: string[] = [];
  const missing: Part = { name: 'ffmpeg', after: [], run: () => Promise.reject(new Error('no apt-get')) };
  const tally = await runPlan([missing, recorded(events, 'media', ['ffmpeg']), recorded(events, 'lint', [])]);
  expect(tally).toEqual({
    passed: 1,
    failures: ['ffmpeg\nno apt-get', 'media\nnot run, because ffmpeg failed'],
  });
  expect(events).toEqual(['lint starts', 'lint ends']);
});

test('a part that depends on one that is not planned before it is a failure', async () => {
  expect(await runPlan([recorded([], 'media', ['ffmpeg'])])).toEqual({
    passed: 0,
    failures: ['media\nffmpeg is not planned before it'],
  });
});
