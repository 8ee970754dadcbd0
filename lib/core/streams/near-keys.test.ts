import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keysOneEditAway } from './near-keys';

const key = 'ab12-cd34-ef56-gh78';

test.each([
  ['a wrong character', 'ab12-cd34-ef56-gh79'],
  ['a wrong one at the begin', 'xb12-cd34-ef56-gh78'],
  ['an upper-case one', 'ab12-cD34-ef56-gh78'],
  ['another dash', 'ab12-cd34_ef56-gh78'],
  ['a missing character', 'ab12-cd34-ef56-gh7'],
  ['a missing dash', 'ab12cd34-ef56-gh78'],
  ['a doubled character', 'ab12-cd334-ef56-gh78'],
  ['a character too many at the end', 'ab12-cd34-ef56-gh78x'],
  ['two swapped', 'ab12-dc34-ef56-gh78'],
  ['one swapped with a dash', 'ab1-2cd34-ef56-gh78'],
])('finds the key of %s', (_name, typed) => {
  expect(keysOneEditAway(typed)).toContain(key);
});

test.each([
  ['two wrong characters', 'ab12-cd34-ef56-gh99'],
  ['two missing', 'ab12-cd34-ef56-gh'],
  ['the key itself', key],
])('not of %s', (_name, typed) => {
  expect(keysOneEditAway(typed)).not.toContain(key);
});

test('what is asked for is bounded, whatever is sent', () => {
  expect(keysOneEditAway(key).length).toBeLessThan(600);
  expect(keysOneEditAway('x'.repeat(10_000))).toEqual([]);
  fc.assert(
    fc.property(fc.string({ minLength: 17, maxLength: 21 }), (name) => {
      expect(keysOneEditAway(name).length).toBeLessThan(600);
    }),
  );
});
