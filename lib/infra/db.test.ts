import { expect, test } from 'vitest';
import { deleteInBatches } from './db';

/**
 * Deletes `dueCount` rows in batches.
 * @returns the total, the number of rows that each statement deleted, and the number of rows that remain
 */
async function deleteDueRows(dueCount: number) {
  const deletedCounts: number[] = [];
  const total = await deleteInBatches((limit) => {
    const deletedCount = Math.min(limit, dueCount);
    dueCount -= deletedCount;
    deletedCounts.push(deletedCount);
    return Promise.resolve(deletedCount);
  });
  return { total, deletedCounts, remainingCount: dueCount };
}

test.each([
  [0, [0]],
  [4_999, [4_999]],
  [5_000, [5_000, 0]],
  [12_000, [5_000, 5_000, 2_000]],
])('%d due rows are deleted in statements of at most 5,000', async (dueCount, deletedCounts) => {
  expect(await deleteDueRows(dueCount)).toEqual({ total: dueCount, deletedCounts, remainingCount: 0 });
});

test('one call deletes at most 500,000 rows', async () => {
  const { total, deletedCounts, remainingCount } = await deleteDueRows(600_000);
  expect([total, deletedCounts.length, remainingCount]).toEqual([500_000, 100, 100_000]);
});

test('a failing statement rejects the call', async () => {
  await expect(deleteInBatches(() => Promise.reject(new Error('connection lost')))).rejects.toThrow(
    'connection lost',
  );
});
