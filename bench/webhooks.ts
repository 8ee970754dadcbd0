/** Latency and throughput of deliveries to a receiver that responds immediately, with and without live streams. */

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

const BURST_EVENTS = 2_000;
/** Number of concurrent writers, which is the number of database connections of the service. */
const WRITERS = 10;
/** Events at a fixed pace. */
interface PacedLoad {
  readonly eventCount: number;
  /** Time between two events. */
  readonly intervalMs: number;
}
const steadyLoad: PacedLoad = { eventCount: 300, intervalMs: 20 };
/** Events that are far apart: before each one, the service has been idle for seconds. */
const sparseLoad: PacedLoad = { eventCount: 20, intervalMs: 8_000 };
const STREAM_COUNT = 10;
/** Webhooks of a receiver that never responds. Each gets one event. */
const hanging = { webhookCount: 200, webhooksPerTeam: 50 };
/** Events of the receiver that responds, while the attempts of the hanging webhooks wait for a response. */
const loadBesideHanging: PacedLoad = { eventCount: 100, intervalMs: 60 };

/** A delivery at the receiver. */
interface Arrival {
  readonly eventId: string;
  /** Time from the `createdAt` of the event, which is set just before its commit, to the arrival. */
  readonly latencyMs: number;
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
      arrivals.push({ eventId: id, latencyMs: Date.now() - createdAt });
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
    if (performance.now() > deadline) throw new Error(`${arrivals.length} of ${count} deliveries arrived`);
    await sleep(20);
  }
}

/**
 * A row of the table.
 * @param seconds duration of the load, for the delivery rate; omitted for a row without a rate
 */
function formatRow(name: string, arrivals: readonly Arrival[], seconds?: number): string[] {
  const latencies = arrivals.map(({ latencyMs }) => latencyMs);
  const formatPercentile = (fraction: number) => formatNumber(percentile(latencies, fraction), 0);
  const duplicateCount = arrivals.length - new Set(arrivals.map(({ eventId }) => eventId)).size;
  const rate = seconds === undefined ? '' : formatNumber(arrivals.length / seconds, 0);
  return [
    name,
    String(arrivals.length),
    String(duplicateCount),
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
  const createEmitter = async (emitterTeamId: string, receiverUrl: string, webhookCount: number) => {
    const teamContext = { ...ctx, actor: { kind: 'cli', teamId: emitterTeamId } } as const;
    for (let count = 0; count < webhookCount; count += 1)
      await createWebhook(teamContext, { name: 'bench', url: receiverUrl, events: ['stream.started'] });
    // Playback ids have 16 characters. One bench creates fewer than ten streams here, so the number is one digit.
    const playbackId = `benchbenchbench${streamCount++}`;
    const { id: streamId } = await ctx.db.stream.create({
      data: { teamId: emitterTeamId, name: 'bench', playbackId },
    });
    const stream = streamSnapshot.parse(createSampleContent('stream.started', emitterTeamId).stream);
    return () =>
      transact(ctx, (tx) =>
        emitEvent(tx, {
          name: 'stream.started',
          teamId: emitterTeamId,
          streamId,
          sequence: ++sequence,
          stream,
        }),
      );
  };
  /** Emits one event to each of the hanging webhooks, and waits until the first attempt of each has arrived. */
  const emitToHangingReceiver = async () => {
    const hangingReceiver = await startReceiver(scope, false);
    for (let webhooksLeft = hanging.webhookCount; webhooksLeft > 0; webhooksLeft -= hanging.webhooksPerTeam) {
      const team = await ctx.db.team.create({ data: { name: `hanging-${webhooksLeft}` } });
      await (
        await createEmitter(team.id, hangingReceiver.url, hanging.webhooksPerTeam)
      )();
    }
    await waitForArrivals(hangingReceiver.arrivals, hanging.webhookCount);
  };
  return { emit: await createEmitter(teamId, url, 1), emitToHangingReceiver, arrivals };
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

async function measurePaced(
  name: string,
  { emit, arrivals }: Setup,
  { eventCount, intervalMs }: PacedLoad,
): Promise<string[]> {
  arrivals.length = 0;
  const startedAt = performance.now();
  for (let count = 0; count < eventCount; count += 1) {
    // Not awaited: a slow commit must not delay the next event.
    void emit();
    await sleep(intervalMs);
  }
  await waitForArrivals(arrivals, eventCount);
  const seconds = (performance.now() - startedAt) / 1000;
  await sleep(2_000);
  return formatRow(name, arrivals, seconds);
}

export const webhooks: Bench = {
  title: 'Webhooks',
  explanation:
    'Each time runs from the creation of an event, just before its commit, to its arrival at one receiver that responds immediately. First, ' +
    `${WRITERS} writers write ${BURST_EVENTS} events as fast as they can, then ${steadyLoad.eventCount} events follow at ` +
    `${1000 / steadyLoad.intervalMs} per second, then ${sparseLoad.eventCount} at one every ${sparseLoad.intervalMs / 1000} s, in a service that is ` +
    `idle otherwise. While ${hanging.webhookCount} webhooks of another receiver wait for a response that never comes, ` +
    `${loadBesideHanging.eventCount} events follow at one every ${loadBesideHanging.intervalMs} ms. Finally, the burst and the steady events ` +
    `are repeated with ${STREAM_COUNT} live publishers (720p30, not transcoded), whose own events have a separate row. Goals: each ` +
    'event arrives once, and 95 % of the deliveries within a second (p95), with and without live streams.',
  // The options are not used: each load runs once and without a warm-up.
  defaults: { runs: 1, window: 1, warmUp: 1 },
  async run(scope, directory) {
    const service = await startHeadwater(scope, directory, { EGRESS_ALLOW_CIDRS: '127.0.0.1/32' });
    const setup = await createSetup(scope, service);
    const rows = [await measureBurst('burst', setup), await measurePaced('steady', setup, steadyLoad)];
    rows.push(await measurePaced('sparse', setup, sparseLoad));
    await setup.emitToHangingReceiver();
    rows.push(await measurePaced(`${hanging.webhookCount} webhooks hang`, setup, loadBesideHanging));
    const clip = await makeClip(directory);
    setup.arrivals.length = 0;
    await publishAll(scope, clip, await service.openStreams(STREAM_COUNT));
    await waitForArrivals(setup.arrivals, STREAM_COUNT);
    rows.push(formatRow(`${STREAM_COUNT} streams start`, setup.arrivals));
    rows.push(await measurePaced(`steady, ${STREAM_COUNT} streams live`, setup, steadyLoad));
    rows.push(await measureBurst(`burst, ${STREAM_COUNT} streams live`, setup));
    return markdownTable(
      ['load', 'deliveries', 'duplicates', 'deliveries/s', 'p50 (ms)', 'p95 (ms)', 'longest (ms)'],
      rows,
    );
  },
};
