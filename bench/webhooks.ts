import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { transact } from '@/lib/domain/context';
import { findAccountByEmail } from '@/lib/domain/accounts';
import { createSampleContent } from '@/lib/contract/webhooks/event-samples';
import { streamSnapshot } from '@/lib/contract/webhooks/event';
import { readSettings } from '@/lib/infra/env';
import { createLogger } from '@/lib/infra/logger';
import { createWebhook, emitEvent } from '@/lib/domain/webhooks';
import { createWorkerContext } from '@/media-worker/kit/process/worker-context';
import { readRunning } from '../scripts/service/instance';
import type { Bench } from './lib/bench';
import { makeClip } from './lib/clip';
import { formatNumber, markdownTable, percentile } from './lib/figures';
import { benchAccount, startHeadwater, type Headwater } from './lib/headwater';
import { publishAll } from './lib/live-load';
import type { Scope } from './lib/scope';

/** Latency and throughput of deliveries to a receiver that responds immediately, with and without live streams. */

const BURST_EVENTS = 2_000;
/** Number of concurrent writers, which is the number of database connections of the service. */
const WRITERS = 10;
const steadyLoad = { events: 300, everyMs: 20 };
/** Single events while the service is idle. */
const singleEventLoad = { events: 20, everyMs: 8_000 };
const STREAM_COUNT = 10;
/** Webhooks whose receiver never responds, with one event each; then the events of the receiver that responds. */
const hangingLoad = { webhooks: 200, webhooksPerTeam: 50, events: 100, everyMs: 60 };

/** A delivery at the receiver. */
interface Arrival {
  /** Id of the event. */
  readonly id: string;
  /** Time from the commit of the event to the arrival. */
  readonly waitMs: number;
}

/**
 * Starts a receiver on the loopback interface that records arrivals.
 * @param isResponding false if the receiver never responds
 */
async function startReceiver(scope: Scope, isResponding = true) {
  const arrivals: Arrival[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const { id, createdAt } = JSON.parse(body) as { id: string; createdAt: number };
      arrivals.push({ id, waitMs: Date.now() - createdAt });
      if (isResponding) response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  scope.defer(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return { url: `http://127.0.0.1:${port ?? 0}/hook`, arrivals };
}

async function waitForArrivals(arrivals: readonly Arrival[], count: number): Promise<void> {
  const deadline = performance.now() + 120_000;
  while (arrivals.length < count) {
    if (performance.now() > deadline) throw new Error(`${arrivals.length} of ${count} events arrived`);
    await sleep(20);
  }
}

function formatRow(name: string, arrivals: readonly Arrival[], seconds?: number): string[] {
  const waitTimes = arrivals.map(({ waitMs }) => waitMs);
  const formatPercentile = (fraction: number) => formatNumber(percentile(waitTimes, fraction), 0);
  const repeatedCount = arrivals.length - new Set(arrivals.map(({ id }) => id)).size;
  const rate = seconds === undefined ? '' : formatNumber(arrivals.length / seconds, 0);
  return [
    name,
    String(arrivals.length),
    String(repeatedCount),
    rate,
    formatPercentile(0.5),
    formatPercentile(0.95),
    formatPercentile(1),
  ];
}

/**
 * Creates a receiver and a webhook for it.
 * @returns the arrivals at the receiver, and functions that emit events
 */
async function createSetup(scope: Scope, { dataDir }: Headwater) {
  const runFile = readRunning(dataDir);
  if (!runFile) throw new Error('the service is not running');
  const ctx = createWorkerContext(readSettings(runFile.environment), createLogger('bench', 'silent'));
  scope.defer(() => ctx.db.$disconnect());
  const { id: teamId } = await findAccountByEmail(ctx, benchAccount.email);
  const { url, arrivals } = await startReceiver(scope);
  let streamCount = 0;
  let sequence = 0;
  /**
   * Creates a stream and webhooks of a team.
   * @returns a function that emits an event of the stream to all webhooks
   */
  const createEmitter = async (ownerId: string, receiverUrl: string, webhookCount: number) => {
    const owner = { ...ctx, actor: { kind: 'cli', teamId: ownerId } } as const;
    for (let count = 0; count < webhookCount; count += 1)
      await createWebhook(owner, { name: 'bench', url: receiverUrl, events: ['stream.started'] });
    const playbackId = `benchbenchbench${streamCount++}`;
    const { id: streamId } = await ctx.db.stream.create({
      data: { teamId: ownerId, name: 'bench', playbackId },
    });
    const stream = streamSnapshot.parse(createSampleContent('stream.started', ownerId).stream);
    return () =>
      transact(ctx, (tx) =>
        emitEvent(tx, { name: 'stream.started', teamId: ownerId, streamId, sequence: ++sequence, stream }),
      );
  };
  /** Emits an event to each of 200 webhooks of one receiver that never responds, and waits until each has an attempt. */
  const emitToHangingReceivers = async () => {
    const hangingReceiver = await startReceiver(scope, false);
    for (
      let webhooksLeft = hangingLoad.webhooks;
      webhooksLeft > 0;
      webhooksLeft -= hangingLoad.webhooksPerTeam
    ) {
      const team = await ctx.db.team.create({ data: { name: `hanging-${webhooksLeft}` } });
      await (
        await createEmitter(team.id, hangingReceiver.url, hangingLoad.webhooksPerTeam)
      )();
    }
    await waitForArrivals(hangingReceiver.arrivals, hangingLoad.webhooks);
  };
  return { emit: await createEmitter(teamId, url, 1), emitToHangingReceivers, arrivals };
}

type Setup = Awaited<ReturnType<typeof createSetup>>;

async function measureBurst(name: string, { emit, arrivals }: Setup): Promise<string[]> {
  arrivals.length = 0;
  const startedAt = performance.now();
  const emitEvents = async () => {
    for (let count = 0; count < BURST_EVENTS / WRITERS; count += 1) await emit();
  };
  await Promise.all(Array.from({ length: WRITERS }, emitEvents));
  await waitForArrivals(arrivals, BURST_EVENTS);
  const seconds = (performance.now() - startedAt) / 1000;
  // The pause gives duplicates time to arrive.
  await sleep(2_000);
  return formatRow(name, arrivals, seconds);
}

async function measureSteady(
  name: string,
  { emit, arrivals }: Setup,
  { events, everyMs } = steadyLoad,
): Promise<string[]> {
  arrivals.length = 0;
  const startedAt = performance.now();
  for (let count = 0; count < events; count += 1) {
    void emit();
    await sleep(everyMs);
  }
  await waitForArrivals(arrivals, events);
  const seconds = (performance.now() - startedAt) / 1000;
  await sleep(2_000);
  return formatRow(name, arrivals, seconds);
}

export const webhooks: Bench = {
  title: 'Webhooks',
  explanation:
    'Each time runs from the commit of an event to its arrival at one receiver that responds immediately. First, ' +
    `${WRITERS} writers write ${BURST_EVENTS} events as fast as they can, then ${steadyLoad.events} events follow at ` +
    `${1000 / steadyLoad.everyMs} per second, then ${singleEventLoad.events} at one every ${singleEventLoad.everyMs / 1000} s, in a service that is ` +
    `idle otherwise. While ${hangingLoad.webhooks} webhooks of another receiver wait for an answer that never comes, ` +
    `${hangingLoad.events} events follow at one every ${hangingLoad.everyMs} ms. At last, the burst and the steady events ` +
    `are repeated with ${STREAM_COUNT} live publishers (720p30, copied), whose own events have a row of their own. Goals: each ` +
    'event arrives once, and its first attempt within a second (p95), with and without live streams.',
  defaults: { runs: 1, window: 1, warmUp: 1 },
  async run(scope, directory) {
    const service = await startHeadwater(scope, directory, { EGRESS_ALLOW_CIDRS: '127.0.0.1/32' });
    const setup = await createSetup(scope, service);
    const rows = [await measureBurst('burst', setup), await measureSteady('steady', setup)];
    rows.push(await measureSteady('idle', setup, singleEventLoad));
    await setup.emitToHangingReceivers();
    rows.push(await measureSteady(`${hangingLoad.webhooks} webhooks hang`, setup, hangingLoad));
    const clip = await makeClip(directory);
    setup.arrivals.length = 0;
    await publishAll(scope, clip, await service.openStreams(STREAM_COUNT));
    await waitForArrivals(setup.arrivals, STREAM_COUNT);
    rows.push(formatRow(`${STREAM_COUNT} streams start`, setup.arrivals));
    rows.push(await measureSteady(`steady, ${STREAM_COUNT} streams live`, setup));
    rows.push(await measureBurst(`burst, ${STREAM_COUNT} streams live`, setup));
    return markdownTable(
      ['load', 'events', 'delivered twice', 'events/s', 'p50 (ms)', 'p95 (ms)', 'longest (ms)'],
      rows,
    );
  },
};
