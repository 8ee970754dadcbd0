const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz';
/** Format of stream keys made by `newStreamKey` (lib/infra/ids.ts). */
const keyFormat = /^[0-9a-z]{4}(?:-[0-9a-z]{4}){3}$/;
/** Length of a stream key: 16 characters and 3 dashes. */
const KEY_LENGTH = 19;

/**
 * Finds all stream keys that differ from a typed key by one edit: a wrong, missing or extra character, or two swapped
 * characters. There are fewer than 600 of them, and none if the typed key has more than one mistake.
 */
export function findSimilarKeys(typedKey: string): string[] {
  if (Math.abs(typedKey.length - KEY_LENGTH) > 1) return [];
  const keys = new Set<string>();
  for (const candidate of editsOf(typedKey))
    if (candidate !== typedKey && keyFormat.test(candidate)) keys.add(candidate);
  return [...keys];
}

function* editsOf(typedKey: string): Generator<string> {
  for (let index = 0; index <= typedKey.length; index += 1) {
    const [before, after] = [typedKey.slice(0, index), typedKey.slice(index)];
    if (typedKey.length < KEY_LENGTH)
      for (const character of `${alphabet}-`) yield before + character + after;
    if (typedKey.length > KEY_LENGTH) yield before + after.slice(1);
    if (typedKey.length !== KEY_LENGTH || after === '') continue;
    for (const character of `${alphabet}-`) yield before + character + after.slice(1);
    yield before + after.charAt(1) + after.charAt(0) + after.slice(2);
  }
}
