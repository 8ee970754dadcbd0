/** Facts that decide whether a stream is ready for its next session. */
interface ReadinessFacts {
  /** When media last arrived; null = never. */
  readonly lastSeen: Date | number | null;
  /** Number of enabled multistream targets. */
  readonly targets: number;
  /** Number of enabled targets that the last attempt reached. */
  readonly reachedTargets: number;
  readonly backup: boolean;
  readonly slate: boolean;
}

/** The preparations for a session, decided in the same way on the home page and on the page of a stream. */
export interface Readiness {
  /** Whether an encoder has sent video with the stream key. */
  readonly keyUsed: boolean;
  /** Whether every enabled target was reached. Null: there are none. */
  readonly targetsTested: boolean | null;
  readonly backup: boolean;
  readonly slate: boolean;
}

/** The preparations of a stream for its next session. */
export function readinessOf({ lastSeen, targets, reachedTargets, backup, slate }: ReadinessFacts): Readiness {
  return {
    keyUsed: lastSeen !== null,
    targetsTested: targets === 0 ? null : reachedTargets === targets,
    backup,
    slate,
  };
}
