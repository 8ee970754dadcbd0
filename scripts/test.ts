import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureChromium } from './checks/chromium';
import { runStaticChecks, runVitest } from './checks/static-checks';
import { runStep, tool } from './checks/step';
import { add, one, readTally, summary, tallyOfPlaywright, type Tally } from './checks/tally';
import { startTestService } from './checks/test-service';
import { generateClient } from './generate';
import { buildStaleParts } from './service/build';
import { ensureFfmpeg } from './service/ffmpeg';

const say = (line: string) => console.log(line);

/** `npm test`: sets up everything and runs every check there is; a failure does not hide the next one. */
export default async function test(): Promise<void> {
  const ended = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => ended.abort());
  const folder = await mkdtemp(join(tmpdir(), 'headwater-'));
  // Whatever a test leaves in the temporary folder goes away with ours, however it ends.
  process.env.TMPDIR = folder;
  let tally: Tally = one(false, 'setting up');
  try {
    tally = await runEverything(folder, ended.signal);
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
  if (ended.signal.aborted) tally = add(tally, one(false, 'ended by a signal'));
  say(summary(tally));
  process.exit(tally.failures.length ? 1 : 0);
}

async function runEverything(folder: string, signal: AbortSignal): Promise<Tally> {
  await generateClient(say);
  await ensureFfmpeg(say, signal);
  const chromium = await ensureChromium(say, signal);
  const checks = await runStaticChecks(signal);
  const [database, sockets] = await Promise.all([runVitest('db', signal), runSocketsAndBuild(signal)]);
  const media = await runVitest('media', signal);
  return add(checks, database, sockets, media, await runEndToEnd(folder, chromium, signal));
}

/** Beside the database tests, which wait for PostgreSQL and child processes much of their time. */
async function runSocketsAndBuild(signal: AbortSignal): Promise<Tally> {
  const sockets = await runVitest('socket', signal);
  // The service builds what is missing when it starts: a build that fails here is reported there.
  await buildStaleParts(say, signal).catch(() => undefined);
  return sockets;
}

async function runEndToEnd(folder: string, chromium: string, signal: AbortSignal): Promise<Tally> {
  const name = 'end-to-end tests';
  if (signal.aborted) return one(false, name);
  say('… starting the service');
  const service = await startTestService(folder, signal).catch((error: unknown) => {
    say(error instanceof Error ? error.message : String(error));
    return null;
  });
  if (!service) return one(false, 'the service starts');
  const report = join(folder, 'playwright.json');
  const environment = { ...service.environment, PLAYWRIGHT_JSON: report, CHROMIUM_PATH: chromium };
  const args = [tool('@playwright/test', 'cli.js'), 'test'];
  const ok = await runStep({ name, args, environment, live: true }, signal);
  if (!ok) say(`The end of the service's output:\n${service.log()}`);
  const tests = readTally(report, tallyOfPlaywright, ok, name);
  const stopped = await service.stop();
  say(`${stopped ? '✓' : '✗'} the service ends cleanly`);
  return add(one(true, 'the service starts'), tests, one(stopped, 'the service ends cleanly'));
}
