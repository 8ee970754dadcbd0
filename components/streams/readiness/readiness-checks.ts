import type { Stream } from '@/lib/contract/streams/stream';
import type { TargetStatus } from '@/lib/contract/targets/multistream';
import { readinessOf } from '@/lib/core/streams/readiness';

/**
 * Result of a check before a stream goes live. `ready`: nothing to do. `attention`: a person should act. `missing`: a
 * recommended setting is not used. `off`: turned off on purpose, and not counted.
 */
export type CheckState = 'ready' | 'attention' | 'missing' | 'off';

type CheckedStream = Pick<Stream, 'lastSeen' | 'backup' | 'slate' | 'record' | 'suspended'>;
type CheckedTarget = Pick<TargetStatus, 'disabled' | 'reached'>;

export interface ReadinessChecks {
  readonly encoder: CheckState;
  /** In the order of the targets. */
  readonly targets: readonly CheckState[];
  readonly recording: CheckState;
  /** Whether a standby encoder and a slate are set up. */
  readonly encoderLoss: CheckState;
  /** Whether viewers can watch. */
  readonly audience: CheckState;
}

/** Checks one target: whether the last session or test reached it. */
export function checkTarget({ disabled, reached }: CheckedTarget): CheckState {
  if (disabled) return 'off';
  return reached === true ? 'ready' : 'attention';
}

/** Checks a stream that is not live. */
export function checkReadiness(
  { lastSeen, backup, slate, record, suspended }: CheckedStream,
  targets: readonly CheckedTarget[],
): ReadinessChecks {
  const targetChecks = targets.map(checkTarget);
  const readiness = readinessOf({
    lastSeen: lastSeen > 0 ? lastSeen : null,
    targets: targetChecks.filter((check) => check !== 'off').length,
    reachedTargets: targetChecks.filter((check) => check === 'ready').length,
    backup,
    slate,
  });
  return {
    encoder: readiness.keyUsed ? 'ready' : 'attention',
    targets: targetChecks,
    recording: record ? 'ready' : 'off',
    encoderLoss: readiness.backup && readiness.slate ? 'ready' : 'missing',
    audience: suspended ? 'attention' : 'ready',
  };
}

/** Number of checks that are ready, and of all checks that are not turned off. */
export function countReady({ targets, ...checks }: ReadinessChecks): { ready: number; of: number } {
  const states = [...targets, ...Object.values(checks)].filter((state) => state !== 'off');
  return { ready: states.filter((state) => state === 'ready').length, of: states.length };
}
