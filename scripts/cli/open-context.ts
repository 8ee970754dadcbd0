import { systemClock } from '@/lib/infra/clock';
import { openDatabase } from '@/lib/infra/db';
import { readOperatorSettings, readSettings, type OperatorSettings, type Settings } from '@/lib/infra/env';
import { createLogger } from '@/lib/infra/logger';
import { createSecrets } from '@/lib/infra/secrets';
import type { AccountContext, SystemContext } from '@/lib/domain/context';
import { startPostgres, waitForPostgres } from '../postgres/server';
import {
  completeSettings,
  openDataCluster,
  prepareEmbeddedDatabase,
  prepareExternalDatabase,
} from '../service/database';
import { readRunning, reserveDataDir } from '../service/instance';

const log = (line: string) => void process.stderr.write(`${line}\n`);

/** Runs `work` with the database of the running service, or starts the database for the duration of `work`. */
export async function withContext<T>(work: (ctx: SystemContext) => Promise<T>): Promise<T> {
  const { settings, close } = await openSettings();
  const db = openDatabase(settings.databaseUrl, { max: 2 });
  try {
    return await work({
      actor: { kind: 'system' },
      db,
      clock: systemClock,
      // Standard output is reserved for the result.
      log: createLogger('cli', 'silent'),
      secrets: createSecrets(settings.appSecret),
      settings,
    });
  } finally {
    await db.$disconnect();
    await close();
  }
}

/** The operator acting for an account and its personal team. */
export function actingFor(ctx: SystemContext, userId: string): AccountContext {
  return { ...ctx, actor: { kind: 'cli', teamId: userId, userId } };
}

/** Settings of the service that uses this data folder; null if none is running. */
export async function readRunningSettings({
  dataDir,
}: Pick<OperatorSettings, 'dataDir'>): Promise<Settings | null> {
  const service = readRunning(dataDir);
  if (!service) return null;
  const settings = readSettings(service.environment);
  try {
    await waitForPostgres(settings.databaseUrl, 3_000);
    return settings;
  } catch {
    // run.json was left behind by a crash.
    return null;
  }
}

interface OpenSettings {
  readonly settings: Settings;
  readonly close: () => Promise<void>;
}

/** Settings with a database that responds, started for this command if necessary. */
export async function openSettings(): Promise<OpenSettings> {
  const operatorSettings = readOperatorSettings();
  const runningSettings = await readRunningSettings(operatorSettings);
  if (runningSettings) return { settings: runningSettings, close: () => Promise.resolve() };
  if (operatorSettings.databaseUrl) {
    await prepareExternalDatabase(operatorSettings.databaseUrl, log);
    const settings = await completeSettings(operatorSettings, operatorSettings.databaseUrl);
    return { settings, close: () => Promise.resolve() };
  }
  return openOwnDatabase(operatorSettings);
}

async function openOwnDatabase(operatorSettings: OperatorSettings): Promise<OpenSettings> {
  const release = await reserveDataDir(operatorSettings.dataDir, 'command', log);
  log(`Starting the database in ${operatorSettings.dataDir} for this command …`);
  const cluster = await openDataCluster(operatorSettings.dataDir);
  const server = await startPostgres(cluster);
  const close = async () => {
    await server.stop();
    release();
  };
  try {
    const databaseUrl = await prepareEmbeddedDatabase(cluster, log, new AbortController().signal);
    return { settings: await completeSettings(operatorSettings, databaseUrl), close };
  } catch (error) {
    await close();
    throw error;
  }
}
