import { expect, test } from 'vitest';
import { deleteInBatches } from './db';

/**
 * Deletes `dueCount` rows in batches.
 * @returns the total, the rows that each statement deleted, and the rows that are left
 */
async function deleteDueRows(dueCount: number) {
  const statements: number[] = [];
  const total = await deleteInBatches((limit) => {
    const deletedCount = Math.min(limit, dueCount);
    dueCount -= deletedCount;
    statements.push(deletedCount);
    return Promise.resolve(deletedCount);
  });
  return { total, statements, left: dueCount };
}

test.each([
  [0, [0]],
  [4_999, [4_999]],
  [5_000, [5_000, 0]],
  [12_000, [5_000, 5_000, 2_000]],
])('%d due rows are deleted in statements of at most 5,000', async (dueCount, statements) => {
  expect(await deleteDueRows(dueCount)).toEqual({ total: dueCount, statements, left: 0 });
});

test('one call deletes at most 500,000 rows', async () => {
  const { total, statements, left: remaining } = await deleteDueRows(600_000);
  expect([total, statements.length, remaining]).toEqual([500_000, 100, 100_000]);
});

test('a failing statement rejects the call', async () => {
  await expect(deleteInBatches(() => Promise.reject(new Error('away')))).rejects.toThrow('away');
});
