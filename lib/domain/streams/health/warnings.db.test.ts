import { expect, test } from 'vitest';
import { sendDueMails } from '@/lib/domain/mail';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import type { Mail } from '@/lib/infra/mail/mailer';
import { reportIssues, reportWarnings } from '@/lib/domain/streams';

const fixtures = createLiveFixtures(await createTestDatabase());
const { db, createTeam, createStream, createNode } = fixtures;
const ctx = {
  ...fixtures.ctx,
  settings: { ...fixtures.ctx.settings, mail: { smtpUrl: 'smtp://localhost', mailFrom: 'a@example.com' } },
};

const slowIssue = 'Video arrives at 81% of real time';
const hintIssue = 'Hint: the encoder sends no audio';

/** Creates a healthy live stream of a team with one member. By default, the member gets mails. */
async function createLiveStream(
  member: { readonly isConfirmed?: boolean; readonly hasEnabledMails?: boolean } = {},
) {
  const teamId = await createTeam();
  const streamMails = member.hasEnabledMails ?? true;
  await db.teamMember.updateMany({ where: { teamId }, data: { streamMails } });
  await db.account.update({
    where: { id: teamId },
    data: { emailProvenAt: member.isConfirmed === false ? null : new Date() },
  });
  const { id } = await createStream(teamId, { isActive: true, liveNodeId: await createNode() });
  await db.stream.update({ where: { id }, data: { isHealthy: true } });
  return { id, teamId };
}

const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1_000);
/** Makes the health of a stream unchanged for some seconds. */
const setHealthUnchangedFor = (id: string, seconds: number) =>
  db.stream.update({ where: { id }, data: { healthChangedAt: secondsAgo(seconds) } });
const eventNamesOf = async (streamId: string) => {
  const events = await db.event.findMany({ where: { streamId }, orderBy: { sequence: 'asc' } });
  return events.map(({ name }) => name);
};
const mailsTo = async (teamId: string) => {
  const { email } = await db.account.findUniqueOrThrow({ where: { id: teamId } });
  return db.outgoingMail.findMany({ where: { to: email }, orderBy: { dueAt: 'asc' } });
};
/** Runs the sweep on two nodes at the same time. */
const sweep = () => Promise.all([reportWarnings(ctx), reportWarnings(ctx)]);

test('a warning is sent once after 20 s of problems, and a recovery after 20 s without problems', async () => {
  const { id, teamId } = await createLiveStream();
  await reportIssues(ctx, { streamId: id, publishNumber: 0, issues: [hintIssue, slowIssue] });
  await sweep();
  await setHealthUnchangedFor(id, 19);
  await sweep();
  expect(await eventNamesOf(id)).toEqual([]);
  await setHealthUnchangedFor(id, 21);
  await sweep();
  await sweep();
  expect(await eventNamesOf(id)).toEqual(['stream.warning']);
  const event = await db.event.findFirstOrThrow({ where: { streamId: id } });
  expect(event.payload).toMatchObject({ payload: { issues: [slowIssue] } });
  expect((await mailsTo(teamId)).map(({ text }) => text)).toEqual([
    expect.stringContaining(`- ${slowIssue}\n`),
  ]);

  await reportIssues(ctx, { streamId: id, publishNumber: 0, issues: [hintIssue] });
  await sweep();
  expect(await eventNamesOf(id)).toEqual(['stream.warning']);
  await setHealthUnchangedFor(id, 21);
  await sweep();
  await sweep();
  expect(await eventNamesOf(id)).toEqual(['stream.warning', 'stream.recovered']);
  expect(await mailsTo(teamId)).toHaveLength(2);
});

test('problems that last less than 20 s cause no warning', async () => {
  const { id } = await createLiveStream();
  for (const issues of [[slowIssue], [], [slowIssue]]) {
    await setHealthUnchangedFor(id, 60);
    // Changes the health, so that its time starts again.
    await reportIssues(ctx, { streamId: id, publishNumber: 0, issues });
    await sweep();
  }
  expect(await eventNamesOf(id)).toEqual([]);
});

test('a warning within 15 minutes of a mailed one, and its recovery, emit events, but no mails', async () => {
  const { id, teamId } = await createLiveStream();
  await db.stream.update({ where: { id }, data: { warningMailedAt: secondsAgo(14 * 60) } });
  for (const issues of [[slowIssue], []]) {
    await reportIssues(ctx, { streamId: id, publishNumber: 0, issues });
    await setHealthUnchangedFor(id, 21);
    await sweep();
  }
  expect(await eventNamesOf(id)).toEqual(['stream.warning', 'stream.recovered']);
  expect(await mailsTo(teamId)).toEqual([]);
});

test.each([
  ['did not enable them', { hasEnabledMails: false }],
  ['did not confirm their address', { isConfirmed: false }],
])('members who %s get no mails', async (_, member) => {
  const { id, teamId } = await createLiveStream(member);
  await reportIssues(ctx, { streamId: id, publishNumber: 0, issues: [slowIssue] });
  await setHealthUnchangedFor(id, 21);
  await sweep();
  expect(await eventNamesOf(id)).toEqual(['stream.warning']);
  expect(await mailsTo(teamId)).toEqual([]);
});

test('a mail that the server rejects is retried later, and deleted once it is sent', async () => {
  const to = 'rejected@example.com';
  const mail = { id: '5f0c1a52-6a43-4d6e-9f0b-1c2d3e4f5a6b', to, subject: 'Subject', text: 'Text' };
  await db.outgoingMail.create({ data: { ...mail, dueAt: secondsAgo(1) } });
  const sentMails: Mail[] = [];
  let isRejecting = true;
  const mailer = {
    send: (sentMail: Mail) => {
      if (sentMail.to === to) sentMails.push(sentMail);
      return isRejecting ? Promise.reject(new Error('421 busy')) : Promise.resolve();
    },
  };
  await Promise.all([sendDueMails(ctx, mailer), sendDueMails(ctx, mailer)]);
  await sendDueMails(ctx, mailer);
  expect(sentMails).toHaveLength(1);
  const waitingMail = await db.outgoingMail.findUniqueOrThrow({ where: { id: mail.id } });
  expect(waitingMail.failures).toBe(1);
  // The first retry is after a minute.
  expect(waitingMail.dueAt.getTime()).toBeGreaterThan(Date.now() + 50_000);
  isRejecting = false;
  await db.outgoingMail.update({ where: { id: mail.id }, data: { dueAt: secondsAgo(1) } });
  await sendDueMails(ctx, mailer);
  expect(sentMails).toHaveLength(2);
  expect(await db.outgoingMail.count({ where: { id: mail.id } })).toBe(0);
});

test('a mail that was rejected eight times is deleted', async () => {
  const id = '6f0c1a52-6a43-4d6e-9f0b-1c2d3e4f5a6b';
  const mail = { id, to: 'gone@example.com', subject: 'Subject', text: 'Text', failures: 7 };
  await db.outgoingMail.create({ data: { ...mail, dueAt: secondsAgo(1) } });
  await sendDueMails(ctx, { send: () => Promise.reject(new Error('550 no such user')) });
  expect(await db.outgoingMail.count({ where: { id } })).toBe(0);
});
