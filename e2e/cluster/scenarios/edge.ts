import { until } from '@/e2e/faults/service/until';
import { ClusterNode } from '../node';
import { neverSkip, type Scenario } from './scenario';

/** An edge without a database serves a live stream from an origin. */
export const edge: Scenario = {
  name: 'edge',
  skipReason: neverSkip,
  async run(cluster, checks) {
    const [ingestNode, originNode] = cluster.nodes;
    const stream = await cluster.createStream(ingestNode, 'edge');
    cluster.startEncoder(stream.streamKey, [ingestNode]);
    checks.add(await cluster.waitUntilPlayable(originNode, stream), 'a stream of node1 plays at node2');
    const { site, directory } = cluster;
    const edgeEnvironment = {
      UPSTREAM_ORIGIN: originNode.mediaUrl,
      APP_SECRET: cluster.sharedEnvironment.APP_SECRET ?? '',
    };
    const edgeNode = await ClusterNode.create({
      site,
      name: 'edge',
      directory,
      sharedEnvironment: edgeEnvironment,
    });
    cluster.scope.defer(() => edgeNode.kill());
    edgeNode.start();
    const playlist = await until(
      180,
      async () => (await cluster.readPlaylist(edgeNode, stream)) !== null,
      1_000,
    );
    checks.add(playlist !== null, 'it plays at an edge whose origin is node2');
    await edgeNode.stop();
  },
};
