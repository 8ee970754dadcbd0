/** One statement stays far below its time limit … */
const atOnce = 5_000;
/** … and one call ends, even if more is due: the next call continues. */
const most = 500_000;

/**
 * Deletes what is due in short statements, until one finds fewer rows than it may take.
 * @param deleteSome one statement for at most this many rows; resolves to how many it deleted
 * @returns how many rows
 */
export async function deleteInBatches(deleteSome: (limit: number) => PromiseLike<number>): Promise<number> {
  let total = 0;
  while (total < most) {
    const deleted = await deleteSome(atOnce);
    total += deleted;
    if (deleted < atOnce) break;
  }
  return total;
}
