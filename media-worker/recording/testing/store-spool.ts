import type { Clock } from '@/lib/infra/clock';
import { createLogger } from '@/lib/infra/logger';
import type { StorageDriver } from '@/lib/infra/storage';
import { SpoolDrain, type SpoolSessions } from '@/media-worker/recording/drain-spool';
import type { Spool } from '@/media-worker/recording/spool';

/** Allows all files of the spool to be stored. */
const permissiveSessions: SpoolSessions = {
  hold: () => Promise.resolve('store'),
  createMissingRecording: () => Promise.resolve(true),
  markForDvr: () => Promise.resolve(true),
  startLate: () => Promise.resolve(true),
  release: () => Promise.resolve(),
};

export interface DrainFixture {
  readonly spool: Spool;
  readonly storage: Pick<StorageDriver, 'putFile' | 'copy'>;
  readonly sessions?: Partial<SpoolSessions>;
  readonly clock?: Clock;
  readonly quietMs?: number;
}

export function createDrain({ sessions, clock, ...fixture }: DrainFixture): SpoolDrain {
  const time = clock ?? { now: () => new Date(), monotonic: () => performance.now() };
  const log = createLogger('test', 'silent');
  return new SpoolDrain({ ...fixture, sessions: { ...permissiveSessions, ...sessions }, clock: time, log });
}

/** Stores all files of the spool. */
export async function storeSpool(spool: Spool, storage: StorageDriver): Promise<void> {
  const drain = createDrain({ spool, storage });
  let filesLeft = Infinity;
  while (filesLeft > 0) {
    await drain.runPass();
    filesLeft = 0;
    for (const folder of await spool.listFolders()) filesLeft += (await spool.listFiles(folder)).length;
  }
}
