/**
 * Waits for `work`, or until the signal aborts.
 * @param onLateResult gets a result that arrives after the abort, to release what it holds
 * @returns null if the signal aborted first; then later errors are ignored
 */
export async function unlessAborted<T>(
  work: Promise<T>,
  signal: AbortSignal,
  onLateResult: (result: T) => void = () => undefined,
): Promise<T | null> {
  let onAbort = (): void => undefined;
  const whenAborted = new Promise<typeof abortedSymbol>((resolve) => {
    onAbort = () => resolve(abortedSymbol);
  });
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  try {
    const result = await Promise.race([whenAborted, work]);
    if (result !== abortedSymbol) return result;
    work.then(onLateResult).catch(() => undefined);
    return null;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

const abortedSymbol = Symbol('aborted');
