const writers = 20;

/** Creates `count` streams named "stream 0", "stream 1" and so on. */
export async function createStreams(
  create: (name: string) => Promise<unknown>,
  count: number,
): Promise<void> {
  let next = 0;
  const write = async () => {
    while (next < count) await create(`stream ${next++}`);
  };
  await Promise.all(Array.from({ length: writers }, write));
}
