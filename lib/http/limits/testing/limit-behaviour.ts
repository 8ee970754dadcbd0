import { afterAll, expect, test, vi } from 'vitest';
import type { Database } from '@/lib/infra/db';
import { createSecrets } from '@/lib/infra/secrets';
import { type LimitStore, openLimitStore } from '../limit-store';
import { consumeGuess, createLimiters, limitSizes, type Limiters } from '../rate-limit';

const sizes = {
  ...limitSizes,
  api: { points: 4, seconds: 600 },
  password: { points: 3, seconds: 600 },
  reveal: { points: 4, seconds: 600 },
};

/** Opens the limiters of several processes; they are closed after the tests of the file. */
export function openLimiterProcesses(db: Database) {
  const openHandles: LimitStore[] = [];
  afterAll(() => {
    for (const store of openHandles) store.close();
  });
  const log = { warn: vi.fn(), info: vi.fn() };
  const openProcess = (redisUrl?: string, ownDatabase = db): Limiters => {
    const store = openLimitStore({
      settings: { redisUrl },
      db: ownDatabase,
      log,
      secrets: createSecrets('secret'.repeat(8)),
    });
    openHandles.push(store);
    return createLimiters(sizes, store);
  };
  return { log, openProcess };
}

/**
 * Consumes points one after the other.
 * @returns the remaining points after each, or `exceeded`
 */
export const consumeRepeatedly = async (
  limiters: Limiters,
  name: keyof typeof sizes,
  key: string,
  times: number,
) => {
  const states = [];
  for (let time = 0; time < times; time += 1) states.push(await limiters.consume(name, key));
  return states.map(({ remaining, exceeded }) => (exceeded ? 'exceeded' : remaining));
};

/**
 * Defines the tests of shared limits for one store.
 * @param open opens the limiters of a new process
 */
export function describeSharedLimits(open: () => Promise<Limiters>) {
  test('two processes share the count, and report it to callers', async () => {
    const [firstProcess, secondProcess] = [await open(), await open()];
    expect(await consumeRepeatedly(firstProcess, 'reveal', 'shared', 2)).toEqual([3, 2]);
    expect(await consumeRepeatedly(secondProcess, 'reveal', 'shared', 3)).toEqual([1, 0, 'exceeded']);
    expect(await consumeRepeatedly(firstProcess, 'reveal', 'shared', 2)).toEqual(['exceeded', 'exceeded']);
    expect(await consumeRepeatedly(firstProcess, 'reveal', 'another', 1)).toEqual([3]);
    expect(await consumeRepeatedly(firstProcess, 'password', 'shared', 1)).toEqual([2]);
    const { resetSeconds, limit } = await secondProcess.consume('reveal', 'shared');
    expect([resetSeconds > 500 && resetSeconds <= 600, limit]).toEqual([true, 4]);
  });

  test('two processes share the count of API requests, even after the limit', async () => {
    const [firstProcess, secondProcess] = [await open(), await open()];
    expect(await consumeRepeatedly(firstProcess, 'api', 'requests', 2)).toEqual([3, 2]);
    expect(await consumeRepeatedly(secondProcess, 'api', 'requests', 5)).toEqual([
      1,
      0,
      'exceeded',
      'exceeded',
      'exceeded',
    ]);
    expect(await consumeRepeatedly(firstProcess, 'api', 'requests', 2)).toEqual(['exceeded', 'exceeded']);
  });

  test('concurrent guesses are checked only up to the limit', async () => {
    const processes = [await open(), await open()];
    const guesses = await Promise.all(
      Array.from({ length: 40 }, (_, guess) =>
        consumeGuess(processes[guess % 2] as Limiters, [['password', 'many']]),
      ),
    );
    expect(guesses.filter(({ exceededLimit }) => exceededLimit === null)).toHaveLength(3);
  });

  test('a point that one process refunds can be used by another', async () => {
    const [firstProcess, secondProcess] = [await open(), await open()];
    const guess = await consumeGuess(firstProcess, [['password', 'refunded']]);
    expect(await consumeRepeatedly(secondProcess, 'password', 'refunded', 3)).toEqual([1, 0, 'exceeded']);
    await secondProcess.refund('password', 'refunded');
    await guess.refund();
    expect(await consumeRepeatedly(secondProcess, 'password', 'refunded', 2)).toEqual([0, 'exceeded']);
  });

  test('a refund of an uncounted point changes nothing', async () => {
    const limiters = await open();
    await limiters.refund('password', 'never');
    expect(await consumeRepeatedly(limiters, 'password', 'never', 1)).toEqual([2]);
  });
}
