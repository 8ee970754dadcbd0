import type { Stage } from '../stage';
import type { Database } from './database';
import { activeStream, unfinishedAsset, unfinishedSession, unfinishedTask } from './settle';

interface Row {
  readonly id: string;
}

/** Nobody publishes and nothing is under way: each row that one of these finds is stuck, or blames a fault on a caller. */
const never: Readonly<Record<string, string>> = {
  'a stream is active and nobody publishes': `select id, name, "isActive", "liveNodeId" from "Stream" where ${activeStream}`,
  'a session is stuck': `select id, state, recording, "recordingDueAt", "recordingAttempts", "createdAt", "endedAt"
    from "Session" where ${unfinishedSession}`,
  'a task is stuck': `select id, type, phase, "errorMessage", retries, attempt, "scheduledAt"
    from "Task" where ${unfinishedTask}`,
  'an asset is stuck': `select id, name, phase, "statusUpdatedAt", "uploadLeaseUntil" from "Asset" where ${unfinishedAsset}`,
  'a task failed': `select id, type, "errorMessage", retries, "inputAssetId", "outputAssetId" from "Task" where phase = 'failed'`,
  'an asset failed': `select id, name, "sourceType" from "Asset" where phase = 'failed' and "deletedAt" is null`,
  'a delivery is not done': `select d.id, d.state, d.attempt, e.name, w.name as webhook from "WebhookDelivery" d
    join "Event" e on e.id = d."eventId" join "Webhook" w on w.id = d."webhookId"
    where d.state <> 'ok' and w.name like 'receiver-%'`,
  'a webhook was switched off': `select id, name, "disabledReason" from "Webhook"
    where name like 'receiver-%' and ("disabled" or "deletedAt" is not null)`,
};

export async function auditStates({ journal }: Stage, database: Database): Promise<void> {
  for (const [what, sql] of Object.entries(never))
    for (const row of await database.rows<Row>(sql)) journal.problem(what, row.id, row);
}
