import type { Cluster } from '../cluster';
import { secondsSince, type Checks } from './scenario';

/** Every run begins with all nodes starting together on an empty database: one node migrates, the others wait. */
export async function startTogether(cluster: Cluster, checks: Checks): Promise<void> {
  const begin = performance.now();
  for (const node of cluster.nodes) node.start();
  const startResults = await Promise.allSettled(cluster.nodes.map((node) => node.untilHealthy()));
  for (const [index, { status }] of startResults.entries()) {
    checks.add(status === 'fulfilled', `node${index + 1} is healthy`);
  }
  if (!checks.ok) return;
  const twice = await cluster.count(
    '(select migration_name from _prisma_migrations group by 1 having count(*) > 1) as twice',
  );
  checks.add(twice === 0, 'each migration was applied once');
  checks.add(true, `ready after ${secondsSince(begin)} s`);
}
