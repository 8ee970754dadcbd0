import { beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { openTestApi } from './testing/test-api';

/** Every list has an index for its default order, and pages through 10,000 rows neither lose nor repeat rows. */
const api = openTestApi(await createTestDatabase());
const { db } = api.services;
const ada = await api.createPerson('ada');
const ROW_COUNT = 10_000;

/**
 * Inserts deterministic rows, many of which differ only in their id.
 * @returns the id of the stream that has the sessions
 */
async function insertRows(teamId: string): Promise<string> {
  const parent = await db.stream.create({ data: { teamId, name: 'parent', playbackId: 'p'.repeat(16) } });
  await db.$executeRaw`
    insert into "Session" ("id", "teamId", "parentId", "name", "playbackId", "lastSeen", "createdAt",
      "sourceSegmentsDuration", "record", "state")
    select gen_random_uuid(), ${teamId}::uuid, ${parent.id}::uuid, 's' || n, ${parent.playbackId},
      case when n % 3 = 0 then null else timestamptz '2026-01-01' + (n % 50) * interval '1 day' end,
      timestamptz '2026-01-01' + (n % 100) * interval '1 second',
      case when n % 3 = 0 then 0 else 5 end, n % 2 = 0, 'ended'
    from generate_series(1, ${ROW_COUNT}::int) as n`;
  await db.$executeRaw`
    insert into "MultistreamTarget" ("id", "teamId", "name", "urlSealed")
    select gen_random_uuid(), ${teamId}::uuid, 't' || n, ''::bytea from generate_series(1, ${ROW_COUNT}::int) as n`;
  // The sessions of the stream. The assets and tasks below get one row for each session.
  await db.$executeRaw`
    insert into "Stream" ("id", "teamId", "parentId", "name", "playbackId", "lastSeen", "createdAt")
    select "id", "teamId", "parentId", "name", substr(md5("id"::text), 1, 16), "lastSeen", "createdAt"
    from "Session" where "teamId" = ${teamId}::uuid`;
  await db.$executeRaw`
    insert into "Stream" ("id", "teamId", "name", "playbackId", "createdAt")
    select gen_random_uuid(), ${teamId}::uuid, 'parent ' || n, 'parent-' || n,
      timestamptz '2025-01-01' + n * interval '1 minute'
    from generate_series(1, 1000) as n`;
  await db.$executeRaw`
    insert into "Asset" ("id", "teamId", "name", "playbackId", "phase", "sourceType", "createdAt", "statusUpdatedAt")
    select "id", "teamId", "name", substr(md5("id"::text), 1, 16), 'waiting', 'directUpload', "createdAt", "createdAt"
    from "Session" where "teamId" = ${teamId}::uuid`;
  await db.$executeRaw`
    insert into "Task" ("id", "teamId", "type", "params", "createdAt")
    select "id", "teamId", 'import', '{}', "createdAt" from "Session" where "teamId" = ${teamId}::uuid`;
  // Each stream of a session refers to one target.
  await db.$executeRaw`
    insert into "StreamTarget" ("streamId", "targetId", "profile", "position")
    select stream."id", target."id", 'source', 0
    from (select "id", row_number() over () as n from "Stream" where "parentId" = ${parent.id}::uuid) stream
    join (select "id", row_number() over () as n from "MultistreamTarget" where "teamId" = ${teamId}::uuid) target
      using (n)`;
  return parent.id;
}

async function addRows(teamId: string, parentId: string, page: number): Promise<void> {
  await db.session.create({
    data: {
      teamId,
      parentId,
      name: `new ${page}`,
      playbackId: 'x'.repeat(16),
      lastSeen: new Date(),
      sourceSegmentsDuration: 1,
    },
  });
  await db.multistreamTarget.create({ data: { teamId, name: `new ${page}`, urlSealed: Buffer.alloc(0) } });
}

let parentId: string;

beforeAll(async () => {
  parentId = await insertRows(ada.teamId);
  // With rows of another team in the tables, a plan that does not use the index of the team is slow.
  const eve = await api.createPerson('eve');
  await db.$executeRaw`
    insert into "MultistreamTarget" ("id", "teamId", "name", "urlSealed")
    select gen_random_uuid(), ${eve.teamId}::uuid, 't' || n, ''::bytea from generate_series(1, ${ROW_COUNT}::int) as n`;
  await db.$executeRaw`analyze`;
});

describe.each<[string, () => string, number]>([
  ['sessions', () => '/api/session', ROW_COUNT],
  ['sessions of a stream', () => `/api/stream/${parentId}/sessions`, ROW_COUNT - Math.floor(ROW_COUNT / 3)],
  ['targets', () => '/api/multistream/target', ROW_COUNT],
])('%s', (_, path, expectedCount) => {
  test('pages through 10,000 rows while rows are added, without losing or repeating any', async () => {
    const occurrencesByName = new Map<string, number>();
    let nextUrl: string | null = `${path()}?limit=1000`;
    for (let page = 0; nextUrl !== null; page += 1) {
      const response: Response = await api.request('GET', nextUrl, { key: ada.key });
      for (const { name } of (await response.json()) as { name: string }[]) {
        if (!name.startsWith('new')) occurrencesByName.set(name, (occurrencesByName.get(name) ?? 0) + 1);
      }
      await addRows(ada.teamId, parentId, page);
      const link = response.headers.get('link');
      nextUrl = link === null ? null : link.slice(1, link.indexOf('>'));
    }
    expect(occurrencesByName.size).toBe(expectedCount);
    expect([...occurrencesByName.values()].filter((occurrences) => occurrences !== 1)).toEqual([]);
  });
});

test.each(['/api/stream', '/api/session', '/api/task', '/api/asset', '/api/multistream/target'])(
  '%s without a limit returns its first 10,000 rows',
  async (path) => {
    const response = await api.request('GET', path, { key: ada.key });
    expect(await response.json()).toHaveLength(ROW_COUNT);
  },
);

describe('the query plan of the first page', () => {
  async function planOf(sql: string, ...values: string[]): Promise<string> {
    const planRows = await db.$queryRawUnsafe<{ 'QUERY PLAN': string }[]>(`explain ${sql}`, ...values);
    return planRows.map((planRow) => planRow['QUERY PLAN']).join('\n');
  }
  const orderByNewest = 'order by "listedAt" desc, "createdAt" desc, "id" asc limit 21';

  test.each<[string, string, () => string[], string]>([
    [
      'sessions',
      `select * from "Session" where "teamId" = $1::uuid ${orderByNewest}`,
      () => [ada.teamId],
      'Session_teamId_listedAt_createdAt_id_idx',
    ],
    [
      'sessions of a stream',
      `select * from "Session" where "teamId" = $1::uuid and "parentId" = $2::uuid and "lastSeen" is not null
        and "sourceSegmentsDuration" > 0 ${orderByNewest}`,
      () => [ada.teamId, parentId],
      'Session_parentId_listedAt_createdAt_id_idx|Session_teamId_listedAt_createdAt_id_idx',
    ],
    [
      'streams',
      `select * from "Stream" where "teamId" = $1::uuid and "deletedAt" is null ${orderByNewest}`,
      () => [ada.teamId],
      'Stream_teamId_listedAt_createdAt_id_idx',
    ],
    [
      'parent streams behind 10,000 of their children',
      `select * from "Stream" where "teamId" = $1::uuid and "deletedAt" is null and "parentId" is null ${orderByNewest}`,
      () => [ada.teamId],
      'Stream_parents_listedAt_idx',
    ],
    [
      'the newest parent streams',
      `select * from "Stream" where "teamId" = $1::uuid and "deletedAt" is null and "parentId" is null
        order by "createdAt" desc, "id" asc limit 6`,
      () => [ada.teamId],
      'Stream_parents_createdAt_idx',
    ],
    [
      'assets',
      `select * from "Asset" where "teamId" = $1::uuid and "deletedAt" is null
        order by "statusUpdatedAt" desc, "createdAt" desc, "id" asc limit 21`,
      () => [ada.teamId],
      'Asset_teamId_statusUpdatedAt_createdAt_id_idx',
    ],
    [
      'tasks',
      `select * from "Task" where "teamId" = $1::uuid and "deletedAt" is null
        order by "createdAt" desc, "id" asc limit 21`,
      () => [ada.teamId],
      'Task_teamId_createdAt_id_idx',
    ],
    [
      'targets',
      'select * from "MultistreamTarget" where "teamId" = $1::uuid and "deletedAt" is null order by "id" limit 21',
      () => [ada.teamId],
      'MultistreamTarget_teamId_id_idx',
    ],
    [
      'references of a page of streams',
      'select * from "StreamTarget" where "streamId" in ($1::uuid, $2::uuid)',
      () => [parentId, ada.teamId],
      'StreamTarget_pkey',
    ],
  ])('of %s uses an index without sorting', async (_, sql, values, index) => {
    const plan = await planOf(sql, ...values());
    expect(plan).toMatch(new RegExp(index));
    expect(plan).not.toContain('Sort');
  });
});
