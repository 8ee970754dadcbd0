import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const waitingFile = 'lib/infra/within.ts';

const files = ['app', 'lib', 'media-worker', 'web', 'scripts']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`),
  )
  .filter((path) => /\.ts$/.test(path) && !/\.test\.ts$|\/generated\/|\/testing\//.test(path));

/** Whether a file races work against a timer that starts within a few lines of the race. */
const racesTimer = (text: string) => {
  const lines = text.split('\n');
  return lines.some((line, index) => {
    const nearbyLines = lines.slice(Math.max(0, index - 10), index + 4).join('\n');
    return line.includes('Promise.race(') && /\b(setTimeout|delay|sleep)\(/.test(nearbyLines);
  });
};

test('timeouts are implemented with within() only', () => {
  expect(files.length).toBeGreaterThan(800);
  const otherFiles = files.filter((path) => path !== waitingFile);
  expect(otherFiles.filter((path) => racesTimer(readFileSync(join(root, path), 'utf8')))).toEqual([]);
});

test('a race between work and a timer is detected, a race between two pieces of work is not', () => {
  expect(
    racesTimer('const late = new Promise((r) => setTimeout(r, 9));\nawait Promise.race([work, late]);'),
  ).toBe(true);
  expect(racesTimer('await Promise.race([work, delay(9)]);')).toBe(true);
  expect(racesTimer('await Promise.race([first, second]);')).toBe(false);
});
