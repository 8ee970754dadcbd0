import { UsageRecorder } from '@/lib/domain/api-keys';
import { processName } from '@/lib/core/nodes/process-slots';
import { systemClock, type Clock } from '@/lib/infra/clock';
import { openDatabase, type Database } from '@/lib/infra/db';
import { readSettings, type Settings } from '@/lib/infra/env';
import { createLogger, type Logger } from '@/lib/infra/logger';
import { openQueues, type JobQueues } from '@/lib/infra/queue/queue';
import { createSecrets, type Secrets } from '@/lib/infra/secrets';
import { openMailer, type Mailer } from '@/lib/infra/mail/mailer';
import { openLimitStore } from './limits/limit-store';
import { createLimiters, limitSizes, type Limiters } from './limits/rate-limit';

/** Services shared by all requests of this process. */
export interface Services {
  readonly settings: Settings;
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly secrets: Secrets;
  readonly limiters: Limiters;
  readonly usage: UsageRecorder;
  readonly queues: JobQueues;
  /** Null: the operator configured no mail server. */
  readonly mailer: Mailer | null;
}

const USAGE_FLUSH_INTERVAL_MS = 60_000;

// Stored on globalThis, because Next may load this module once per route.
const globals = globalThis as typeof globalThis & { headwaterServices?: Services };

/** Created by the first request, so that a build needs no settings. */
export function getServices(): Services {
  globals.headwaterServices ??= openServices();
  return globals.headwaterServices;
}

/** Replaces the services for tests. */
export function installServices(services: Services): void {
  globals.headwaterServices = services;
}

function openServices(): Services {
  const settings = readSettings();
  const log = createLogger(processName('web', settings.slot), settings.logLevel);
  const db = openDatabase(settings.databaseUrl, { max: settings.databasePoolSize });
  const secrets = createSecrets(settings.appSecret);
  const limits = { ...limitSizes, api: { points: settings.apiRateLimit, seconds: 60 } };
  const usage = new UsageRecorder();
  const flushUsage = () =>
    usage
      .flush(db)
      .catch((error: unknown) =>
        log.warn({ err: error }, 'API key usage could not be written; retrying in a minute'),
      );
  setInterval(() => void flushUsage(), USAGE_FLUSH_INTERVAL_MS).unref();
  process.once('SIGTERM', () => void flushUsage());
  process.once('SIGINT', () => void flushUsage());
  return {
    settings,
    db,
    log,
    usage,
    clock: systemClock,
    secrets,
    limiters: createLimiters(limits, openLimitStore({ settings, db, secrets, log })),
    queues: openQueues(settings, log),
    mailer: settings.mail ? openMailer(settings.mail, log) : null,
  };
}
