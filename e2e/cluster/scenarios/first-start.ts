import type { Cluster } from '../cluster';
import { secondsSince, type Checks } from './scenario';

/** Starts all nodes at the same time on an empty database. Each migration must be applied once. */
export async function startTogether(cluster: Cluster, checks: Checks): Promise<void> {
  const startedAt = performance.now();
  for (const node of cluster.nodes) node.start();
  const startResults = await Promise.allSettled(cluster.nodes.map((node) => node.waitUntilHealthy()));
  for (const [index, { status }] of startResults.entries()) {
    checks.add(status === 'fulfilled', `node${index + 1} is healthy`);
  }
  if (!checks.ok) return;
  const repeatedMigrations = await cluster.countRows(
    '(select migration_name from _prisma_migrations group by 1 having count(*) > 1) as repeated',
  );
  checks.add(repeatedMigrations === 0, 'each migration was applied once');
  checks.add(true, `ready after ${secondsSince(startedAt)} s`);
}
