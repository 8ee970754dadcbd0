const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz';
/** Format of stream keys made by `newStreamKey` (lib/infra/ids.ts). */
const keyFormat = /^[0-9a-z]{4}(?:-[0-9a-z]{4}){3}$/;
const keyLength = 19;

/**
 * All stream keys that differ from `name` in one edit: a wrong, missing or extra character, or two swapped ones. Empty if
 * `name` is no key with one mistake; otherwise fewer than 600.
 */
export function keysOneEditAway(name: string): string[] {
  if (Math.abs(name.length - keyLength) > 1) return [];
  const keys = new Set<string>();
  for (const candidate of editsOf(name))
    if (candidate !== name && keyFormat.test(candidate)) keys.add(candidate);
  return [...keys];
}

function* editsOf(name: string): Generator<string> {
  for (let at = 0; at <= name.length; at += 1) {
    const [before, after] = [name.slice(0, at), name.slice(at)];
    if (name.length < keyLength) for (const character of `${alphabet}-`) yield before + character + after;
    if (name.length > keyLength) yield before + after.slice(1);
    if (name.length !== keyLength || after === '') continue;
    for (const character of `${alphabet}-`) yield before + character + after.slice(1);
    yield before + after.charAt(1) + after.charAt(0) + after.slice(2);
  }
}
