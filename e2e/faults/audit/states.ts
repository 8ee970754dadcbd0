import type { Stage } from '../stage';
import type { Database } from './database';
import { activeStream, unfinishedAsset, unfinishedSession, unfinishedTask } from './settle';

interface ViolationRow {
  readonly id: string;
}

/** Queries for rows that are stuck while the service is idle, or that failed although all requests were valid. */
const violationQueries: Readonly<Record<string, string>> = {
  'a stream is active without a publisher': `select id, name, "isActive", "liveNodeId" from "Stream" where ${activeStream}`,
  'a session is stuck': `select id, state, recording, "recordingDueAt", "recordingAttempts", "createdAt", "endedAt"
    from "Session" where ${unfinishedSession}`,
  'a task is stuck': `select id, type, phase, "errorMessage", retries, attempt, "scheduledAt"
    from "Task" where ${unfinishedTask}`,
  'an asset is stuck': `select id, name, phase, "statusUpdatedAt", "uploadLeaseUntil" from "Asset" where ${unfinishedAsset}`,
  'a task failed': `select id, type, "errorMessage", retries, "inputAssetId", "outputAssetId" from "Task" where phase = 'failed'`,
  'an asset failed': `select id, name, "sourceType" from "Asset" where phase = 'failed' and "deletedAt" is null`,
  'a delivery has not succeeded': `select d.id, d.state, d.attempt, e.name, w.name as webhook from "WebhookDelivery" d
    join "Event" e on e.id = d."eventId" join "Webhook" w on w.id = d."webhookId"
    where d.state <> 'ok' and w.name like 'receiver-%'`,
  'a webhook was disabled': `select id, name, "disabledReason" from "Webhook"
    where name like 'receiver-%' and ("disabled" or "deletedAt" is not null)`,
};

export async function auditStates({ journal }: Stage, database: Database): Promise<void> {
  for (const [violation, sql] of Object.entries(violationQueries))
    for (const row of await database.query<ViolationRow>(sql)) journal.reportProblem(violation, row.id, row);
}
