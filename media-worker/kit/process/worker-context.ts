import type { WorkerContext } from '@/lib/domain/context';
import { systemClock } from '@/lib/infra/clock';
import { openDatabase, type Database } from '@/lib/infra/db';
import type { Settings } from '@/lib/infra/env';
import type { Logger } from '@/lib/infra/logger';
import { createSecrets } from '@/lib/infra/secrets';
import { openStorage } from '@/lib/infra/storage';

/**
 * Creates a context that acts as the service, with its own connection pool.
 * @param name name that is unique to this process
 */
export function createWorkerContext(
  settings: Settings,
  log: Logger,
  name?: string,
): WorkerContext & { db: Database } {
  return {
    actor: { kind: 'system' },
    db: openDatabase(settings.databaseUrl, { max: settings.databasePoolSize }),
    clock: systemClock,
    log,
    secrets: createSecrets(settings.appSecret),
    settings,
    storage: openStorage(settings, name),
  };
}
