/**
 * Polls until `check` returns a value other than undefined, null or false, and ignores its errors.
 * @returns that value, or null after the timeout
 */
export async function until<T>(
  timeoutSeconds: number,
  check: () => Promise<T> | T,
  intervalMs = 250,
): Promise<NonNullable<T> | null> {
  const deadline = performance.now() + timeoutSeconds * 1000;
  for (;;) {
    const value = await ignoreErrors(check);
    if (value !== undefined && value !== null && value !== false) return value;
    if (performance.now() > deadline) return null;
    await new Promise((resolve) => setTimeout(resolve, intervalMs));
  }
}

async function ignoreErrors<T>(check: () => Promise<T> | T): Promise<T | null> {
  try {
    return await check();
  } catch {
    return null;
  }
}
