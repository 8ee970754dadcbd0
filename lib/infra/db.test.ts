import { expect, test } from 'vitest';
import { deleteInBatches } from './db';

/** Deletes `due` rows. @returns the number of rows that each statement deleted */
async function deleteOf(dueCount: number) {
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
  expect(await deleteOf(dueCount)).toEqual({ total: dueCount, statements, left: 0 });
});

test('a call is limited, and the next call continues', async () => {
  const { total, statements, left: remaining } = await deleteOf(600_000);
  expect([total, statements.length, remaining]).toEqual([500_000, 100, 100_000]);
});

test('a failing statement ends the call', async () => {
  await expect(deleteInBatches(() => Promise.reject(new Error('away')))).rejects.toThrow('away');
});
