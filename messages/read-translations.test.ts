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
const addFile = (name: string, content: unknown) =>
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
const read = () => readTranslations(folder, source);

test('a language is one file; its missing texts are those of the source language, and unknown texts are ignored', () => {
  addFile('eo.json', {
    name: 'Esperanto',
    texts: { home: { title: 'Hejmo', unknown: 'x' }, reasons: { empty: 'la dosiero estas malplena' } },
  });
  expect(read()).toEqual([
    {
      tag: 'eo',
      name: 'Esperanto',
      texts: {
        home: { ...source.home, title: 'Hejmo' },
        // Missing reasons are left out, because the service sends its English message with each reason.
        reasons: { empty: 'la dosiero estas malplena' },
      },
    },
  ]);
});

test.each([
  ['not a string', 3],
  ['empty', ' '],
  ['not a message', '{done'],
  ['using an unknown argument', '{found} of {total, number}'],
  ['using an unknown argument in a plural', '{total, plural, one {# {x}} other {#}}'],
])('the source text replaces a text that is %s', (_, steps) => {
  addFile('eo.json', { name: 'Esperanto', texts: { home: { steps } } });
  expect(read()[0]?.texts).toMatchObject({ home: { steps: source.home.steps } });
});

test.each(['{total, plural, one {# paŝo} other {# paŝoj}}, {done}', 'Paŝoj'])(
  'a text may use all or none of the arguments of the source text, in another format: %s',
  (steps) => {
    addFile('eo.json', { name: 'Esperanto', texts: { home: { steps } } });
    expect(read()[0]?.texts).toMatchObject({ home: { steps } });
  },
);

test.each([
  ['its name is not a language tag', 'not a tag.json', { name: 'X', texts: {} }],
  ['it has no name', 'eo.json', { texts: {} }],
  ['it is not JSON', 'eo.json', 'texts'],
])('a file is rejected if %s', (_, name, content) => {
  addFile(name, content);
  expect(read).toThrow();
});

test('a missing folder adds no language', () => {
  expect(readTranslations(join(folder, 'none'), source)).toEqual([]);
});
