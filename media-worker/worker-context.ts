import type { SystemContext } from '@/lib/context';
import { systemClock } from '@/lib/infra/clock';
import { openDatabase, type Database } from '@/lib/infra/db';
import type { Settings } from '@/lib/infra/env';
import type { Logger } from '@/lib/infra/logger';
import { createSecrets } from '@/lib/infra/secrets';

/** The service acting for itself, with a connection pool of its own. */
export function createWorkerContext(settings: Settings, log: Logger): SystemContext & { db: Database } {
  return {
    actor: { kind: 'system' },
    db: openDatabase(settings.databaseUrl),
    clock: systemClock,
    log,
    secrets: createSecrets(settings.appSecret),
    settings,
  };
}
