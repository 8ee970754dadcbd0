/** Waits for all promises, even if one fails, so that no step writes to a folder that is being removed. */
export async function settleAll<T extends readonly unknown[] | []>(
  work: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(work);
  return Promise.all(work);
}
