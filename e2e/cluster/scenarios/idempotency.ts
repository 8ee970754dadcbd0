import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../faults/service/child';
import { signal } from '../../faults/service/processes';
import { always, type Scenario } from './scenario';

/** Delays in milliseconds until the web process is killed: before, during and after the write. */
const delays = [0, 15, 60, 150];

/** A web process is killed during a POST, and the client repeats the request at another node. */
export const idempotency: Scenario = {
  name: 'idempotency',
  skipReason: always,
  async run(cluster, checks) {
    const [lostNode, remainingNode] = cluster.nodes;
    let answerCount = 0;
    let keptAssets = 0;
    for (const ms of delays) {
      await lostNode.untilHealthy();
      const web = lostNode.processes().roles.web;
      if (!web) throw new Error('node1 runs no web');
      const name = `idempotency ${ms}`;
      const request = { body: { name }, headers: { 'idempotency-key': randomUUID() } };
      const first = cluster.call(lostNode, 'POST', '/stream', request).then(
        ({ status }) => status,
        () => null,
      );
      await sleep(ms);
      signal(web, 'SIGKILL');
      if ((await first) !== null) answerCount += 1;
      const isRepeated = await until(120, async () => {
        const { status } = await cluster.call(remainingNode, 'POST', '/stream', request);
        return status === 201;
      });
      const rows = await cluster.count('"Stream" where "name" = $1', [name]);
      if (isRepeated !== null && rows === 1) keptAssets += 1;
    }
    checks.add(
      keptAssets === delays.length,
      `one object of each repeated POST (${keptAssets} of ${delays.length})`,
    );
    checks.add(answerCount < delays.length, `${delays.length - answerCount} of the first ones were cut`);
  },
};
