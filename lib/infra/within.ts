/**
 * Waits for `work` for `timeoutMs` milliseconds at most, and ignores a later result.
 * @param onTimeout returns the result after a timeout
 * @throws Error with the code ETIMEDOUT after a timeout without `onTimeout`
 */
export async function within<T, L = never>(
  timeoutMs: number,
  work: Promise<T>,
  onTimeout: () => L = () => throwTimeout(timeoutMs),
): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<typeof timeoutSymbol>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, timeoutSymbol);
  });
  try {
    const result = await Promise.race([work, timeout]);
    return result === timeoutSymbol ? onTimeout() : result;
  } finally {
    clearTimeout(timer);
  }
}

const timeoutSymbol = Symbol('timeout');

function throwTimeout(timeoutMs: number): never {
  throw Object.assign(new Error(`no response within ${timeoutMs} ms`), { code: 'ETIMEDOUT' });
}
