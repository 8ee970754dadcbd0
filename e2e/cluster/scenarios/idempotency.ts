import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../faults/service/child';
import { signal } from '../../faults/service/processes';
import { always, type Scenario } from './scenario';

/** Milliseconds after which the web process is killed: before, during and after the write. */
const delays = [0, 15, 60, 150];

/** A web process dies during a POST, and the client repeats it at another node. */
export const idempotency: Scenario = {
  name: 'idempotency',
  skipped: always,
  async run(cluster, checks) {
    const [lost, left] = cluster.nodes;
    let answered = 0;
    let kept = 0;
    for (const ms of delays) {
      await lost.untilHealthy();
      const web = lost.processes().roles.web;
      if (!web) throw new Error('node1 runs no web');
      const name = `idempotency ${ms}`;
      const request = { body: { name }, headers: { 'idempotency-key': randomUUID() } };
      const first = cluster.call(lost, 'POST', '/stream', request).then(
        ({ status }) => status,
        () => null,
      );
      await sleep(ms);
      signal(web, 'SIGKILL');
      if ((await first) !== null) answered += 1;
      const repeated = await until(120, async () => {
        const { status } = await cluster.call(left, 'POST', '/stream', request);
        return status === 201;
      });
      const rows = await cluster.count('"Stream" where "name" = $1', [name]);
      if (repeated !== null && rows === 1) kept += 1;
    }
    checks.add(kept === delays.length, `one object of each repeated POST (${kept} of ${delays.length})`);
    checks.add(answered < delays.length, `${delays.length - answered} of the first ones were cut`);
  },
};
