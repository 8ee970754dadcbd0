import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../faults/service/child';
import { ClusterNode } from '../node';
import type { Scenario } from './scenario';

const env = join(import.meta.dirname, '../../../lib/infra/env.ts');

/** An edge without a database serves content from an origin. */
export const edge: Scenario = {
  name: 'edge',
  skipReason: () =>
    readFileSync(env, 'utf8').includes('UPSTREAM_ORIGIN') ? null : 'this version has no UPSTREAM_ORIGIN',
  async run(cluster, checks) {
    const [first, second] = cluster.nodes;
    const stream = await cluster.stream(first, 'edge');
    cluster.encode(stream.streamKey, [first]);
    checks.add(await cluster.untilPlays(second, stream), 'a stream is live');
    const { site, directory } = cluster;
    const environment = {
      UPSTREAM_ORIGIN: second.media,
      APP_SECRET: cluster.sharedEnvironment.APP_SECRET ?? '',
    };
    const node = await ClusterNode.make({ site, name: 'edge', directory, sharedEnvironment: environment });
    cluster.scope.defer(() => node.kill());
    node.start();
    const plays = await until(180, async () => (await cluster.playlist(node, stream)) !== null, 1_000);
    checks.add(plays !== null, 'it plays at an edge of node2');
    await node.stop();
  },
};
