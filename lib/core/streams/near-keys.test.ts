import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keysOneEditAway } from './near-keys';

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
])('finds the key after the edit: %s', (_name, typedKey) => {
  expect(keysOneEditAway(typedKey)).toContain(key);
});

test.each([
  ['two wrong characters', 'ab12-cd34-ef56-gh99'],
  ['two missing characters', 'ab12-cd34-ef56-gh'],
  ['the key itself', key],
])('does not find the key after the edit: %s', (_name, typedKey) => {
  expect(keysOneEditAway(typedKey)).not.toContain(key);
});

test('the number of candidates is limited for any input', () => {
  expect(keysOneEditAway(key).length).toBeLessThan(600);
  expect(keysOneEditAway('x'.repeat(10_000))).toEqual([]);
  fc.assert(
    fc.property(fc.string({ minLength: 17, maxLength: 21 }), (name) => {
      expect(keysOneEditAway(name).length).toBeLessThan(600);
    }),
  );
});
