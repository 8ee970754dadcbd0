interface ShownProblem {
  readonly message: string;
  /** Time of the problem in Unix milliseconds; null if it has none. */
  readonly at: number | null;
  /** Start of the session of the problem in Unix milliseconds; null if unknown. */
  readonly startedAt?: number | null;
}

interface Dismissal {
  readonly message: string;
  /** Unix milliseconds: the problem is dismissed if its time is not later. */
  readonly until: number;
}

/** A message without its numbers. Messages that differ in numbers only are the same problem. */
const shapeOf = (message: string): string => message.replace(/\d+(?:\.\d+)?/g, '#');

/**
 * Whether a dismissal still hides a problem. A problem that started after the dismissed one is shown again; a problem
 * without a time is shown again if its session started later or its message is another one.
 */
export function isDismissed({ message, at, startedAt = null }: ShownProblem, dismissal: Dismissal): boolean {
  if (at !== null) return at <= dismissal.until;
  if (startedAt !== null && startedAt > dismissal.until) return false;
  return shapeOf(message) === shapeOf(dismissal.message);
}
