import { expect, test } from 'vitest';
import {
  explainReport,
  createPlaybackReport,
  expirePlaybackReports,
  readPlaybackReport,
} from '@/lib/domain/audience';
import { createPlaybackToken } from '@/lib/domain/access';
import type { AccountContext, Context, TeamContext } from '@/lib/domain/context';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import { createTestDatabase } from '@/lib/infra/testing/test-database';

const { ctx, db, createTeam, createStream } = createLiveFixtures(await createTestDatabase());
const userAgent = 'Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36';
const viewer: Context = { ...ctx, actor: { kind: 'anonymous', ip: '203.0.113.7', userAgent } };
/**
 * A view in CMCD: play start (state `s`) at 1 s, playing (`p`) from 1.8 s, rebuffering (`r`) from 61.8 s to 66 s. The start
 * takes 800 ms, the stall 4,200 ms.
 */
const lines = [
  'e=ps,sid="secret-view",sn=1,sta=s,ts=1000',
  'e=ps,sid="secret-view",sn=2,sta=p,ts=1800',
  'e=ps,sid="secret-view",sn=3,sta=r,ts=61800',
  'e=ps,sid="secret-view",sn=4,sta=p,ts=66000',
].join('\n');
const reportIdOf = (url: string) => new URL(url).pathname.replace('/report/', '');

/** Creates a stream and a report about one view of it. */
async function sendReport() {
  const teamId = await createTeam();
  const { id, playbackId } = await createStream(teamId);
  const { url } = await createPlaybackReport(viewer, { playbackId, lines });
  return { teamId, streamId: id, playbackId, id: reportIdOf(url) };
}

const deletedRecording = (id: string) => ({ where: { id }, data: { recording: 'deleted' } }) as const;
const deletedStreamOf = (id: string) => ({
  where: { sessions: { some: { id } } },
  data: { deletedAt: new Date() },
});

test('a report contains the quality, device and player of the view, but no view id, IP address or user agent', async () => {
  const { id, playbackId } = await sendReport();
  const report = await readPlaybackReport(viewer, id);
  expect(report).toMatchObject({ playbackId, device: 'desktop', player: 'chrome' });
  expect(report?.timeline).toMatchObject({ startupMs: 800, stalls: 1, stallMs: 4_200 });
  const [row] = await db.$queryRaw<{ text: string }[]>`
    select to_jsonb(p)::text as text from "PlaybackReport" p where "id" = ${id}::uuid`;
  for (const secret of ['secret-view', '203.0.113.7', 'Mozilla']) expect(row?.text).not.toContain(secret);
});

test('a report is deleted after a day, and hidden with the deleted object; an unknown id has no report', async () => {
  const oldReport = await sendReport();
  await db.playbackReport.update({
    where: { id: oldReport.id },
    data: { createdAt: new Date(Date.now() - 24 * 3_600_000 - 1_000) },
  });
  expect(await readPlaybackReport(viewer, oldReport.id)).toBeNull();
  await expirePlaybackReports(ctx);
  expect(await db.playbackReport.count({ where: { id: oldReport.id } })).toBe(0);
  const deletedReport = await sendReport();
  await db.stream.update({ where: { id: deletedReport.streamId }, data: { deletedAt: new Date() } });
  expect(await readPlaybackReport(viewer, deletedReport.id)).toBeNull();
  expect(await readPlaybackReport(viewer, 'no-id')).toBeNull();
});

test.each([
  ['recording', (sessionId: string) => db.session.update(deletedRecording(sessionId))],
  ['stream', (sessionId: string) => db.stream.updateMany(deletedStreamOf(sessionId))],
] as const)(
  'a report about a recording is hidden, and gets no token, when the %s is deleted',
  async (_, deleteObject) => {
    const teamId = await createTeam();
    const { id: parentId, playbackId } = await createStream(teamId);
    const session = await db.session.create({
      data: { teamId, parentId, playbackId, name: 's', recording: 'ready' },
    });
    const owner: TeamContext = { ...ctx, actor: { kind: 'cli', teamId } };
    const { url } = await createPlaybackReport(viewer, { playbackId: session.id, lines });
    const reportId = reportIdOf(url);
    const issueToken = () => createPlaybackToken(owner, { id: session.id, expiresIn: 60 });
    await issueToken();
    expect(await readPlaybackReport(viewer, reportId)).toMatchObject({ objectId: session.id });
    await deleteObject(session.id);
    expect(await readPlaybackReport(viewer, reportId)).toBeNull();
    await expect(issueToken()).rejects.toMatchObject({ code: 'not_found' });
  },
);

test('only members of the team see why viewers stalled', async () => {
  const { id, teamId, streamId } = await sendReport();
  await db.stallMinute.create({
    data: {
      objectId: streamId,
      teamId,
      // The minute in which the stall of `lines` starts.
      minute: new Date(60_000),
      cause: 'encoder_silent',
      measure: 4_200,
      stalls: 1,
      stallMs: 4_200,
      stalledViews: 1,
      viewers: 3,
    },
  });
  const report = await readPlaybackReport(viewer, id);
  if (!report) throw new Error('no report');
  const asPerson = (userId: string): AccountContext => ({
    ...ctx,
    actor: { kind: 'session', teamId: userId, userId, role: 'owner' },
  });
  expect(await explainReport(asPerson(teamId), report)).toMatchObject([
    { cause: 'encoder_silent', measure: 4_200 },
  ]);
  expect(await explainReport(asPerson(await createTeam()), report)).toEqual([]);
});

test('reports without a view, of an unknown object, above the limit of the team, and of a team without viewer reports are rejected', async () => {
  const teamId = await createTeam();
  const { playbackId } = await createStream(teamId);
  const rejectionOf = (report: { playbackId: string; lines: string }) =>
    createPlaybackReport(viewer, report).then(
      () => null,
      (error: unknown) => String(error),
    );
  expect(await rejectionOf({ playbackId, lines: 'nothing' })).toContain('lines: no report of a view');
  expect(await rejectionOf({ playbackId: 'zzzzzzzzzzzzzzzz', lines })).toContain('not found');
  await db.playbackReport.createMany({
    data: Array.from({ length: 1_000 }, () => ({
      teamId,
      objectId: teamId,
      playbackId,
      device: 'tv',
      player: 'other',
      timeline: {},
    })),
  });
  expect(await rejectionOf({ playbackId, lines })).toContain('too many playback reports');
  await db.team.update({ where: { id: teamId }, data: { viewerReports: false } });
  expect(await rejectionOf({ playbackId, lines })).toContain('not found');
});
