import { expect, test } from 'vitest';
import { createEmptySums, mergeSums } from '@/lib/core/audience/audience-sums';
import { startupBounds, percentileOf } from '@/lib/core/audience/histogram';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { newId } from '@/lib/infra/ids';
import { deleteStream, reportStalling } from '@/lib/domain/streams';
import { type AudienceMinute, explainStalls, recordAudience, mergeOldAudience } from '@/lib/domain/audience';
import { startRestrictedOrigin } from '@/media-worker/delivery/origin/testing/restricted-origin';

const { ctx, db, createOwner, eventsOf, createStreamWithPolicy, port, writeAudience } =
  await startRestrictedOrigin(await createTestDatabase());

const userAgent = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1';
const report = async (playbackId: string, lines: readonly string[]) => {
  const answer = await fetch(`http://127.0.0.1:${port}/cmcd/${playbackId}`, {
    method: 'POST',
    headers: { 'User-Agent': userAgent },
    body: lines.join('\n'),
  });
  return answer.status;
};
/** A line of a CMCD report. States: starting, playing, rebuffering, ended. */
const line = (session: string, sequence: number, state: string, timeMs: number) =>
  `e=ps,sid="${session}",sn=${sequence},sta=${state},ts=${timeMs}`;

const rowsOf = (objectId: string) =>
  db.audiencePeriod.findMany({ where: { objectId }, orderBy: { startsAt: 'asc' } });

test('a thousand views add up, and the stored rows contain no session id, address or user agent', async () => {
  const owner = await createOwner();
  const { id, playbackId } = await createStreamWithPolicy(owner, null);
  const sessions = Array.from({ length: 1_000 }, (_, index) => ({
    name: `viewer-${index}-secret`,
    startupMs: 200 + ((index * 37) % 3_000),
    stallMs: index % 4 === 0 ? 500 + ((index * 53) % 4_000) : 0,
    playedMs: 20_000 + ((index * 71) % 40_000),
  }));
  const lines = sessions.map(({ name, startupMs, stallMs, playedMs }) => {
    const stallStartMs = 1_000 + startupMs + playedMs;
    return [
      line(name, 1, 's', 1_000),
      line(name, 2, 'p', 1_000 + startupMs),
      ...(stallMs > 0 ? [line(name, 3, 'r', stallStartMs), line(name, 4, 'p', stallStartMs + stallMs)] : []),
      line(name, 5, 'e', stallStartMs + stallMs),
    ];
  });
  // A request body has at most 200 lines.
  for (let start = 0; start < lines.length; start += 40)
    expect(await report(playbackId, lines.slice(start, start + 40).flat())).toBe(204);
  await writeAudience();
  const rows = await rowsOf(id);
  const total = (
    column: 'views' | 'startups' | 'startupMs' | 'stalls' | 'stallMs' | 'playedMs' | 'stalledViews',
  ) => rows.reduce((sum, row) => sum + Number(row[column]), 0);
  const knownCount = (column: 'startupMs' | 'stallMs' | 'playedMs') =>
    sessions.reduce((sum, session) => sum + session[column], 0);
  expect([total('views'), total('startups'), total('stalls'), total('stalledViews')]).toEqual([
    1_000, 1_000, 250, 250,
  ]);
  expect([total('startupMs'), total('stallMs'), total('playedMs')]).toEqual([
    knownCount('startupMs'),
    knownCount('stallMs'),
    knownCount('playedMs'),
  ]);
  const sums = mergeSums(
    rows.map(({ startupTimes }) => ({ ...createEmptySums(), startupTimes, startsAt: 0 })),
  );
  // Evenly distributed from 200 to 3,200 ms.
  expect(percentileOf(sums.startupTimes, startupBounds, 0.5)).toBeGreaterThan(1_500);
  expect(percentileOf(sums.startupTimes, startupBounds, 0.5)).toBeLessThan(1_900);
  expect(
    rows.map(({ players, devices }) => [Object.keys(players as object), Object.keys(devices as object)]),
  ).toEqual(rows.map(() => [['safari'], ['mobile']]));
  const [allRows] = await db.$queryRaw<{ text: string }[]>`
    select string_agg(to_jsonb(p)::text, ' ') as text from "AudiencePeriod" p`;
  for (const secret of ['secret', 'viewer-', '127.0.0.1', 'Mozilla', 'iPhone'])
    expect(allRows?.text).not.toContain(secret);
});

test('a team that has disabled reports gets none', async () => {
  const owner = await createOwner();
  const { id, playbackId } = await createStreamWithPolicy(owner, null);
  await db.team.update({ where: { id: owner.ctx.actor.teamId }, data: { viewerReports: false } });
  expect(await report(playbackId, [line('a', 1, 'p', 1_000)])).toBe(410);
  await writeAudience();
  expect(await rowsOf(id)).toEqual([]);
});

const HOUR_MS = 3_600_000;

test('minutes of a day long ago become one row, despite repeated writes, concurrent merges and a late report; a deleted stream has no rows', async () => {
  const owner = await createOwner();
  const { id } = await createStreamWithPolicy(owner, null);
  const { teamId } = owner.ctx.actor;
  const dayStart = Math.floor((Date.now() - 100 * 24 * HOUR_MS) / (24 * HOUR_MS)) * 24 * HOUR_MS;
  const createMinute = (index: number, views: number, peak: number): AudienceMinute => ({
    ...createEmptySums(),
    teamId,
    objectId: id,
    startsAt: dayStart + index * 60_000,
    views,
    peak,
    playedMs: 5_000,
    startupTimes: [0, views],
    heights: { 720: 5_000 },
    countries: { DE: { views } },
  });
  const [firstId, secondId] = [newId(), newId()];
  // A minute is written again when it changes, and when its writer could not confirm the last write.
  for (const views of [1, 2, 2])
    await recordAudience(ctx, firstId, [createMinute(0, views, 3), createMinute(1, 5, 4)]);
  await recordAudience(ctx, secondId, [createMinute(0, 7, 6)]);
  const recentMinute = createMinute(100 * 24 * 60, 9, 9);
  await recordAudience(ctx, firstId, [recentMinute]);
  await Promise.all([mergeOldAudience(ctx), mergeOldAudience(ctx)]);
  await recordAudience(ctx, firstId, [createMinute(90, 1, 2)]);
  await mergeOldAudience(ctx);
  const [mergedDay, recentRow, ...otherRows] = await rowsOf(id);
  expect(otherRows).toEqual([]);
  expect(recentRow).toMatchObject({ seconds: 60, views: 9 });
  expect(mergedDay).toMatchObject({
    seconds: 86_400,
    startsAt: new Date(dayStart),
    // 2 + 5 + 7 + 1; the peak adds the first minutes of both origins.
    views: 15,
    peak: 9,
    playedMs: 20_000n,
    startupTimes: [0, 15],
    heights: { 720: 20_000 },
    countries: { DE: { views: 15 } },
  });
  await deleteStream(owner.ctx, id);
  expect(await rowsOf(id)).toEqual([]);
  await recordAudience(ctx, firstId, [recentMinute]);
  expect(await rowsOf(id)).toEqual([]);
});

test('stalls are explained by facts of the same minute', async () => {
  const owner = await createOwner();
  const { teamId } = owner.ctx.actor;
  const startsAt = Math.floor(Date.now() / 60_000) * 60_000 - 120_000;
  const stallFields = { stalls: 10, stallMs: 40_000, stalledViews: 9, peak: 12 };
  const createMinute = (objectId: string, change: object = {}): AudienceMinute => ({
    ...createEmptySums(),
    teamId,
    objectId,
    startsAt,
    ...stallFields,
    ...change,
  });
  const [silentStream, steadyStream] = [
    await createStreamWithPolicy(owner, null),
    await createStreamWithPolicy(owner, null),
  ];
  const createSamples = (streamId: string, hasSample: (second: number) => boolean) =>
    Array.from({ length: 20 }, (_, index) => index * 5 - 18)
      .filter(hasSample)
      .map((second) => ({
        streamId,
        sessionId: newId(),
        at: new Date(startsAt + second * 1_000),
        minute: false,
        bitrate: 4e6,
        videoBitrate: 4e6,
        audioBitrate: 0,
        reorder: 0,
        jumps: 0,
        speed: 1,
      }));
  await db.streamHealth.createMany({
    data: [
      ...createSamples(silentStream.id, (second) => second < 10 || second > 30),
      ...createSamples(steadyStream.id, () => true),
    ],
  });
  await recordAudience(ctx, newId(), [
    createMinute(silentStream.id),
    createMinute(steadyStream.id, { slowStalls: 8 }),
  ]);
  await explainStalls(ctx);
  // A report by another origin adds to the minute.
  await recordAudience(ctx, newId(), [createMinute(silentStream.id)]);
  await explainStalls(ctx);
  const stallRows = await db.stallMinute.findMany({ where: { teamId }, orderBy: { stalls: 'desc' } });
  expect(stallRows).toMatchObject([
    {
      objectId: silentStream.id,
      cause: 'encoder_silent',
      measure: 20_000,
      stalls: 20,
      stallMs: 80_000n,
      viewers: 24,
    },
    { objectId: steadyStream.id, cause: 'viewer_connection', measure: null, stalls: 10 },
  ]);
  await db.stream.updateMany({ where: { id: silentStream.id }, data: { isActive: true } });
  await Promise.all([reportStalling(ctx), reportStalling(ctx)]);
  await reportStalling(ctx);
  // Two origins have 12 viewers each, and 9 of them stalled.
  expect((await eventsOf(silentStream.id)).map(({ name, payload }) => [name, payload])).toMatchObject([
    ['stream.viewers_stalling', { payload: { cause: 'encoder_silent', share: 0.75, viewers: 24 } }],
  ]);
  expect(await eventsOf(steadyStream.id)).toEqual([]);
});
