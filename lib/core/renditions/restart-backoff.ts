/** How often a supervised process has died soon after its start. */
export interface RestartState {
  readonly quickDeaths: number;
}

export interface RestartPolicy {
  /** Having run this long, a process counts as healthy and its past is forgotten. */
  readonly healthyAfterMs: number;
  /** Deaths in a row that are answered at once: a killed process must be back within two seconds. */
  readonly freeRestarts: number;
  readonly firstDelayMs: number;
  readonly maxDelayMs: number;
}

export const initialRestartState: RestartState = { quickDeaths: 0 };

export const defaultRestartPolicy: RestartPolicy = {
  healthyAfterMs: 10_000,
  freeRestarts: 3,
  firstDelayMs: 500,
  maxDelayMs: 15_000,
};

/** For a process that exited after it was ready: however often it is killed, it is back within two seconds. */
export const readyRestartPolicy: RestartPolicy = { ...defaultRestartPolicy, maxDelayMs: 500 };

/**
 * When to start a process again that ended after `ranMs`: at once while it is an accident, later and later
 * while it keeps dying, never later than `maxDelayMs`.
 */
export function afterDeath(
  state: RestartState,
  ranMs: number,
  policy: RestartPolicy = defaultRestartPolicy,
): { readonly state: RestartState; readonly delayMs: number } {
  const { freeRestarts, firstDelayMs, maxDelayMs } = policy;
  // More than lead to the longest delay are not counted: another policy may come after this one.
  const most = freeRestarts + 1 + Math.max(0, Math.ceil(Math.log2(maxDelayMs / firstDelayMs)));
  const quickDeaths = ranMs >= policy.healthyAfterMs ? 1 : Math.min(most, state.quickDeaths + 1);
  const late = quickDeaths - freeRestarts;
  const delayMs = late <= 0 ? 0 : Math.min(maxDelayMs, firstDelayMs * 2 ** (late - 1));
  return { state: { quickDeaths }, delayMs };
}
