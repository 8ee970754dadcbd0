import { Client } from 'pg';
import { afterAll, expect, test } from 'vitest';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { migrate, readMigrations } from './migrate';

const url = await createTestDatabase();
const client = new Client({ connectionString: url });
await client.connect();
afterAll(() => client.end());

const ada = '11111111-1111-4111-8111-111111111111';
const eve = '22222222-2222-4222-8222-222222222222';
const tables = [
  'ApiKey',
  'Asset',
  'DeliveredDay',
  'Event',
  'IdempotentRequest',
  'MultistreamTarget',
  'Session',
];
const otherTables = ['Stream', 'Task', 'Webhook', 'WebhookAttempt'];

test('every account becomes the owner of a team with its id, which gets the objects of the account', async () => {
  await client.query('drop schema public cascade');
  await client.query('create schema public');
  const migrations = await readMigrations();
  const index = migrations.findIndex(({ name }) => name.endsWith('_teams'));
  await migrate(url, migrations.slice(0, index));
  await client.query(`
    insert into "Account" ("id", "email", "passwordHash", "suspended", "deletedAt", "brandName", "brandLogo") values
      ('${ada}', 'ada@example.com', '', false, null, 'Ada TV', 'a.png'),
      ('${eve}', 'deleted:${eve}', '', true, now(), null, null);
    insert into "Stream" ("id", "userId", "name", "playbackId") values ('${eve}', '${ada}', 's', 's');
    insert into "Session" ("id", "userId", "parentId", "name", "playbackId") values ('${ada}', '${ada}', '${eve}', 's', 's');
    insert into "ApiKey" ("id", "userId", "name", "secretHash", "secretSealed", "last4")
      values ('${ada}', '${ada}', 'k', 'k', 'k', 'last');
    insert into "Asset" ("userId", "id", "name", "playbackId", "sourceType") values ('${ada}', '${ada}', 'a', 'a', 'url');
    insert into "Task" ("userId", "id", "type", "params") values ('${ada}', '${ada}', 'import', '{}');
    insert into "MultistreamTarget" ("userId", "id", "name", "urlSealed") values ('${ada}', '${ada}', 't', '');
    insert into "Webhook" ("userId", "id", "name", "url", "secretSealed") values ('${ada}', '${ada}', 'w', 'w', '');
    insert into "Event" ("userId", "id", "name", "payload") values ('${ada}', '${ada}', 'e', '{}');
    insert into "WebhookDelivery" ("id", "eventId", "webhookId") values ('${ada}', '${ada}', '${ada}');
    insert into "WebhookAttempt" ("userId", "id", "webhookId", "deliveryId", "event", "attempt")
      values ('${ada}', '${ada}', '${ada}', '${ada}', 'e', 1);
    insert into "IdempotentRequest" ("userId", "key", "fingerprint") values ('${ada}', 'k', '');
    insert into "DeliveredDay" ("userId", "day", "objectId", "nodeId", "bytes", "seconds", "batch")
      values ('${ada}', '2026-01-01', '${ada}', '${ada}', 1, 1, 1);
    insert into "AuditEntry" ("id", "userId", "actor", "action") values
      (gen_random_uuid(), '${ada}', 'session', 'a'), (gen_random_uuid(), '${ada}', 'key:k', 'b'),
      (gen_random_uuid(), null, 'system', 'c');`);

  expect((await migrate(url))[0]).toMatch(/_teams$/);

  const { rows: teams } = await client.query(
    `select t."id", t."name", t."suspended", t."deletedAt" is not null as deleted, t."brandName", t."brandLogo",
      m."userId", m."role"::text from "Team" t join "TeamMember" m on m."teamId" = t."id" order by t."id"`,
  );
  expect(teams).toMatchObject([
    {
      id: ada,
      name: 'ada',
      suspended: false,
      deleted: false,
      brandName: 'Ada TV',
      brandLogo: 'a.png',
      userId: ada,
    },
    { id: eve, suspended: true, deleted: true, brandName: null, userId: eve, role: 'owner' },
  ]);
  for (const table of [...tables, ...otherTables]) {
    expect((await client.query(`select "teamId" from "${table}"`)).rows, table).toEqual([{ teamId: ada }]);
  }
  const { rows: log } = await client.query('select "teamId", "userId" from "AuditEntry" order by "action"');
  expect(log).toEqual([
    { teamId: ada, userId: ada },
    { teamId: ada, userId: null },
    { teamId: null, userId: null },
  ]);
  await client.query(`delete from "Team" where "id" = '${ada}'`);
  for (const table of tables.filter((name) => name !== 'IdempotentRequest')) {
    expect((await client.query(`select from "${table}"`)).rows, table).toEqual([]);
  }
});
