import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { deleteBytes, requestUpload } from '@/lib/domain/assets';
import type { AccountContext, WorkerContext } from '@/lib/domain/context';
import { assetPrefix, recordingPrefix } from '@/lib/core/storage-keys';
import { openStorage } from '@/lib/infra/storage';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { deleteRecordings } from '@/lib/domain/sessions';
import { authorizePublish, markActive, markIdle } from '@/lib/domain/streams';
import { updateStatusOfOwnedTeams } from '@/lib/domain/teams';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import { markAccountDeleted, expireDeletedAccounts } from './delete-account';

const { ctx, db, createTeam, createStream, createNode } = createLiveFixtures(await createTestDatabase());
const folder = await mkdtemp(join(tmpdir(), 'accounts-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const worker: WorkerContext = { ...ctx, storage: openStorage({ dataDir: folder }) };

const markDeleted = (id: string) => markAccountDeleted(ctx, id, '');

const storeFile = (key: string) => worker.storage.put(key, Buffer.from('bytes'));

const keysOf = async (prefix: string): Promise<string[]> => {
  const keys: string[] = [];
  for await (const { key } of worker.storage.list(prefix)) keys.push(key);
  return keys;
};

const accountExists = async (id: string) => (await db.account.count({ where: { id } })) > 0;

/** Creates a recorded stream of this account, publishes to it and stores one segment. */
async function publishRecordedStream(teamId: string) {
  const row = await createStream(teamId, { record: true });
  const nodeId = await createNode();
  const publish = await authorizePublish(ctx, { streamId: row.id, nodeId });
  if (!publish) throw new Error('not authorized');
  const guard = { streamId: row.id, nodeId, publishNumber: publish.publishNumber };
  await markActive(ctx, { ...guard, issues: [] });
  await storeFile(`${recordingPrefix(publish.sessionId)}0.m4s`);
  return { guard, sessionId: publish.sessionId };
}

test('files and then rows of a deleted account are deleted, except its audit log; those of another account stay', async () => {
  const [teamId, otherTeamId] = [await createTeam(), await createTeam()];
  const owner: AccountContext = { ...ctx, actor: { kind: 'session', teamId, userId: teamId } };
  const { asset } = await requestUpload(owner, { name: 'Town hall' });
  await storeFile(`${assetPrefix(asset.id)}video`);
  const otherPublish = await publishRecordedStream(otherTeamId);
  const { guard, sessionId } = await publishRecordedStream(teamId);
  await markDeleted(teamId);

  // The encoder is still being disconnected.
  expect(await expireDeletedAccounts(ctx)).toBe(0);
  expect(await accountExists(teamId)).toBe(true);
  await markIdle(ctx, guard);

  // The account is marked, but its files still exist.
  expect(await expireDeletedAccounts(ctx)).toBe(0);
  await deleteBytes(worker);
  await deleteRecordings(worker);
  expect(await keysOf(assetPrefix(asset.id))).toEqual([]);
  expect(await keysOf(recordingPrefix(sessionId))).toEqual([]);
  expect(await expireDeletedAccounts(ctx)).toBe(1);
  expect(await accountExists(teamId)).toBe(false);
  const remainingRows = await Promise.all([
    db.stream.count({ where: { teamId } }),
    db.session.count({ where: { teamId } }),
    db.asset.count({ where: { teamId } }),
    db.task.count({ where: { teamId } }),
    db.event.count({ where: { teamId } }),
  ]);
  expect(remainingRows).toEqual([0, 0, 0, 0, 0]);
  expect(await db.auditEntry.count({ where: { teamId } })).toBeGreaterThan(0);

  expect(await keysOf(recordingPrefix(otherPublish.sessionId))).toHaveLength(1);
  expect(await db.stream.count({ where: { teamId: otherTeamId, parentId: null, deletedAt: null } })).toBe(1);
  expect(await expireDeletedAccounts(ctx)).toBe(0);
});

test('a recording of a deleted account is marked as deleted once its segments are stored and no run makes its files', async () => {
  const teamId = await createTeam();
  const { guard, sessionId } = await publishRecordedStream(teamId);
  await markIdle(ctx, guard);
  await markDeleted(teamId);
  const recordingStateAfterExpiry = async (sessionColumns: object) => {
    await db.session.update({ where: { id: sessionId }, data: sessionColumns });
    await expireDeletedAccounts(ctx);
    return (await db.session.findUniqueOrThrow({ where: { id: sessionId } })).recording;
  };
  expect(await recordingStateAfterExpiry({ recordingDueAt: new Date(Date.now() + 20_000) })).toBe('waiting');
  const leased = { recordingDueAt: null, recordingLease: crypto.randomUUID() };
  expect(await recordingStateAfterExpiry(leased)).toBe('waiting');
  expect(await recordingStateAfterExpiry({ recordingLease: null })).toBe('deleted');
});

test('a suspended account is kept', async () => {
  const teamId = await createTeam();
  await db.account.update({ where: { id: teamId }, data: { suspended: true } });
  await updateStatusOfOwnedTeams(ctx, teamId);
  await expireDeletedAccounts(ctx);
  expect(await accountExists(teamId)).toBe(true);
});

test('a team is kept until its last owner is deleted', async () => {
  // `createTeam` returns the id of an account, which is the id of its personal team.
  const [deletedOwner, otherOwner] = [await createTeam(), await createTeam()];
  await db.teamMember.create({ data: { teamId: deletedOwner, userId: otherOwner, role: 'owner' } });
  await markDeleted(deletedOwner);
  expect(await expireDeletedAccounts(ctx)).toBe(1);
  expect(await db.team.findUnique({ where: { id: deletedOwner } })).toMatchObject({
    suspended: false,
    deletedAt: null,
  });
  await markDeleted(otherOwner);
  expect(await expireDeletedAccounts(ctx)).toBe(1);
  expect(await db.team.count({ where: { id: { in: [deletedOwner, otherOwner] } } })).toBe(0);
});
