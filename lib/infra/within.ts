/**
 * Result of `work`, or of `late` if `work` takes longer than `ms` milliseconds; a later result of `work` is ignored.
 * @throws Error with the code ETIMEDOUT if it takes longer and `late` is absent
 */
export async function within<T, L = never>(
  ms: number,
  work: Promise<T>,
  late: () => L = () => timedOut(ms),
): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<typeof isLate>((resolve) => {
    timer = setTimeout(resolve, ms, isLate);
  });
  try {
    const result = await Promise.race([work, limit]);
    return result === isLate ? late() : result;
  } finally {
    clearTimeout(timer);
  }
}

const isLate = Symbol('late');

function timedOut(ms: number): never {
  throw Object.assign(new Error(`no response within ${ms} ms`), { code: 'ETIMEDOUT' });
}
