import { backoffDelay } from '@/lib/core/backoff';

/** How often a supervised process has died soon after its start. */
export interface RestartState {
  readonly earlyExits: number;
}

export interface RestartPolicy {
  /** A process that ran this long is healthy, and its failure count is reset. */
  readonly healthyAfterMs: number;
  /** Consecutive failures with an immediate restart: a killed process must be back within two seconds. */
  readonly immediateRestarts: number;
  readonly firstDelayMs: number;
  readonly maxDelayMs: number;
}

export const initialRestartState: RestartState = { earlyExits: 0 };

export const defaultRestartPolicy: RestartPolicy = {
  healthyAfterMs: 10_000,
  immediateRestarts: 3,
  firstDelayMs: 500,
  maxDelayMs: 15_000,
};

/** Restart policy of a process that exits after it was ready: always within two seconds. */
export const readyRestartPolicy: RestartPolicy = { ...defaultRestartPolicy, maxDelayMs: 500 };

/**
 * When to restart a process that ended after `ranMs`: immediately at first, then with exponential backoff up to
 * `maxDelayMs`.
 */
export function afterExit(
  state: RestartState,
  ranMs: number,
  policy: RestartPolicy = defaultRestartPolicy,
): { readonly state: RestartState; readonly delayMs: number } {
  const { immediateRestarts, firstDelayMs, maxDelayMs } = policy;
  // Failures after the maximum delay is reached are not counted, because the policy may change.
  const maxEarlyExits = immediateRestarts + 1 + Math.max(0, Math.ceil(Math.log2(maxDelayMs / firstDelayMs)));
  const earlyExits = ranMs >= policy.healthyAfterMs ? 1 : Math.min(maxEarlyExits, state.earlyExits + 1);
  const delayMs = backoffDelay(earlyExits - immediateRestarts, { first: firstDelayMs, max: maxDelayMs });
  return { state: { earlyExits }, delayMs };
}
