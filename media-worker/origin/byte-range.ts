/** What a `Range` header asks of `length` bytes: positions (both included), nothing usable, or impossible. */
export type ByteRange = { readonly start: number; readonly end: number } | 'whole' | 'unsatisfiable';

/** One range only; anything else we do not understand is ignored, as RFC 9110 §14.2 allows. */
export function byteRange(header: string | undefined, length: number): ByteRange {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '');
  if (!match) return 'whole';
  const [, first = '', last = ''] = match;
  if (first === '' && last === '') return 'whole';
  if (first === '') {
    const wanted = Number(last);
    if (wanted === 0 || length === 0) return 'unsatisfiable';
    return { start: Math.max(0, length - wanted), end: length - 1 };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return 'whole';
  if (start >= length) return 'unsatisfiable';
  return { start, end: last === '' ? length - 1 : Math.min(Number(last), length - 1) };
}
