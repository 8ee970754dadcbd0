const CONCURRENCY = 20;

/** Creates `count` streams named "stream 0", "stream 1" and so on. */
export async function createStreams(
  create: (name: string) => Promise<unknown>,
  count: number,
): Promise<void> {
  let nextIndex = 0;
  const createNext = async () => {
    while (nextIndex < count) await create(`stream ${nextIndex++}`);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, createNext));
}
