import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@/e2e/faults/service/until';
import { sendSignal } from '../../faults/service/processes';
import { neverSkip, type Scenario } from './scenario';

/** Delays in milliseconds between the request and the kill of the web process: before, during and after the write. */
const delaysMs = [0, 15, 60, 150];

/** A web process is killed during a POST, and the client repeats the request at another node with the same idempotency key. */
export const idempotency: Scenario = {
  name: 'idempotency',
  skipReason: neverSkip,
  async run(cluster, checks) {
    const [lostNode, remainingNode] = cluster.nodes;
    let responseCount = 0;
    let createdOnceCount = 0;
    for (const delayMs of delaysMs) {
      await lostNode.waitUntilHealthy();
      const web = lostNode.findProcesses().roles.web;
      if (!web) throw new Error('node1 runs no web');
      const name = `idempotency ${delayMs}`;
      const request = { body: { name }, headers: { 'idempotency-key': randomUUID() } };
      const firstStatus = cluster.callApi(lostNode, 'POST', '/stream', request).then(
        ({ status }) => status,
        () => null,
      );
      await sleep(delayMs);
      sendSignal(web, 'SIGKILL');
      if ((await firstStatus) !== null) responseCount += 1;
      const repeatSucceeded = await until(120, async () => {
        const { status } = await cluster.callApi(remainingNode, 'POST', '/stream', request);
        return status === 201;
      });
      const rowCount = await cluster.countRows('"Stream" where "name" = $1', [name]);
      if (repeatSucceeded && rowCount === 1) createdOnceCount += 1;
    }
    checks.add(
      createdOnceCount === delaysMs.length,
      `one object of each repeated POST (${createdOnceCount} of ${delaysMs.length})`,
    );
    checks.add(
      responseCount < delaysMs.length,
      `${delaysMs.length - responseCount} of the first requests got no response`,
    );
  },
};
