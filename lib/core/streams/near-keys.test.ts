import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findSimilarKeys } from './near-keys';

const key = 'ab12-cd34-ef56-gh78';

test.each([
  ['a wrong character', 'ab12-cd34-ef56-gh79'],
  ['a wrong character at the start', 'xb12-cd34-ef56-gh78'],
  ['an upper-case character', 'ab12-cD34-ef56-gh78'],
  ['another separator', 'ab12-cd34_ef56-gh78'],
  ['a missing character', 'ab12-cd34-ef56-gh7'],
  ['a missing dash', 'ab12cd34-ef56-gh78'],
  ['a doubled character', 'ab12-cd334-ef56-gh78'],
  ['an extra character at the end', 'ab12-cd34-ef56-gh78x'],
  ['two swapped characters', 'ab12-dc34-ef56-gh78'],
  ['a character swapped with a dash', 'ab1-2cd34-ef56-gh78'],
])('findSimilarKeys finds a key that was typed with this edit: %s', (_name, typedKey) => {
  expect(findSimilarKeys(typedKey)).toContain(key);
});

test.each([
  ['two wrong characters', 'ab12-cd34-ef56-gh99'],
  ['two missing characters', 'ab12-cd34-ef56-gh'],
  ['the key itself', key],
])('findSimilarKeys does not find a key that was typed with this edit: %s', (_name, typedKey) => {
  expect(findSimilarKeys(typedKey)).not.toContain(key);
});

test('findSimilarKeys returns fewer than 600 keys for any text', () => {
  expect(findSimilarKeys(key).length).toBeLessThan(600);
  expect(findSimilarKeys('x'.repeat(10_000))).toEqual([]);
  fc.assert(
    fc.property(fc.string({ minLength: 17, maxLength: 21 }), (name) => {
      expect(findSimilarKeys(name).length).toBeLessThan(600);
    }),
  );
});
