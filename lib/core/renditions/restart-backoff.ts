import { backoffDelay } from '@/lib/core/backoff';

/** State of a supervised process: how many times in a row it exited soon after its start. */
export interface RestartState {
  readonly earlyExits: number;
}

/** When a process that exited is restarted. */
export interface RestartPolicy {
  /** A process that ran this long was healthy: its exit is counted as the first one again. */
  readonly healthyAfterMs: number;
  /** Number of consecutive exits with an immediate restart: a killed process must be back within two seconds. */
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

/** Restart policy for exits of a process that was ready: it always restarts within two seconds. */
export const readyRestartPolicy: RestartPolicy = { ...defaultRestartPolicy, maxDelayMs: 500 };

/**
 * Chooses the delay before the restart of a process that ran for `ranMs`: none at first, then with exponential backoff up to
 * `maxDelayMs`.
 */
export function planRestart(
  state: RestartState,
  ranMs: number,
  policy: RestartPolicy = defaultRestartPolicy,
): { readonly state: RestartState; readonly delayMs: number } {
  const { immediateRestarts, firstDelayMs, maxDelayMs } = policy;
  // Exits after the maximum delay is reached are not counted, because another policy may apply to the next exit.
  const maxEarlyExits = immediateRestarts + 1 + Math.max(0, Math.ceil(Math.log2(maxDelayMs / firstDelayMs)));
  const earlyExits = ranMs >= policy.healthyAfterMs ? 1 : Math.min(maxEarlyExits, state.earlyExits + 1);
  const delayMs = backoffDelay(earlyExits - immediateRestarts, {
    firstDelay: firstDelayMs,
    maxDelay: maxDelayMs,
  });
  return { state: { earlyExits }, delayMs };
}
