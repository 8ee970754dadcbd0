import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAccount, listAccounts } from '@/lib/accounts';
import type { AccountContext, SystemContext } from '@/lib/context';
import { readOperatorSettings } from '@/lib/infra/env';
import { createStream, getStream, listStreams, setTestPattern } from '@/lib/streams';
import { ExpectedError } from '../service/run-to-end';
import { actingFor, runningSettings, withContext } from './open-context';

const streamName = 'Test pattern';
const email = 'demo@example.com';
/** The jobs role publishes for half an hour after it was asked. */
const askAgainMs = 10 * 60_000;

const say = (line: string) => void process.stdout.write(`${line}\n`);

/** Asks the running service for its test pattern and prints where it plays. @throws ExpectedError without a service */
export async function runDemo(): Promise<void> {
  const given = readOperatorSettings();
  if (!(await runningSettings(given))) {
    throw new ExpectedError(
      'Headwater is not running. Run npm start in another terminal and wait until it is ready.',
    );
  }
  const ended = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => ended.abort());
  await withContext(async (ctx) => {
    const owner = await someAccount(ctx);
    const { id, playbackId } = await someStream(owner);
    try {
      await setTestPattern(owner, { id, running: true });
      say('Publishing the test pattern …');
      await waitUntilLive(owner, id, ended.signal);
      say(`Live at ${ctx.settings.baseUrl}/watch/${playbackId}`);
      say(`HLS     ${ctx.settings.cdnUrl}/hls/${playbackId}/index.m3u8`);
      say('Press Ctrl-C to stop.');
      await untilAborted(ended.signal, () => setTestPattern(owner, { id, running: true }));
    } finally {
      await setTestPattern(owner, { id, running: false });
    }
  });
}

/** The oldest account; a demo account when there is none. */
async function someAccount(ctx: SystemContext): Promise<AccountContext> {
  const [oldest] = await listAccounts(ctx);
  if (oldest) return actingFor(ctx, oldest.id);
  const password = randomBytes(12).toString('base64url');
  const { id } = await createAccount(ctx, { email, password });
  say(`Created an account: ${email}, password ${password}`);
  return actingFor(ctx, id);
}

async function someStream(owner: AccountContext): Promise<{ id: string; playbackId: string }> {
  const filters = JSON.stringify([{ id: 'name', value: streamName }]);
  const { items } = await listStreams(owner, { streamsonly: 'true', filters });
  const known = items.find(({ name, suspended }) => name === streamName && !suspended);
  return known ?? createStream(owner, { name: streamName });
}

async function waitUntilLive(owner: AccountContext, id: string, signal: AbortSignal): Promise<void> {
  for (let waited = 0; waited < 60; waited += 1) {
    if (signal.aborted || (await getStream(owner, id)).isActive) return;
    await pause(500, signal);
  }
  throw new ExpectedError('The test pattern did not go live. Check the output of npm start.');
}

async function untilAborted(signal: AbortSignal, askAgain: () => Promise<void>): Promise<void> {
  for (;;) {
    await pause(askAgainMs, signal);
    if (signal.aborted) return;
    await askAgain();
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
