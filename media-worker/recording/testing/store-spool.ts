import type { Clock } from '@/lib/infra/clock';
import { createLogger } from '@/lib/infra/logger';
import type { StorageDriver } from '@/lib/infra/storage';
import { DrainSpool, type SpoolBook } from '../drain-spool';
import type { Spool } from '../spool';

/** A database in which every recording of the spool goes on. */
const willingBook: SpoolBook = {
  hold: () => Promise.resolve('store'),
  found: () => Promise.resolve(true),
  beginLate: () => Promise.resolve(true),
  release: () => Promise.resolve(),
};

export interface DrainFixture {
  readonly spool: Spool;
  readonly storage: Pick<StorageDriver, 'putFile' | 'copy'>;
  readonly book?: Partial<SpoolBook>;
  readonly clock?: Clock;
  readonly quietMs?: number;
}

export function drainOf({ book, clock, ...fixture }: DrainFixture): DrainSpool {
  const time = clock ?? { now: () => new Date(), monotonic: () => performance.now() };
  const log = createLogger('test', 'silent');
  return new DrainSpool({ ...fixture, book: { ...willingBook, ...book }, clock: time, log });
}

/** Stores everything that is in the spool. */
export async function storeSpool(spool: Spool, storage: StorageDriver): Promise<void> {
  const drain = drainOf({ spool, storage });
  let left = Infinity;
  while (left > 0) {
    await drain.pass();
    left = 0;
    for (const folder of await spool.folders()) left += (await spool.filesOf(folder)).length;
  }
}
