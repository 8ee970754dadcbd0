import { systemClock } from '@/lib/infra/clock';
import { openDatabase } from '@/lib/infra/db';
import { readOperatorSettings, readSettings, type OperatorSettings, type Settings } from '@/lib/infra/env';
import { createLogger } from '@/lib/infra/logger';
import { createSecrets } from '@/lib/infra/secrets';
import type { AccountContext, SystemContext } from '@/lib/context';
import { startPostgres, waitForPostgres } from '../postgres/server';
import { completeSettings, openDataCluster, prepareCluster, prepareExternal } from '../service/database';
import { readRunning, reserveDataDir } from '../service/instance';

const say = (line: string) => void process.stderr.write(`${line}\n`);

/** Runs `work` with the database of the running service, or with our own for as long as it takes. */
export async function withContext<T>(work: (ctx: SystemContext) => Promise<T>): Promise<T> {
  const { settings, close } = await openSettings();
  const db = openDatabase(settings.databaseUrl, { max: 2 });
  try {
    return await work({
      actor: { kind: 'system' },
      db,
      clock: systemClock,
      // Standard output belongs to the result.
      log: createLogger('cli', 'silent'),
      secrets: createSecrets(settings.appSecret),
      settings,
    });
  } finally {
    await db.$disconnect();
    await close();
  }
}

/** The operator acting for one account. */
export function actingFor(ctx: SystemContext, userId: string): AccountContext {
  return { ...ctx, actor: { kind: 'cli', userId } };
}

/** Settings of the service that runs on our data folder; null when none does. */
export async function runningSettings({
  dataDir,
}: Pick<OperatorSettings, 'dataDir'>): Promise<Settings | null> {
  const running = readRunning(dataDir);
  if (!running) return null;
  const settings = readSettings(running.environment);
  try {
    await waitForPostgres(settings.databaseUrl, 3_000);
    return settings;
  } catch {
    // Left behind by a crash.
    return null;
  }
}

interface Opened {
  readonly settings: Settings;
  readonly close: () => Promise<void>;
}

async function openSettings(): Promise<Opened> {
  const given = readOperatorSettings();
  const running = await runningSettings(given);
  if (running) return { settings: running, close: () => Promise.resolve() };
  if (given.databaseUrl) {
    await prepareExternal(given.databaseUrl, say);
    const settings = await completeSettings(given, given.databaseUrl);
    return { settings, close: () => Promise.resolve() };
  }
  return openOwnDatabase(given);
}

async function openOwnDatabase(given: OperatorSettings): Promise<Opened> {
  const release = await reserveDataDir(given.dataDir, 'command', say);
  say(`Starting the database in ${given.dataDir} for this command …`);
  const cluster = await openDataCluster(given.dataDir);
  const server = await startPostgres(cluster);
  const close = async () => {
    await server.stop();
    release();
  };
  try {
    const databaseUrl = await prepareCluster(cluster, say, new AbortController().signal);
    return { settings: await completeSettings(given, databaseUrl), close };
  } catch (error) {
    await close();
    throw error;
  }
}
