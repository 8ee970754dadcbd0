import { describe, expect, test } from 'vitest';
import { createLocateNode, type LocateNodeOptions } from './locate-node';

const noDatabase = () => Promise.reject(new Error('no database'));
const local = 'http://local';

const locate = (options: Partial<LocateNodeOptions>) =>
  createLocateNode({
    row: () => Promise.resolve(null),
    local: () => Promise.resolve(local),
    holds: () => Promise.resolve(true),
    ...options,
  })('abcd1234efgh5678');

describe('a database that answers', () => {
  test('names the node', async () => {
    expect(await locate({ row: () => Promise.resolve({ url: 'http://other' }) })).toBe('http://other');
  });

  test('knows what nobody may play, whatever a live process still has', async () => {
    expect(await locate({})).toBeNull();
  });

  test('that lost sight of a stream is corrected by the live process that has it', async () => {
    const row = () => Promise.resolve({ url: null });
    expect(await locate({ row })).toBe(local);
    expect(await locate({ row, holds: () => Promise.resolve(false) })).toBeNull();
    expect(await locate({ row, holds: () => Promise.reject(new Error('gone')) })).toBeNull();
    expect(await locate({ row, local: () => Promise.resolve(null) })).toBeNull();
  });
});

describe('a database that is away', () => {
  test('leaves it to the live process on this machine', async () => {
    expect(await locate({ row: noDatabase })).toBe(local);
  });

  test('or is frozen, too', async () => {
    expect(await locate({ row: () => new Promise(() => undefined) })).toBe(local);
  });

  test('leaves open whether another node has it', async () => {
    await expect(locate({ row: noDatabase, holds: () => Promise.resolve(false) })).rejects.toThrow();
    await expect(locate({ row: noDatabase, local: () => Promise.resolve(null) })).rejects.toThrow();
  });
});
