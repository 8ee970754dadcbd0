import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { transact } from '@/lib/context';
import { findAccountByEmail } from '@/lib/accounts';
import { sampleContent } from '@/lib/contract/event-samples';
import { streamSnapshot } from '@/lib/contract/event';
import { readSettings } from '@/lib/infra/env';
import { createLogger } from '@/lib/infra/logger';
import { createWebhook, emitEvent } from '@/lib/webhooks';
import { createWorkerContext } from '@/media-worker/worker-context';
import { readRunning } from '../scripts/service/instance';
import type { Bench } from './lib/bench';
import { digits, markdownTable } from './lib/figures';
import { benchAccount, startHeadwater } from './lib/headwater';
import type { Scope } from './lib/scope';

/** How soon and how fast events reach a receiver that answers at once. */

const burst = 2_000;
const steady = { events: 300, everyMs: 20 };

interface Arrival {
  readonly id: string;
  readonly waitMs: number;
  readonly at: number;
}

/** A receiver on loopback, counting what comes. */
async function startReceiver(scope: Scope) {
  const arrivals: Arrival[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const { id, createdAt } = JSON.parse(body) as { id: string; createdAt: number };
      arrivals.push({ id, waitMs: Date.now() - createdAt, at: performance.now() });
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  scope.defer(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return { url: `http://127.0.0.1:${port ?? 0}/hook`, arrivals };
}

async function until(arrivals: readonly Arrival[], count: number): Promise<void> {
  const deadline = performance.now() + 120_000;
  while (arrivals.length < count) {
    if (performance.now() > deadline) throw new Error(`${arrivals.length} of ${count} events arrived`);
    await sleep(20);
  }
}

function figuresOf(name: string, arrivals: readonly Arrival[], seconds: number): string[] {
  const waits = arrivals.map(({ waitMs }) => waitMs).sort((a, b) => a - b);
  const at = (share: number) => digits(waits[Math.ceil(waits.length * share) - 1] ?? 0, 0);
  const twice = arrivals.length - new Set(arrivals.map(({ id }) => id)).size;
  return [
    name,
    String(arrivals.length),
    String(twice),
    digits(arrivals.length / seconds, 0),
    at(0.5),
    at(0.95),
    at(1),
  ];
}

export const webhooks: Bench = {
  title: 'Webhooks',
  explains:
    `From the commit of an event to its arrival at one receiver that answers at once: ${burst} events written as fast as ` +
    `they can be, then ${steady.events} at ${1000 / steady.everyMs} a second. The goal: each arrives once, the first attempt ` +
    'within a second.',
  defaults: { runs: 1, window: 1, warmUp: 1 },
  async run(scope, directory) {
    const { dataDir } = await startHeadwater(scope, directory, { EGRESS_ALLOW_CIDRS: '127.0.0.1/32' });
    const running = readRunning(dataDir);
    if (!running) throw new Error('the service is not running');
    const ctx = createWorkerContext(readSettings(running.environment), createLogger('bench', 'silent'));
    scope.defer(() => ctx.db.$disconnect());
    const { id: userId } = await findAccountByEmail(ctx, benchAccount.email);
    const receiver = await startReceiver(scope);
    const owner = { ...ctx, actor: { kind: 'cli', userId } } as const;
    await createWebhook(owner, { name: 'bench', url: receiver.url, events: ['stream.started'] });
    const playbackId = 'benchbenchbench0';
    const { id: streamId } = await ctx.db.stream.create({ data: { userId, name: 'bench', playbackId } });
    const stream = streamSnapshot.parse(sampleContent('stream.started', userId).stream);
    let sequence = 0;
    const emit = () =>
      transact(ctx, (tx) =>
        emitEvent(tx, { name: 'stream.started', userId, streamId, sequence: ++sequence, stream }),
      );
    const rows: string[][] = [];
    const began = performance.now();
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        for (let count = 0; count < burst / 4; count += 1) await emit();
      }),
    );
    await until(receiver.arrivals, burst);
    rows.push(figuresOf('burst', receiver.arrivals.splice(0), (performance.now() - began) / 1000));
    const steadyBegan = performance.now();
    for (let count = 0; count < steady.events; count += 1) {
      void emit();
      await sleep(steady.everyMs);
    }
    await until(receiver.arrivals, steady.events);
    await sleep(2_000);
    rows.push(figuresOf('steady', receiver.arrivals, (performance.now() - steadyBegan - 2_000) / 1000));
    return markdownTable(
      ['load', 'events', 'delivered twice', 'events/s', 'p50 (ms)', 'p95 (ms)', 'longest (ms)'],
      rows,
    );
  },
};
