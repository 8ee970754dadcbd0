import { beforeAll, describe, expect, test } from 'vitest';
import type { Stream } from '@/lib/contract/streams/stream';
import { encodeCursor } from '@/lib/core/lists/cursor';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { openTestApi, type Person } from '@/app/api/testing/test-api';

const api = openTestApi(await createTestDatabase());
const { db } = api.services;
const DAY_MS = 86_400_000;
const startMs = Date.UTC(2026, 0, 1);

/** Columns of a stream. Times are ms since 1970. */
interface StreamColumns {
  readonly name: string;
  readonly lastSeen?: number;
  readonly createdAt?: number;
  readonly [column: string]: unknown;
}

let streamCount = 0;

async function insertStreams(person: Person, rows: readonly StreamColumns[]): Promise<void> {
  const data = rows.map(({ lastSeen, createdAt = startMs, ...row }) => ({
    ...row,
    teamId: person.teamId,
    playbackId: (streamCount += 1).toString(36).padStart(16, '0'),
    createdAt: new Date(createdAt),
    lastSeen: lastSeen === undefined ? null : new Date(lastSeen),
  }));
  for (let offset = 0; offset < data.length; offset += 1_000) {
    await db.stream.createMany({ data: data.slice(offset, offset + 1_000) });
  }
}

async function listStreams(
  person: Person,
  query = '',
): Promise<{ response: Response; names: string[]; streams: Stream[] }> {
  const response = await api.request('GET', `/api/stream${query}`, { key: person.key });
  const streams = response.status === 200 ? ((await response.clone().json()) as Stream[]) : [];
  return { response, streams, names: streams.map(({ name }) => name) };
}

const filters = (value: unknown) => `?filters=${encodeURIComponent(JSON.stringify(value))}`;

function nextUrlOf(response: Response): string | null {
  const link = response.headers.get('link');
  if (link === null) return null;
  expect(link).toMatch(/^<http:\/\/localhost:3000\/api\/stream\?[^>]*cursor=[\w-]+[^>]*>; rel="next"$/);
  return new URL(link.slice(1, link.indexOf('>'))).search;
}

describe('order, filters and options', () => {
  let ada: Person;

  beforeAll(async () => {
    ada = await api.createPerson('ada');
    await insertStreams(ada, [
      { name: 'never b', createdAt: startMs + DAY_MS },
      { name: 'never a', createdAt: startMs - DAY_MS / 2 },
      { name: 'early', lastSeen: startMs, isActive: true, creatorId: 'Ada-1' },
      {
        name: 'late 100%',
        lastSeen: startMs + 5 * DAY_MS,
        record: true,
        sourceSegments: 10,
        sourceSegmentsDuration: 20.5,
      },
      { name: 'same_A', lastSeen: startMs + DAY_MS, createdAt: startMs + 1, isHealthy: true },
      {
        name: 'same_b',
        lastSeen: startMs + DAY_MS,
        createdAt: startMs + 2,
        isHealthy: false,
        suspended: true,
      },
    ]);
    const parent = await db.stream.findFirstOrThrow({ where: { teamId: ada.teamId, name: 'early' } });
    await insertStreams(ada, [{ name: 'child', parentId: parent.id, lastSeen: startMs - DAY_MS }]);
    await insertStreams(await api.createPerson('other'), [
      { name: 'not hers', lastSeen: startMs + 9 * DAY_MS },
    ]);
    await insertStreams(ada, [{ name: 'deleted', deletedAt: new Date() }]);
  });

  const all = ['late 100%', 'never b', 'same_b', 'same_A', 'early', 'never a', 'child'];

  test('the streams of the team are listed by their last media, or by their creation if they were never live, newest first', async () => {
    expect((await listStreams(ada)).names).toEqual(all);
  });

  test.each<[string, string[]]>([
    ['?streamsonly=1', all.filter((name) => name !== 'child')],
    ['?streamsonly=false', all],
    ['?streamsonly=', all],
    ['?sessionsonly=1', ['child']],
    ['?active=1', ['early']],
    ['?order=name-false&streamsonly=1', ['early', 'late 100%', 'never a', 'never b', 'same_A', 'same_b']],
    ['?order=createdAt-true,unknown-true,name-false&limit=1', ['never b']],
    ['?order=unknown-true', all],
    ['?order=lastSeen-false&streamsonly=1', ['early', 'same_A', 'same_b', 'late 100%', 'never a', 'never b']],
    [
      '?order=lastLive-false,createdAt-true&streamsonly=1',
      ['early', 'same_b', 'same_A', 'late 100%', 'never b', 'never a'],
    ],
    ['?order=creatorId-true&limit=1', ['early']],
    ['?name=asc&limit=1', ['child']],
    ['?name=anything&limit=1', ['child']],
    ['?name=desc&limit=1', ['same_b']],
  ])('GET /api/stream%s lists the streams that match, in order', async (query, expected) => {
    const { names } = await listStreams(ada, query);
    expect(names.length).toBe(expected.length);
    // Rows that are equal in the requested order are sorted by id.
    if (query.includes('lastSeen-false')) expect([...names].sort()).toEqual([...expected].sort());
    else expect(names.map((name) => name.toLowerCase())).toEqual(expected.map((name) => name.toLowerCase()));
  });

  test.each<[string, unknown, string[]]>([
    ['active streams', [{ id: 'isActive', value: true }], ['early']],
    ['idle streams', [{ id: 'isActive', value: false }], all.filter((name) => name !== 'early')],
    ['recorded streams', [{ id: 'record', value: true }], ['late 100%']],
    [
      'all filters combined',
      [
        { id: 'record', value: true },
        { id: 'isActive', value: true },
      ],
      [],
    ],
    ['text, whatever its case', [{ id: 'name', value: 'SAME' }], ['same_b', 'same_A']],
    ['text with a LIKE wildcard', [{ id: 'name', value: '0%' }], ['late 100%']],
    ['text with an underscore', [{ id: 'name', value: 'r_a' }], []],
    ['text with a backslash', [{ id: 'name', value: '\\' }], []],
    ['a number', [{ id: 'sourceSegments', value: 10 }], ['late 100%']],
    ['bounds', [{ id: 'sourceSegmentsDuration', value: { gt: 20, lte: 20.5 } }], ['late 100%']],
    [
      'times',
      [{ id: 'lastSeen', value: { gte: startMs + DAY_MS, lt: startMs + 2 * DAY_MS } }],
      ['same_b', 'same_A'],
    ],
    [
      'a missing boolean as false',
      [{ id: 'isHealthy', value: false }],
      all.filter((name) => name !== 'same_A'),
    ],
    ['creatorId', [{ id: 'creatorId', value: 'ada-1' }], ['early']],
    ['a malformed id', [{ id: 'id', value: 'x' }], []],
    ['nothing at all', [], all],
  ])('the filter for %s lists the streams that match', async (_, value, expected) => {
    expect((await listStreams(ada, filters(value))).names).toEqual(expected);
  });

  test.each<[string, string]>([
    ['malformed JSON', '?filters=[{'],
    ['an object', '?filters={}'],
    ['text', '?filters=%22x%22'],
    ['an unknown field', filters([{ id: 'streamKeyHash', value: 'x' }])],
    ['an inherited field', filters([{ id: 'constructor', value: 'x' }])],
    ['no value', filters([{ id: 'record' }])],
    ['a string for a boolean field', filters([{ id: 'isActive', value: 'true' }])],
    ['a null', filters([{ id: 'record', value: null }])],
    ['an unknown comparison', filters([{ id: 'lastSeen', value: { like: 1 } }])],
    ['a huge number', filters([{ id: 'sourceSegments', value: 1e300 }])],
    ['a lone surrogate', '?filters=[{"id":"name","value":"\\ud800"}]'],
    ['a NUL', '?filters=[{"id":"name","value":"\\u0000"}]'],
    ['more than 20 filters', filters(Array.from({ length: 21 }, () => ({ id: 'record', value: true })))],
    ['a malformed cursor', '?cursor=skip20'],
    ['a cursor of another order', `?order=name-false&cursor=${btoa('["id+","x"]')}`],
    ['a cursor with wrong types', `?cursor=${btoa('["lastSeen-createdAt-id+","x","y","z"]')}`],
  ])('%s is rejected with 400', async (_, query) => {
    expect((await listStreams(ada, query)).response.status).toBe(400);
  });

  test.each(['0', '-1', 'x', '1.5', '1e3'])('limit=%s is rejected with 422', async (limit) => {
    expect((await listStreams(ada, `?limit=${limit}`)).response.status).toBe(422);
  });

  test('the count is the total of all pages, and 0 for an empty list', async () => {
    expect((await listStreams(ada, '?limit=2&count=1')).response.headers.get('x-total-count')).toBe('7');
    expect((await listStreams(ada, '?limit=2')).response.headers.get('x-total-count')).toBeNull();
    const emptyList = await listStreams(ada, `${filters([{ id: 'name', value: 'nothing' }])}&count=1`);
    expect(emptyList.response.headers.get('x-total-count')).toBe('0');
    expect(emptyList.streams).toEqual([]);
  });

  test('a cursor of another team shows no rows of that team', async () => {
    const other = await api.createPerson('reader');
    const next = nextUrlOf((await listStreams(ada, '?limit=1')).response);
    expect((await listStreams(other, next ?? '')).names).toEqual([]);
  });
});

describe('a list without a limit', () => {
  test('returns all rows, and a new stream before sessions of older ones', async () => {
    const person = await api.createPerson('whole');
    await insertStreams(person, [{ name: 'parent', lastSeen: startMs + DAY_MS }]);
    const { id: parentId } = await db.stream.findFirstOrThrow({ where: { teamId: person.teamId } });
    await insertStreams(
      person,
      Array.from({ length: 123 }, (_, n) => ({ name: `child ${n}`, parentId, lastSeen: startMs + n })),
    );
    await insertStreams(person, [{ name: 'new', createdAt: startMs + 2 * DAY_MS }]);
    const { response, names } = await listStreams(person);
    // The parent, its 123 children and the new stream.
    expect(names.length).toBe(125);
    expect(names.slice(0, 3)).toEqual(['new', 'parent', 'child 122']);
    expect(response.headers.get('link')).toBeNull();
    expect((await listStreams(person, '?streamsonly=1')).names).toEqual(['new', 'parent']);
  });

  test('a cursor continues after its row in the order that it carries', async () => {
    const person = await api.createPerson('midway');
    await insertStreams(person, [
      { name: 'seen', lastSeen: startMs },
      { name: 'never a', createdAt: startMs + 1 },
      { name: 'never b', createdAt: startMs + 2 },
    ]);
    const { id } = await db.stream.findFirstOrThrow({ where: { teamId: person.teamId, name: 'seen' } });
    const cursor = encodeCursor('lastSeen-createdAt-id+', [startMs, startMs, id]);
    expect((await listStreams(person, `?cursor=${cursor}`)).names).toEqual(['never b', 'never a']);
  });
});

describe('paging', () => {
  test('while 1,000 rows are read and others are added, none is lost or repeated, and the first page uses an index', async () => {
    const person = await api.createPerson('pager');
    const rows = Array.from({ length: 1_000 }, (_, index) => ({
      name: `row ${index}`,
      ...(index % 3 === 0 ? {} : { lastSeen: startMs + (index % 50) * DAY_MS }),
      createdAt: startMs + (index % 100),
    }));
    await insertStreams(person, rows);
    const occurrencesByName = new Map<string, number>();
    let query: string | null = '?limit=50';
    while (query !== null) {
      const { response, names } = await listStreams(person, query);
      for (const name of names) occurrencesByName.set(name, (occurrencesByName.get(name) ?? 0) + 1);
      await insertStreams(person, [{ name: `new ${String(streamCount)}`, lastSeen: startMs + 60 * DAY_MS }]);
      query = nextUrlOf(response);
    }
    expect([...occurrencesByName.values()].filter((occurrences) => occurrences !== 1)).toEqual([]);
    expect([...occurrencesByName.keys()].filter((name) => name.startsWith('row')).length).toBe(1_000);

    await db.$executeRaw`analyze "Stream"`;
    const plan = await db.$queryRaw<{ 'QUERY PLAN': string }[]>`
      explain select * from "Stream" where "teamId" = ${person.teamId}::uuid and "deletedAt" is null
      order by "listedAt" desc, "createdAt" desc, "id" asc limit 21`;
    const text = plan.map((line) => line['QUERY PLAN']).join('\n');
    expect(text).toContain('Index Scan');
    expect(text).not.toContain('Sort');
  });

  test.each([
    'name-true',
    'isActive-true',
    'isHealthy-false,sourceSegmentsDuration-true',
    'lastSeen-false',
    'parentId-true',
  ])('order %s visits every row once, in the order of a single large page', async (order) => {
    const person = await api.createPerson('sorter');
    await insertStreams(person, [{ name: 'parent' }]);
    const { id: parent } = await db.stream.findFirstOrThrow({ where: { teamId: person.teamId } });
    await insertStreams(
      person,
      Array.from({ length: 30 }, (_, index) => ({
        name: `n${index % 4}`,
        isActive: index % 2 === 0,
        isHealthy: [true, false, null][index % 3],
        sourceSegmentsDuration: (index % 5) / 3,
        ...(index % 3 === 0 ? {} : { lastSeen: startMs + (index % 4) * DAY_MS }),
        ...(index % 2 === 0 ? {} : { parentId: parent }),
      })),
    );
    const allIds = (await listStreams(person, `?order=${order}`)).streams.map(({ id }) => id);
    const pagedIds: string[] = [];
    let query: string | null = `?order=${order}&limit=7`;
    while (query !== null) {
      const { response, streams } = await listStreams(person, query);
      pagedIds.push(...streams.map(({ id }) => id));
      query = nextUrlOf(response);
    }
    expect(pagedIds).toEqual(allIds);
    // 30 rows and the parent.
    expect(new Set(pagedIds).size).toBe(31);
  });

  test('a last page that is exactly full has no next link', async () => {
    const person = await api.createPerson('full');
    await insertStreams(person, [{ name: 'a' }, { name: 'b' }]);
    expect((await listStreams(person, '?limit=2')).response.headers.get('link')).toBeNull();
    expect((await listStreams(person, '?limit=5000')).names.length).toBe(2);
  });
});
