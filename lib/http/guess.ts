import type { Limiters, LimitName, LimitState } from './rate-limit';

/** Permission to check one secret that a user typed. */
export interface Guess {
  /** The limit that is used up, the one that lasts longest; null when the secret may be looked at. */
  readonly refused: LimitState | null;
  /** For a secret that was right, and for one that was never looked at. */
  readonly giveBack: () => Promise<void>;
}

type Counter = readonly [name: LimitName, key: string];

/**
 * Counts a guess before it is looked at: of many guesses at the same moment no more are looked at than the limits allow.
 * A refused guess counts nowhere, so that hammering does not make a success worth less than it gives back.
 */
export async function takeGuess(limiters: Limiters, counters: readonly Counter[]): Promise<Guess> {
  const states = await Promise.all(counters.map(([name, key]) => limiters.take(name, key)));
  const giveBack = async () => {
    await Promise.all(counters.map(([name, key]) => limiters.giveBack(name, key)));
  };
  const [refused = null] = states.filter(({ exceeded }) => exceeded).sort((a, b) => b.reset - a.reset);
  if (!refused) return { refused, giveBack };
  await giveBack();
  return { refused, giveBack: () => Promise.resolve() };
}
