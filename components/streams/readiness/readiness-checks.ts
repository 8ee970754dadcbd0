import type { KeptTest } from '@/lib/client/queries/target-queries';
import type { Stream } from '@/lib/contract/streams/stream';
import type { TargetStatus } from '@/lib/contract/targets/multistream';
import { readinessOf } from '@/lib/core/streams/readiness';

/**
 * Result of a check before a broadcast. `ready`: nothing to do. `attention`: a person should act. `missing`: a
 * precaution that is not taken. `off`: turned off on purpose, and not counted.
 */
export type CheckState = 'ready' | 'attention' | 'missing' | 'off';

type CheckedStream = Pick<Stream, 'lastSeen' | 'backup' | 'slate' | 'record' | 'suspended'>;
type CheckedTarget = Pick<TargetStatus, 'id' | 'disabled' | 'reached'>;
type Tests = Readonly<Record<string, KeptTest>>;

export interface ReadinessChecks {
  readonly encoder: CheckState;
  /** In the order of the targets. */
  readonly targets: readonly CheckState[];
  readonly recording: CheckState;
  readonly encoderLoss: CheckState;
  readonly audience: CheckState;
}

/** Checks one target. A test on this page is newer than the last broadcast. */
export function checkTarget({ id, disabled, reached }: CheckedTarget, tests: Tests): CheckState {
  if (disabled) return 'off';
  const test = tests[id];
  const isReached = test ? test.outcome === 'accepted' : reached === true;
  return isReached ? 'ready' : 'attention';
}

/** Checks a stream that is not live. */
export function checkReadiness(
  { lastSeen, backup, slate, record, suspended }: CheckedStream,
  targets: readonly CheckedTarget[],
  tests: Tests,
): ReadinessChecks {
  const targetChecks = targets.map((target) => checkTarget(target, tests));
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
