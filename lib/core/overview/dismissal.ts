/** A problem as Home shows it. */
interface ShownProblem {
  readonly message: string;
  /** Milliseconds; null = it has no time of its own. */
  readonly at: number | null;
  /** Start of the cause, such as the live session; null if unknown. */
  readonly startedAt?: number | null;
}

/** A problem that a team member dismissed. */
interface Dismissal {
  readonly message: string;
  /** Milliseconds: the problem as it was then. */
  readonly until: number;
}

/** Messages that differ only in their numbers are the same problem. */
const shapeOf = (message: string): string => message.replace(/\d+(?:\.\d+)?/g, '#');

/**
 * Whether a problem stays away: it began before it was dismissed. Of a problem without a time, a later session or another
 * sentence is a new one.
 */
export function isDismissed({ message, at, startedAt = null }: ShownProblem, dismissal: Dismissal): boolean {
  if (at !== null) return at <= dismissal.until;
  if (startedAt !== null && startedAt > dismissal.until) return false;
  return shapeOf(message) === shapeOf(dismissal.message);
}
