import { readSettings, SettingsError, type Settings } from '@/lib/infra/env';
import { createLogger } from '@/lib/infra/logger';
import { removeUnfinished } from '@/lib/infra/storage';
import { answerSupervisor, markReady } from '@/lib/infra/supervisor-channel';
import { sandboxSupport, missingFrom } from './ffmpeg/sandbox';
import { Lifecycle, type StartRole } from './process/lifecycle';
import { replaceScratchFolder } from './process/scratch-folder';
import { createWorkerContext } from './process/worker-context';

/** Each process loads its own role only: the libraries of the others would double the time it takes to start again. */
const roles: Readonly<Record<string, () => Promise<StartRole>>> = {
  live: async () => (await import('./roles/live-role')).startLive,
  origin: async () => (await import('./roles/origin-role')).startOriginRole,
  jobs: async () => (await import('./roles/jobs-role')).startJobs,
};

const usage = 'usage: media-worker live|origin|jobs\n';
/** The process exits after this, even if something hangs. */
const exitMs = 10_000;

function settingsOrExit(): Settings {
  try {
    return readSettings();
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(2);
  }
}

/** Each process runs one role, so that a crash affects only that role. */
async function main(name: string): Promise<void> {
  const loadRole = roles[name];
  if (!loadRole) {
    process.stderr.write(usage);
    process.exit(2);
  }
  answerSupervisor();
  const settings = settingsOrExit();
  const log = createLogger(name, settings.logLevel);
  const lifecycle = new Lifecycle(log);
  const ending = new AbortController();

  const end = (signal: NodeJS.Signals): void => {
    if (ending.signal.aborted) process.exit(1); // asked twice: at once
    log.info({ signal }, 'shutting down');
    ending.abort();
    setTimeout(() => process.exit(1), exitMs).unref();
    void started.then(() => lifecycle.close()).then(() => process.exit(0));
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  // State is unknown afterwards: the supervisor starts a fresh process.
  process.on('uncaughtException', (error) => {
    log.error({ err: error }, 'uncaught exception');
    process.exit(1);
  });

  const ctx = createWorkerContext(settings, log, name);
  lifecycle.own('database', () => ctx.db.$disconnect());
  const begin = async () => {
    const left = [replaceScratchFolder(settings.dataDir, name), removeUnfinished(settings, name)];
    const keepGoing = (error: unknown) => {
      log.warn({ err: error }, "previous process's files not removed");
    };
    await Promise.all(left.map((removing) => removing.catch(keepGoing)));
    const missing = missingFrom(sandboxSupport());
    if (missing.length > 0) log.warn({ missing }, 'ffmpeg sandbox is incomplete on this system');
    const start = await loadRole();
    await start(ctx, lifecycle, ending.signal);
    markReady();
  };
  const started = begin().catch((error: unknown) => {
    if (ending.signal.aborted) return;
    log.error({ err: error }, 'start failed');
    process.exit(1);
  });
  await started;
}

await main(process.argv[2] ?? '');
