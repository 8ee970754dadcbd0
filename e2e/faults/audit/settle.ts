import { until } from '../service/until';
import type { Stage } from '../stage';
import type { Database } from './database';

/**
 * Timeout of `settle`. It is longer than leases, the reconnect window, three attempts of a task and all retries of a
 * delivery, so work that is unfinished after this time is stuck.
 */
const SETTLE_SECONDS = 330;

interface PendingCounts {
  readonly streams: number;
  readonly sessions: number;
  readonly tasks: number;
  readonly assets: number;
  readonly deliveries: number;
}

/**
 * SQL condition of unfinished tasks. A pending task whose asset waits for its upload does not count, because it waits for
 * the client.
 */
export const unfinishedTask = `("Task".phase in ('waiting', 'running')
  or "Task".phase = 'pending' and not exists (select from "Asset" where "Asset".id = "Task"."outputAssetId" and "Asset".phase = 'waiting'))`;
export const unfinishedSession = `("Session".state <> 'ended'
  or "Session".record and "Session".recording in ('none', 'recording', 'waiting', 'processing', 'importing'))`;
export const unfinishedAsset = `("Asset".phase in ('uploading', 'processing') and "Asset"."deletedAt" is null)`;
export const activeStream = `("Stream"."isActive" or "Stream"."liveNodeId" is not null)`;

const pendingCountsSql = `select
  (select count(*)::int from "Stream" where ${activeStream}) as streams,
  (select count(*)::int from "Session" where ${unfinishedSession}) as sessions,
  (select count(*)::int from "Task" where ${unfinishedTask}) as tasks,
  (select count(*)::int from "Asset" where ${unfinishedAsset}) as assets,
  (select count(*)::int from "WebhookDelivery" where state = 'pending') as deliveries`;

/**
 * Waits until the service is idle or the timeout has passed. `auditStates` reports unfinished work.
 * @returns the seconds waited
 */
export async function settle({ journal }: Stage, database: Database): Promise<number> {
  const startedAt = performance.now();
  let lastText = '';
  await until(
    SETTLE_SECONDS,
    async () => {
      const [pendingCounts] = await database.query<PendingCounts>(pendingCountsSql);
      if (!pendingCounts) return false;
      const text = JSON.stringify(pendingCounts);
      if (text !== lastText) journal.log(`settling ${text}`);
      lastText = text;
      return Object.values(pendingCounts).every((count) => count === 0);
    },
    2_000,
  );
  return (performance.now() - startedAt) / 1_000;
}
