import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const timeFolder = 'components/ui/time/';

const filesBelow = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`);
const pages = ['app', 'components', 'lib/client']
  .flatMap(filesBelow)
  .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path));

/** Patterns that format a date in the machine's time zone or clock format. Numbers may use toLocaleString. */
const forbiddenPatterns = [
  /Intl\.DateTimeFormat/,
  /\.toLocale(Date|Time)String\(/,
  /\bto(Date|Time)String\(/,
  /\b\w*[dD]ate\w*(\([^)]*\))?\.toLocaleString\(/,
  /\.toLocaleString\([^)]*\b(hour|minute|day|month|year|timeZone)\b/,
  /\.get(Hours|Minutes|Seconds|Day|Date|Month|FullYear)\(/,
];

const faultsIn = (text: string) => forbiddenPatterns.filter((pattern) => pattern.test(text)).map(String);

test('pages format times with components/ui/time only, so that they follow the settings', () => {
  const otherPages = pages.filter((path) => !path.startsWith(timeFolder) && !path.startsWith('app/api/'));
  const faults = otherPages.flatMap((path) => {
    const fileFaults = faultsIn(readFileSync(join(root, path), 'utf8'));
    return fileFaults.length > 0 ? [`${path}: ${fileFaults.join(' ')}`] : [];
  });
  expect(otherPages.length).toBeGreaterThan(300);
  expect(faults).toEqual([]);
});

test.each([
  'new Date(at).toLocaleString("en")',
  'date.toLocaleString()',
  'then.toLocaleTimeString("en")',
  'at.toLocaleString("en", { hour: "2-digit" })',
  'new Intl.DateTimeFormat("en")',
  'new Date().getHours()',
])('%s is detected', (code) => expect(faultsIn(code)).not.toEqual([]));

test('numbers are allowed', () => expect(faultsIn('views.toLocaleString("en")')).toEqual([]));
