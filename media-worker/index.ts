import { processName } from '@/lib/core/nodes/process-slots';
import { readOperatorSettings, readSettings, SettingsError, type Settings } from '@/lib/infra/env';
import { createLogger, type Logger } from '@/lib/infra/logger';
import { runProcessGroup, startsGroup } from '@/lib/infra/process-group';
import { deleteUnfinished } from '@/lib/infra/storage';
import { answerSupervisor, markReady } from '@/lib/infra/supervisor-channel';
import { detectSandboxSupport, missingProtections } from '@/media-worker/media/ffmpeg/sandbox';
import { Lifecycle, type StartRole } from '@/media-worker/kit/process/lifecycle';
import { replaceScratchFolder } from '@/media-worker/kit/process/scratch-folder';

/** Each process loads only its own role, because loading the libraries of others would double its start time. */
const roles: Readonly<Record<string, () => Promise<StartRole>>> = {
  live: async () => (await import('@/media-worker/roles/live-role')).startLive,
  origin: async () => (await import('@/media-worker/roles/origin-role')).startOriginRole,
  jobs: async () => (await import('@/media-worker/roles/jobs-role')).startJobs,
  rtc: async () => (await import('@/media-worker/roles/rtc-role')).startRtc,
  acme: async () => (await import('@/media-worker/roles/acme-role')).startAcme,
};

const usage = 'usage: media-worker live|origin|jobs|rtc|acme|edge\n';
/**
 * How long the start, and later the end, may take after a signal before the process exits anyway. The time between them, in
 * which a draining node waits for its streams, has no limit.
 */
const EXIT_TIMEOUT_MS = 10_000;

/** Reads settings, or exits with status 2 and a message if they are not valid. */
function settingsOrExit<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(2);
  }
}

/**
 * Runs one role, or starts several processes of it. Each role has its own processes, so that a crash affects only
 * that role.
 */
async function main(role: string): Promise<void> {
  if (role === 'edge') return runEdge();
  const loadRole = roles[role];
  if (!loadRole) {
    process.stderr.write(usage);
    process.exit(2);
  }
  answerSupervisor();
  const settings = settingsOrExit(readSettings);
  const name = processName(role, settings.slot);
  const log = createLogger(name, settings.logLevel);
  if ((role === 'live' || role === 'origin') && startsGroup(role, settings)) {
    runProcessGroup(role, settings.processes[role], log);
  } else await runRole(name, loadRole, settings, log);
}

async function runRole(
  name: string,
  loadRole: () => Promise<StartRole>,
  settings: Settings,
  log: Logger,
): Promise<void> {
  // Imported here, because a process that starts others does not need it.
  const { createWorkerContext } = await import('@/media-worker/kit/process/worker-context');
  await runUntilSignal(log, async (lifecycle, signal) => {
    const ctx = createWorkerContext(settings, log, name);
    lifecycle.own('database', () => ctx.db.$disconnect());
    const cleanups = [replaceScratchFolder(settings.dataDir, name), deleteUnfinished(settings, name)];
    const logAndContinue = (error: unknown) => {
      log.warn({ err: error }, "previous process's files not removed");
    };
    await Promise.all(cleanups.map((cleanup) => cleanup.catch(logAndContinue)));
    const missingFeatures = missingProtections(detectSandboxSupport());
    if (missingFeatures.length > 0)
      log.warn({ missing: missingFeatures }, 'ffmpeg sandbox is incomplete on this system');
    const start = await loadRole();
    await start(ctx, lifecycle, signal);
  });
}

/** Runs an edge, which has no database and no secret. */
async function runEdge(): Promise<void> {
  answerSupervisor();
  const settings = settingsOrExit(readOperatorSettings);
  const { upstreamOrigin, logLevel } = settings;
  if (upstreamOrigin === undefined) {
    process.stderr.write('UPSTREAM_ORIGIN: expected the URL of an origin\n');
    process.exit(2);
  }
  const log = createLogger('edge', logLevel);
  await runUntilSignal(log, async (lifecycle) => {
    const { startEdgeRole } = await import('@/media-worker/roles/edge-role');
    await startEdgeRole(settings, upstreamOrigin, log, lifecycle);
  });
}

/** Starts all parts, and closes them on SIGTERM or SIGINT. */
async function runUntilSignal(
  log: Logger,
  startParts: (lifecycle: Lifecycle, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const lifecycle = new Lifecycle(log);
  const controller = new AbortController();

  const shutDown = (signal: NodeJS.Signals): void => {
    if (controller.signal.aborted) process.exit(1); // a second signal exits immediately
    log.info({ signal }, 'shutting down');
    controller.abort();
    const startExitTimer = () => setTimeout(() => process.exit(1), EXIT_TIMEOUT_MS).unref();
    const startTimeout = startExitTimer();
    void whenStarted
      .then(() => {
        clearTimeout(startTimeout);
        return lifecycle.prepareToClose();
      })
      .then(() => {
        startExitTimer();
        return lifecycle.close();
      })
      .then(() => process.exit(0));
  };
  process.on('SIGTERM', shutDown);
  process.on('SIGINT', shutDown);
  // The state is unknown after an uncaught exception, so the supervisor starts a new process.
  process.on('uncaughtException', (error) => {
    log.error({ err: error }, 'uncaught exception');
    process.exit(1);
  });

  const whenStarted = startParts(lifecycle, controller.signal).then(markReady, (error: unknown) => {
    if (controller.signal.aborted) return;
    log.error({ err: error }, 'start failed');
    process.exit(1);
  });
  await whenStarted;
}

await main(process.argv[2] ?? '');
