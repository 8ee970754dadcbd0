import { MINUTE_MS } from '@/lib/core/units';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAccount, listAccounts } from '@/lib/domain/accounts';
import type { AccountContext, SystemContext } from '@/lib/domain/context';
import { readOperatorSettings } from '@/lib/infra/env';
import { createStream, getStream, listStreams, setTestPattern } from '@/lib/domain/streams';
import { ExpectedError } from '../service/expected-error';
import { actingFor, readRunningSettings, withContext } from './open-context';

const streamName = 'Test pattern';
const demoEmail = 'demo@example.com';
/** Interval at which the test pattern is started again, in milliseconds, because it stops after half an hour. */
const RENEW_INTERVAL_MS = 10 * MINUTE_MS;
const LIVE_TIMEOUT_MS = 30_000;

const log = (line: string) => void process.stdout.write(`${line}\n`);

/**
 * Starts the test pattern of the running service and prints its URLs.
 * @throws ExpectedError if no service is running
 */
export async function runDemo(): Promise<void> {
  const settings = readOperatorSettings();
  if (!(await readRunningSettings(settings))) {
    throw new ExpectedError(
      'Headwater is not running. Run npm start in another terminal and wait until it is ready.',
    );
  }
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());
  await withContext(async (ctx) => {
    const owner = await findOrCreateAccount(ctx);
    const { id, playbackId } = await findOrCreateStream(owner);
    try {
      await setTestPattern(owner, { id, running: true });
      log('Publishing the test pattern …');
      await waitUntilLive(owner, id, stopping.signal);
      log(`Live at ${ctx.settings.baseUrl}/watch/${playbackId}`);
      log(`HLS     ${ctx.settings.cdnUrl}/hls/${playbackId}/index.m3u8`);
      log('Press Ctrl-C to stop.');
      await renewUntilAborted(stopping.signal, () => setTestPattern(owner, { id, running: true }));
    } finally {
      await setTestPattern(owner, { id, running: false });
    }
  });
}

/** Finds the oldest account, or creates a demo account and prints its password. */
async function findOrCreateAccount(ctx: SystemContext): Promise<AccountContext> {
  const [oldest] = await listAccounts(ctx);
  if (oldest) return actingFor(ctx, oldest.id);
  const password = randomBytes(12).toString('base64url');
  const { id } = await createAccount(ctx, { email: demoEmail, password });
  log(`Created an account: ${demoEmail}, password ${password}`);
  return actingFor(ctx, id);
}

async function findOrCreateStream(owner: AccountContext): Promise<{ id: string; playbackId: string }> {
  const filters = JSON.stringify([{ id: 'name', value: streamName }]);
  const { items } = await listStreams(owner, { streamsonly: 'true', filters });
  const existing = items.find(({ name, suspended }) => name === streamName && !suspended);
  return existing ?? createStream(owner, { name: streamName });
}

async function waitUntilLive(owner: AccountContext, id: string, signal: AbortSignal): Promise<void> {
  const deadlineMs = performance.now() + LIVE_TIMEOUT_MS;
  while (performance.now() < deadlineMs) {
    if (signal.aborted || (await getStream(owner, id)).isActive) return;
    await pause(500, signal);
  }
  throw new ExpectedError('The test pattern did not go live. Check the output of npm start.');
}

async function renewUntilAborted(signal: AbortSignal, renew: () => Promise<void>): Promise<void> {
  for (;;) {
    await pause(RENEW_INTERVAL_MS, signal);
    if (signal.aborted) return;
    await renew();
  }
}

/** Waits, or returns early if the signal is aborted. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
