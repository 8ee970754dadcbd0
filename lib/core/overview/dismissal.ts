interface ShownProblem {
  readonly message: string;
  /** Unix milliseconds; null = the problem has no time. */
  readonly at: number | null;
  /** Start of the cause, such as the live session; null if unknown. */
  readonly startedAt?: number | null;
}

interface Dismissal {
  readonly message: string;
  /** Unix milliseconds: time of the problem when it was dismissed. */
  readonly until: number;
}

/** Messages that differ only in their numbers are the same problem. */
const shapeOf = (message: string): string => message.replace(/\d+(?:\.\d+)?/g, '#');

/**
 * Whether a problem stays dismissed, because it started before the dismissal. A problem without a time is new if its
 * session is later or its message differs.
 */
export function isDismissed({ message, at, startedAt = null }: ShownProblem, dismissal: Dismissal): boolean {
  if (at !== null) return at <= dismissal.until;
  if (startedAt !== null && startedAt > dismissal.until) return false;
  return shapeOf(message) === shapeOf(dismissal.message);
}
