const writers = 20;

/** As many streams as a large account has, "stream 0" and so on. */
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
