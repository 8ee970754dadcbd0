import { setTimeout as sleep } from 'node:timers/promises';
import type { ReceivedRequest } from '@/lib/infra/testing/receiver';
import { until } from '@/e2e/faults/service/until';
import type { Cluster } from '../cluster';
import { neverSkip, type Scenario } from './scenario';

const subscribedEvents = [
  'stream.started',
  'stream.idle',
  'recording.started',
  'recording.ready',
  'asset.created',
  'asset.ready',
];

/** Both nodes are restarted one after the other, like for an update, while a stream is live and a client uses the API. */
export const rollingRestart: Scenario = {
  name: 'rolling-restart',
  skipReason: neverSkip,
  async run(cluster, checks) {
    const [firstNode, secondNode] = cluster.nodes;
    const receiver = await cluster.startReceiver();
    const webhook = await cluster.createObject(firstNode, '/webhook', {
      name: 'all',
      url: `${receiver.url}/`,
      events: subscribedEvents,
    });
    const webhookId = String(webhook.id);
    const stream = await cluster.createStream(firstNode, 'rolling restart', { record: true });
    const encoder = cluster.startEncoder(stream.streamKey, [firstNode, secondNode]);
    checks.add(await cluster.waitUntilPlayable(secondNode, stream), 'a stream of node1 plays at node2');
    const load = new AssetLoad(cluster);
    for (const node of [firstNode, secondNode]) {
      await node.stop();
      node.start();
      await node.waitUntilHealthy();
      // The pause gives the encoder time to reconnect, and the other node time to see the restarted node.
      await sleep(3_000);
    }
    await load.stop();
    const sessionCount = await cluster.countRows('"Session" where "parentId" = $1', [stream.id]);
    checks.add(sessionCount === 1, `the stream kept its session (${sessionCount})`);
    checks.add(
      load.failures.length === 0,
      `${load.createdCount} POSTs meanwhile made one asset each${load.failures.map((failure) => `, not ${failure}`).join('')}`,
    );
    await encoder.stop();
    const isIdle = await until(60, () =>
      cluster.hasRow(`"Event" where "streamId" = $1 and "name" = 'stream.idle'`, [stream.id]),
    );
    checks.add(isIdle === true, 'stream.idle at its end');
    const isRecorded = await until(240, () =>
      cluster.hasRow(`"Event" where "streamId" = $1 and "name" = 'recording.ready'`, [stream.id]),
    );
    checks.add(isRecorded === true, 'its recording is ready');
    await checkDeliveries(cluster, webhookId, receiver.received, checks);
    await cluster.callApi(firstNode, 'DELETE', `/webhook/${webhookId}`);
  },
};

/** Highest number of assets that the load creates. It is below the limit of unfinished uploads of a team. */
const MAX_UPLOADS = 90;

/** A client that creates assets, each with an event. It repeats a POST at the other node if one node fails. */
class AssetLoad {
  /** Number of assets that were created exactly once. */
  createdCount = 0;
  /** Name and number of rows of each other asset. */
  readonly failures: string[] = [];
  #isStopped = false;
  readonly #whenStopped: Promise<void>;

  constructor(private readonly cluster: Cluster) {
    this.#whenStopped = this.#run();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#whenStopped;
  }

  async #run(): Promise<void> {
    for (let count = 0; !this.#isStopped && count < MAX_UPLOADS; count += 1) {
      const name = `load ${count}`;
      const request = { body: { name }, headers: { 'idempotency-key': crypto.randomUUID() } };
      const isWritten = await until(60, () => this.#postToAnyNode(request), 200);
      const rowCount = await this.cluster.countRows('"Asset" where "name" = $1', [name]);
      if (isWritten !== true || rowCount !== 1) this.failures.push(`${name}: ${rowCount}`);
      else this.createdCount += 1;
      await sleep(500);
    }
  }

  async #postToAnyNode(request: { body: unknown; headers: Record<string, string> }): Promise<boolean> {
    for (const node of this.cluster.nodes) {
      const response = await this.cluster
        .callApi(node, 'POST', '/asset/request-upload', request)
        .catch(() => null);
      if (response && response.status < 300) return true;
    }
    return false;
  }
}

async function checkDeliveries(
  cluster: Cluster,
  webhookId: string,
  requests: readonly ReceivedRequest[],
  checks: { add(ok: boolean, text: string): void },
): Promise<void> {
  const isSettled = await until(120, async () => {
    const pendingCount = await cluster.countRows(
      `"WebhookDelivery" where "webhookId" = $1 and "state" = 'pending'`,
      [webhookId],
    );
    return pendingCount === 0;
  });
  checks.add(isSettled === true, 'no delivery is pending');
  const deliveries = await cluster.query<{ eventId: string; attempt: number }>(
    'select "eventId", "attempt" from "WebhookDelivery" where "webhookId" = $1',
    [webhookId],
  );
  const arrivalCounts = new Map<string, number>();
  for (const { body } of requests) {
    const { id } = JSON.parse(body) as { id: string };
    arrivalCounts.set(id, (arrivalCounts.get(id) ?? 0) + 1);
  }
  const missing = deliveries.filter(({ eventId }) => !arrivalCounts.has(eventId));
  checks.add(
    deliveries.length > 0 && missing.length === 0,
    `${deliveries.length} deliveries, ${missing.length} missing`,
  );
  // Webhooks are delivered at least once, because an attempt whose result was not stored is repeated.
  const unexpectedRepeats = deliveries.filter(
    ({ eventId, attempt }) => (arrivalCounts.get(eventId) ?? 0) > attempt,
  );
  checks.add(
    unexpectedRepeats.length === 0,
    `none arrived more often than it was attempted (${unexpectedRepeats.length})`,
  );
}
