import { publishOnce } from '../encoder';
import { neverSkip, type Scenario } from './scenario';

const ROUNDS = 3;

/** Two encoders publish with the same key at the same time, each at its own node. Only one may be admitted. */
export const onePublisher: Scenario = {
  name: 'one-publisher',
  skipReason: neverSkip,
  async run(cluster, checks) {
    const admittedCounts: number[] = [];
    let sessionCount = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const stream = await cluster.createStream(cluster.nodes[0], `one publisher ${round}`);
      const publishes = cluster.nodes.map((node) =>
        publishOnce(cluster.sourceFile, node, { streamKey: stream.streamKey, seconds: 5 }),
      );
      admittedCounts.push((await Promise.all(publishes)).filter(Boolean).length);
      sessionCount += await cluster.countRows('"Session" where "parentId" = $1', [stream.id]);
    }
    checks.add(
      admittedCounts.every((count) => count === 1),
      `exactly one of two is admitted (${admittedCounts.join(', ')})`,
    );
    checks.add(sessionCount === ROUNDS, `one session for each stream (${sessionCount} for ${ROUNDS})`);
  },
};
