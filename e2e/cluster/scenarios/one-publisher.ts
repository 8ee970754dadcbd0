import { publishOnce } from '../encoder';
import { always, type Scenario } from './scenario';

const rounds = 3;

/** Two encoders publish with the same key at the same time, each at its own node. */
export const onePublisher: Scenario = {
  name: 'one-publisher',
  skipReason: always,
  async run(cluster, checks) {
    const admittedNodes: number[] = [];
    let sessions = 0;
    for (let round = 0; round < rounds; round += 1) {
      const stream = await cluster.stream(cluster.nodes[0], `one publisher ${round}`);
      const tries = cluster.nodes.map((node) =>
        publishOnce(cluster.source, node, { streamKey: stream.streamKey, seconds: 5 }),
      );
      admittedNodes.push((await Promise.all(tries)).filter(Boolean).length);
      sessions += await cluster.count('"Session" where "parentId" = $1', [stream.id]);
    }
    checks.add(
      admittedNodes.every((count) => count === 1),
      `exactly one of two is admitted (${admittedNodes.join(', ')})`,
    );
    checks.add(sessions === rounds, `each has one session (${sessions} of ${rounds})`);
  },
};
