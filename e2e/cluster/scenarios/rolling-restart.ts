import { setTimeout as sleep } from 'node:timers/promises';
import type { Received } from '@/lib/infra/testing/receiver';
import { until } from '../../faults/service/child';
import type { Cluster } from '../cluster';
import { always, type Scenario } from './scenario';

const events = [
  'stream.started',
  'stream.idle',
  'recording.started',
  'recording.ready',
  'asset.created',
  'asset.ready',
];

/** Both nodes are restarted in turn, as for an update, while a stream is live and the API is used. */
export const rollingRestart: Scenario = {
  name: 'rolling-restart',
  skipReason: always,
  async run(cluster, checks) {
    const [first, second] = cluster.nodes;
    const receiver = await cluster.receive();
    const webhook = await cluster.create(first, '/webhook', { name: 'all', url: `${receiver.url}/`, events });
    const webhookId = String(webhook.id);
    const stream = await cluster.stream(first, 'rolling restart', { record: true });
    const encoder = cluster.encode(stream.streamKey, [first, second]);
    checks.add(await cluster.untilPlays(second, stream), 'a stream is live');
    const load = new Load(cluster);
    for (const node of [first, second]) {
      await node.stop();
      node.start();
      await node.untilHealthy();
      // Time for the encoder to reconnect, and for the other nodes to see the restarted node.
      await sleep(3_000);
    }
    await load.stop();
    const sessions = await cluster.count('"Session" where "parentId" = $1', [stream.id]);
    checks.add(sessions === 1, `the stream kept its session (${sessions})`);
    checks.add(
      load.failures.length === 0,
      `${load.writtenCount} POSTs meanwhile made one asset each${load.failures.map((failure) => `, not ${failure}`).join('')}`,
    );
    await encoder.stop();
    const idle = await until(60, () =>
      cluster.exists(`"Event" where "streamId" = $1 and "name" = 'stream.idle'`, [stream.id]),
    );
    checks.add(idle !== null, 'stream.idle at its end');
    const isRecorded = await until(240, () =>
      cluster.exists(`"Event" where "streamId" = $1 and "name" = 'recording.ready'`, [stream.id]),
    );
    checks.add(isRecorded !== null, 'its recording is ready');
    await checkDeliveries(cluster, webhookId, receiver.received, checks);
    await cluster.call(first, 'DELETE', `/webhook/${webhookId}`);
  },
};

/** Below the limit of unfinished uploads per team. */
const maxUploads = 90;

/** A client that creates assets, each with an event. It repeats a POST at the other node if one node does not respond. */
class Load {
  writtenCount = 0;
  readonly failures: string[] = [];
  #stopped = false;
  readonly #done: Promise<void>;

  constructor(private readonly cluster: Cluster) {
    this.#done = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#done;
  }

  async #run(): Promise<void> {
    for (let count = 0; !this.#stopped && count < maxUploads; count += 1) {
      const name = `load ${count}`;
      const request = { body: { name }, headers: { 'idempotency-key': crypto.randomUUID() } };
      const isWritten = await until(60, () => this.#tryEverywhere(request), 200);
      const rows = await this.cluster.count('"Asset" where "name" = $1', [name]);
      if (isWritten === null || rows !== 1) this.failures.push(`${name}: ${rows}`);
      else this.writtenCount += 1;
      await sleep(500);
    }
  }

  async #tryEverywhere(request: { body: unknown; headers: Record<string, string> }): Promise<boolean> {
    for (const node of this.cluster.nodes) {
      const answer = await this.cluster
        .call(node, 'POST', '/asset/request-upload', request)
        .catch(() => null);
      if (answer && answer.status < 300) return true;
    }
    return false;
  }
}

async function checkDeliveries(
  cluster: Cluster,
  webhookId: string,
  requests: readonly Received[],
  checks: { add(ok: boolean, text: string): void },
): Promise<void> {
  const isSettled = await until(120, async () => {
    const open = await cluster.count(`"WebhookDelivery" where "webhookId" = $1 and "state" in ('pending')`, [
      webhookId,
    ]);
    return open === 0;
  });
  checks.add(isSettled !== null, 'no delivery is left over');
  const dueDeliveries = await cluster.rows<{ eventId: string; attempt: number }>(
    'select "eventId", "attempt" from "WebhookDelivery" where "webhookId" = $1',
    [webhookId],
  );
  const arrivals = new Map<string, number>();
  for (const { body } of requests) {
    const { id } = JSON.parse(body) as { id: string };
    arrivals.set(id, (arrivals.get(id) ?? 0) + 1);
  }
  const missing = dueDeliveries.filter(({ eventId }) => !arrivals.has(eventId));
  checks.add(
    dueDeliveries.length > 0 && missing.length === 0,
    `${dueDeliveries.length} deliveries, ${missing.length} missing`,
  );
  // Webhooks are delivered at least once: an attempt whose result was not stored is repeated.
  const twice = dueDeliveries.filter(({ eventId, attempt }) => (arrivals.get(eventId) ?? 0) > attempt);
  checks.add(twice.length === 0, `none twice without a second attempt (${twice.length})`);
}
