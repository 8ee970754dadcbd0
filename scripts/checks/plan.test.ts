import { expect, test } from 'vitest';
import { runPlan, type Part } from './plan';
import { one } from './tally';

/** A part that notes when it starts and ends, after another one that runs beside it has had its turn. */
function noted(notes: string[], name: string, after: readonly string[], ok = true): Part {
  return {
    ...{ name, after },
    async run() {
      notes.push(`${name} starts`);
      await Promise.resolve();
      notes.push(`${name} ends`);
      return one(ok, name);
    },
  };
}

test('a part starts when those before it have ended, and runs beside the others', async () => {
  const notes: string[] = [];
  const tally = await runPlan([
    noted(notes, 'build', []),
    noted(notes, 'checks', []),
    noted(notes, 'browser', ['build', 'checks']),
  ]);
  expect(tally).toEqual({ passed: 3, failures: [] });
  expect(notes).toEqual([
    ...['build starts', 'checks starts', 'build ends', 'checks ends'],
    ...['browser starts', 'browser ends'],
  ]);
});

test('a failed check hides none of those after it', async () => {
  const notes: string[] = [];
  const tally = await runPlan([noted(notes, 'lint', [], false), noted(notes, 'tests', ['lint'])]);
  expect(tally).toEqual({ passed: 1, failures: ['lint'] });
});

test('without what it needs a part is not run, and that counts as a failure', async () => {
  const notes: string[] = [];
  const missing: Part = { name: 'ffmpeg', after: [], run: () => Promise.reject(new Error('no apt-get')) };
  const tally = await runPlan([missing, noted(notes, 'media', ['ffmpeg']), noted(notes, 'lint', [])]);
  expect(tally).toEqual({
    passed: 1,
    failures: ['ffmpeg\nno apt-get', 'media\nnot run, because ffmpeg failed'],
  });
  expect(notes).toEqual(['lint starts', 'lint ends']);
});

test('a part that waits for one that is not planned before it is a failure', async () => {
  expect(await runPlan([noted([], 'media', ['ffmpeg'])])).toEqual({
    passed: 0,
    failures: ['media\nffmpeg is not planned before it'],
  });
});
