import { Client } from 'pg';
import { afterAll, expect, test } from 'vitest';
import { assetMachine } from '@/lib/core/assets/asset-state';
import { deliveryMachine } from '@/lib/core/webhooks/delivery-state';
import { recordingMachine } from '@/lib/core/sessions/recording-state';
import { sessionMachine } from '@/lib/core/sessions/session-state';
import { targetMachine } from '@/lib/core/targets/target-state';
import { taskMachine } from '@/lib/core/tasks/task-state';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { migrate, readMigrations } from './migrate';

/** The columns that contain a state, and SQL that inserts a row with the state `$1`. */
const columns = {
  'Session.state': {
    states: sessionMachine.states,
    insert: `insert into "Session" ("id", "userId", "parentId", "name", "playbackId", "state")
      select gen_random_uuid(), "userId", "id", $1, 'state', $1 from "Stream"`,
  },
  'Session.recording': {
    states: recordingMachine.states,
    insert: `insert into "Session" ("id", "userId", "parentId", "name", "playbackId", "recording")
      select gen_random_uuid(), "userId", "id", $1, 'recording', $1 from "Stream"`,
  },
  'TargetStatus.state': {
    states: targetMachine.states,
    insert: `insert into "TargetStatus" ("streamId", "targetId", "profile", "state", "since")
      select s."id", t."id", $1, $1, now() from "Stream" s, "MultistreamTarget" t`,
  },
  'Asset.phase': {
    states: assetMachine.states,
    insert: `insert into "Asset" ("id", "userId", "name", "playbackId", "sourceType", "phase")
      select gen_random_uuid(), "id", $1, $1, 'url', $1 from "Account"`,
  },
  'Task.phase': {
    states: taskMachine.states,
    insert: `insert into "Task" ("id", "userId", "type", "params", "phase")
      select gen_random_uuid(), "id", $1, '{}', $1 from "Account"`,
  },
  'WebhookDelivery.state': {
    states: deliveryMachine.states,
    insert: `with event as (insert into "Event" ("id", "userId", "name", "payload")
        select gen_random_uuid(), "id", $1, '{}' from "Account" returning "id", "name")
      insert into "WebhookDelivery" ("id", "eventId", "webhookId", "state")
      select gen_random_uuid(), e."id", w."id", $1 from event e, "Webhook" w`,
  },
} as const;

/** A query per column for the inserted state (label) and the current one of each row. */
const stateQueries: Readonly<Record<keyof typeof columns, string>> = {
  'Session.state': `select "name" as label, "state"::text as state from "Session"
    where "playbackId" = 'state'`,
  'Session.recording': `select "name" as label, "recording"::text as state from "Session"
    where "playbackId" = 'recording'`,
  'TargetStatus.state': 'select "profile" as label, "state"::text as state from "TargetStatus"',
  'Asset.phase': 'select "name" as label, "phase"::text as state from "Asset"',
  'Task.phase': 'select "type" as label, "phase"::text as state from "Task"',
  'WebhookDelivery.state': `select e."name" as label, d."state"::text as state
    from "WebhookDelivery" d join "Event" e on e."id" = d."eventId"`,
};
const names = Object.keys(columns) as (keyof typeof columns)[];

/** The state that an unknown text becomes, and the default of a new row, per column. */
const finalStates = ['ended', 'failed', 'disconnected', 'failed', 'failed', 'failed'];
const defaults = ["'live'", "'none'", null, "'waiting'", "'pending'", "'pending'"];

/** Whether the former text columns had this state. */
const isFormerState = (state: string): boolean => state !== 'transient';

async function previousDatabase(): Promise<{ url: string; client: Client }> {
  const url = await createTestDatabase();
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('drop schema public cascade');
  await client.query('create schema public');
  const migrations = await readMigrations();
  await migrate(
    url,
    migrations.slice(
      0,
      migrations.findIndex(({ name }) => name.endsWith('_state_enums')),
    ),
  );
  await client.query(`
    insert into "Account" ("id", "email", "passwordHash") values (gen_random_uuid(), 'a', '');
    insert into "Stream" ("id", "userId", "name", "playbackId")
      select gen_random_uuid(), "id", 's', 's' from "Account";
    insert into "MultistreamTarget" ("id", "userId", "name", "urlSealed")
      select gen_random_uuid(), "id", 't', '' from "Account";
    insert into "Webhook" ("id", "userId", "name", "url", "secretSealed")
      select gen_random_uuid(), "id", 'w', 'https://w.example', '' from "Account";`);
  return { url, client };
}

const { url, client } = await previousDatabase();
afterAll(() => client.end());

/** For each column, a map from the inserted state to the current one. */
async function readStates(): Promise<Record<string, Record<string, string>>> {
  const states: Record<string, Record<string, string>> = {};
  for (const name of names) {
    const { rows } = await client.query<{ label: string; state: string }>(stateQueries[name]);
    states[name] = Object.fromEntries(rows.map(({ label, state }) => [label, state]));
  }
  return states;
}

test('a migration keeps the state of rows in every known state', async () => {
  for (const name of names) {
    const { states, insert } = columns[name];
    for (const state of states.filter(isFormerState))
      await client.query(insert.replaceAll('$1', `'${state}'`));
  }
  const before = await readStates();
  for (const name of names) await client.query(columns[name].insert.replaceAll('$1', "'odd'"));
  const appliedNames = await migrate(url);
  expect(appliedNames[0]).toMatch(/_state_enums$/);
  const after = await readStates();
  for (const [index, name] of names.entries()) {
    expect(Object.keys(before[name] ?? {}).sort()).toEqual(columns[name].states.filter(isFormerState).sort());
    expect(after[name]).toEqual({ ...before[name], odd: finalStates[index] });
  }
});

test('an unknown state becomes final, and recordings, assets and tasks get an error message', async () => {
  const { rows: sessions } = await client.query(
    `select "state"::text, "recording"::text, "recordingError", "endedAt" is not null as ended from "Session"
      where "name" = 'odd' order by "state"::text`,
  );
  expect(sessions).toEqual([
    { state: 'ended', recording: 'none', recordingError: null, ended: true },
    {
      state: 'live',
      recording: 'failed',
      ended: false,
      recordingError: 'The recording was in an unknown state: odd',
    },
  ]);
  const { rows: work } = await client.query(
    `select "errorMessage" from "Asset" where "name" = 'odd' union all select "errorMessage" from "Task" where "type" = 'odd'`,
  );
  expect(work).toEqual([
    { errorMessage: 'The asset was in an unknown phase: odd' },
    { errorMessage: 'The task was in an unknown phase: odd' },
  ]);
});

test('the columns are enums with the states of their state machine, in alphabetical order', async () => {
  for (const [index, name] of names.entries()) {
    const [table, column] = name.split('.');
    const { rows } = await client.query<{ values: string[]; preset: string | null }>(
      `select array_agg(e.enumlabel::text order by e.enumsortorder) as values, max(c.column_default) as preset
        from information_schema.columns c join pg_type t on t.typname = c.udt_name
        join pg_enum e on e.enumtypid = t.oid where c.table_name = $1 and c.column_name = $2`,
      [table, column],
    );
    expect(rows[0]?.values).toEqual([...columns[name].states].sort());
    expect(rows[0]?.preset?.split('::')[0] ?? null).toBe(defaults[index]);
  }
});
