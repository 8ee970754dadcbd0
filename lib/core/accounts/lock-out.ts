import { waitInWords } from '@/lib/core/reply-text';

/** What a refused sign-in says after too many wrong guesses. Pages in other languages read the wait from it. */
export const lockOutSentence = (seconds: number): string =>
  `Too many attempts to log in. Try again in ${waitInWords(seconds)}`;

const format = /^Too many attempts to log in\. Try again in (\d+) (second|minute|hour)s?$/;

/** How long such a sentence says to wait; null for another sentence. */
export function waitOfLockOut(
  sentence: string,
): { readonly count: number; readonly unit: 'second' | 'minute' | 'hour' } | null {
  const [, count, unit] = format.exec(sentence) ?? [];
  if (unit !== 'second' && unit !== 'minute' && unit !== 'hour') return null;
  return { count: Number(count), unit };
}
