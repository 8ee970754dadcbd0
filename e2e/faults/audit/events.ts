import { webhookNames, type WebhookName } from '../load/remote-servers';
import type { Stage } from '../stage';
import type { Database } from './database';

interface WebhookRow {
  readonly id: string;
  /** Names of the events that the webhook subscribes to. */
  readonly eventNames: string[];
  readonly createdAt: Date;
}

interface EventRow {
  readonly id: string;
  readonly name: string;
  /** State of the event's delivery to the webhook; null if there is none. */
  readonly deliveryState: string | null;
}

interface Violation {
  readonly id: string;
}

/**
 * Queries for events that are missing, repeated or out of order, by the message that the audit reports. Every row is a problem.
 */
const violationQueries: Readonly<Record<string, string>> = {
  'the sequence of a stream has holes or repeats': `select s.id, s."eventSequence", count(e.id)::int as "eventCount",
      count(distinct e.sequence)::int as "distinctCount", min(e.sequence) as min, max(e.sequence) as max
    from "Stream" s left join "Event" e on e."streamId" = s.id and not e.test
    group by s.id having count(e.id) <> s."eventSequence" or count(distinct e.sequence) <> count(e.id)`,
  'stream.started and stream.idle do not alternate': `select * from (
      select e.id, e."streamId", e.sequence, e.name,
        lag(e.name) over (partition by e."streamId" order by e.sequence) as previous
      from "Event" e where e.name in ('stream.started', 'stream.idle') and not e.test) pairs
    where previous is not distinct from name or previous is null and name = 'stream.idle'`,
  'a stream was started but never became idle': `select * from (
      select distinct on ("streamId") id, "streamId", name from "Event"
      where name in ('stream.started', 'stream.idle') and not test order by "streamId", sequence desc) latest
    where name <> 'stream.idle'`,
  'recording events do not match the recording': `select * from (
      select s.id, s.recording,
        (select count(*)::int from "Event" e where e.name = 'recording.started' and not e.test
          and e."streamId" = s."parentId" and e.payload::text like '%' || s.id || '%') as started,
        (select count(*)::int from "Event" e where e.name = 'recording.ready' and not e.test
          and e."streamId" = s."parentId" and e.payload::text like '%' || s.id || '%') as ready
      from "Session" s where s.record and s.recording not in ('none', 'empty')) counted
    where started <> 1 or (recording = 'ready') <> (ready = 1)`,
  'asset.ready was not emitted exactly once': `select a.id, a.name, count(e.id)::int as "eventCount" from "Asset" a
    left join "Event" e on e.name = 'asset.ready' and not e.test and e.payload #>> '{payload,asset,id}' = a.id::text
    where a.phase = 'ready' group by a.id having count(e.id) <> 1`,
  'the end of a task was not emitted exactly once': `select t.id, t.type, t.phase, count(e.id)::int as "eventCount" from "Task" t
    left join "Event" e on e.name in ('task.completed', 'task.failed') and not e.test
      and e.payload #>> '{payload,task,id}' = t.id::text
    where t.phase in ('completed', 'failed') group by t.id having count(e.id) <> 1`,
};

export interface EventCounts {
  /** Deliveries that the audit checked: one for each webhook and event that it subscribes to. */
  readonly deliveryCount: number;
  /** Deliveries that were received more than once, which is allowed. Attempts that got an error count too. */
  readonly repeatedCount: number;
}

export async function auditEvents(stage: Stage, database: Database): Promise<EventCounts> {
  let deliveryCount = 0;
  let repeatedCount = 0;
  for (const name of webhookNames) {
    const counts = await auditWebhook(stage, database, name);
    deliveryCount += counts.deliveryCount;
    repeatedCount += counts.repeatedCount;
  }
  for (const [violation, sql] of Object.entries(violationQueries))
    for (const row of await database.query<Violation>(sql))
      stage.journal.reportProblem(violation, row.id, row);
  return { deliveryCount, repeatedCount };
}

/** Checks that every subscribed event reached the webhook, and that every received event exists. */
async function auditWebhook(
  { journal, remote }: Stage,
  database: Database,
  name: WebhookName,
): Promise<EventCounts> {
  // prepare.ts creates the webhooks with these names.
  const query =
    'select id, events as "eventNames", "createdAt" from "Webhook" where name = $1 and "deletedAt" is null';
  const [webhook] = await database.query<WebhookRow>(query, [`receiver-${name}`]);
  if (!webhook) {
    journal.reportProblem('a webhook is missing', name);
    return { deliveryCount: 0, repeatedCount: 0 };
  }
  const receivedById = remote.receivedByWebhook.get(name);
  const rows = await database.query<EventRow>(
    `select e.id, e.name, d.state as "deliveryState" from "Event" e
       left join "WebhookDelivery" d on d."eventId" = e.id and d."webhookId" = $1
     where e."createdAt" >= $2 and not e.test and e.name = any($3)`,
    [webhook.id, webhook.createdAt, webhook.eventNames],
  );
  let repeatedCount = 0;
  for (const row of rows) {
    const delivery = receivedById?.get(row.id);
    if (row.deliveryState === null)
      journal.reportProblem('an event has no delivery', `${name} ${row.id}`, row);
    else if (!delivery?.acceptedCount)
      journal.reportProblem('an event was never accepted', `${name} ${row.id}`, { row, received: delivery });
    else if (delivery.totalCount > 1) repeatedCount += 1;
  }
  const knownIds = new Set(rows.map(({ id }) => id));
  for (const [id, { event }] of receivedById ?? []) {
    if (knownIds.has(id)) continue;
    const [row] = await database.query('select id from "Event" where id = $1', [id]);
    if (!row) journal.reportProblem('an event arrived that does not exist', `${name} ${id}`, { event });
  }
  return { deliveryCount: rows.length, repeatedCount };
}
