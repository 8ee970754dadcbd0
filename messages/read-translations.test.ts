import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readTranslations } from './read-translations';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'languages-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const source = {
  home: { title: 'Home', steps: '{done, number} of {total, number} steps', more: 'See <link>all</link>' },
  reasons: { empty: 'the file is empty', long: '{field} is too long' },
};
const add = (name: string, content: unknown) =>
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
const read = () => readTranslations(folder, source);

test('a language is one file; what it does not say is said in the source language', () => {
  add('eo.json', {
    name: 'Esperanto',
    texts: { home: { title: 'Hejmo', unknown: 'x' }, reasons: { empty: 'la dosiero estas malplena' } },
  });
  expect(read()).toEqual([
    {
      ...{ tag: 'eo', name: 'Esperanto' },
      texts: {
        home: { ...source.home, title: 'Hejmo' },
        // The service sends its English sentence with each reason.
        reasons: { empty: 'la dosiero estas malplena' },
      },
    },
  ]);
});

test.each([
  ['no text', 3],
  ['empty', ' '],
  ['no message', '{done'],
  ['another argument', '{found} of {total, number}'],
  ['another argument in a plural', '{total, plural, one {# {x}} other {#}}'],
])('a text that is %s is not taken', (_, steps) => {
  add('eo.json', { name: 'Esperanto', texts: { home: { steps } } });
  expect(read()[0]?.texts).toMatchObject({ home: { steps: source.home.steps } });
});

test.each(['{total, plural, one {# paŝo} other {# paŝoj}}, {done}', 'Paŝoj'])('%s is taken', (steps) => {
  add('eo.json', { name: 'Esperanto', texts: { home: { steps } } });
  expect(read()[0]?.texts).toMatchObject({ home: { steps } });
});

test.each([
  ['../x.json is no tag', 'not a tag.json', { name: 'X', texts: {} }],
  ['it has no name', 'eo.json', { texts: {} }],
  ['it is no JSON', 'eo.json', 'texts'],
])('a file is refused where %s', (_, name, content) => {
  add(name, content);
  expect(read).toThrow();
});

test('without the folder there is no further language', () => {
  expect(readTranslations(join(folder, 'none'), source)).toEqual([]);
});
