import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { deleteBytes, requestUpload } from '@/lib/domain/assets';
import type { AccountContext, WorkerContext } from '@/lib/domain/context';
import { assetPrefix, recordingPrefix } from '@/lib/core/storage-keys';
import { openStorage, type StorageDriver } from '@/lib/infra/storage';
import { testDatabase } from '@/lib/infra/testing/test-database';
import { deleteRecordings } from '@/lib/domain/sessions';
import { authorizePublish, markActive, markIdle } from '@/lib/domain/streams';
import { updateStatusOfOwnedTeams } from '@/lib/domain/teams';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import { markAccountDeleted, expireDeletedAccounts } from './delete-account';

const fixtures = createLiveFixtures(await testDatabase(), {});
const { ctx, db, createTeam, createStream, createNode } = fixtures;
const folder = await mkdtemp(join(tmpdir(), 'accounts-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const worker: WorkerContext = { ...ctx, storage: openStorage({ dataDir: folder }) };

const markDeleted = (id: string) => markAccountDeleted(ctx, id, '');

async function store(storage: StorageDriver, key: string): Promise<void> {
  await storage.put(key, Buffer.from('bytes'));
}

const keysOf = async (prefix: string): Promise<string[]> => {
  const keys: string[] = [];
  for await (const { key } of worker.storage.list(prefix)) keys.push(key);
  return keys;
};

const exists = async (id: string) => (await db.account.count({ where: { id } })) > 0;

/** Publishes to a recorded stream of this account. */
async function publish(teamId: string) {
  const row = await createStream(teamId, { record: true });
  const nodeId = await createNode();
  const publish = await authorizePublish(ctx, { streamId: row.id, nodeId });
  if (!publish) throw new Error('not authorized');
  const guard = { streamId: row.id, nodeId, publishNumber: publish.publishNumber };
  await markActive(ctx, { ...guard, issues: [] });
  await store(worker.storage, `${recordingPrefix(publish.sessionId)}0.m4s`);
  return { guard, sessionId: publish.sessionId };
}

test('everything of a deleted account is deleted, files before rows, and nothing of another account', async () => {
  const [teamId, neighbour] = [await createTeam(), await createTeam()];
  const owner: AccountContext = { ...ctx, actor: { kind: 'session', teamId, userId: teamId } };
  const { asset } = await requestUpload(owner, { name: 'film' });
  await store(worker.storage, `${assetPrefix(asset.id)}video`);
  const neighbourPublish = await publish(neighbour);
  const { guard, sessionId } = await publish(teamId);
  await markDeleted(teamId);

  // The encoder is still being disconnected.
  expect(await expireDeletedAccounts(ctx)).toBe(0);
  expect(await exists(teamId)).toBe(true);
  await markIdle(ctx, guard);

  // The account is marked, but its files still exist.
  expect(await expireDeletedAccounts(ctx)).toBe(0);
  await deleteBytes(worker);
  await deleteRecordings(worker);
  expect(await keysOf(assetPrefix(asset.id))).toEqual([]);
  expect(await keysOf(recordingPrefix(sessionId))).toEqual([]);
  expect(await expireDeletedAccounts(ctx)).toBe(1);
  expect(await exists(teamId)).toBe(false);
  const remainingRows = await Promise.all([
    db.stream.count({ where: { teamId } }),
    db.session.count({ where: { teamId } }),
    db.asset.count({ where: { teamId } }),
    db.task.count({ where: { teamId } }),
    db.event.count({ where: { teamId } }),
  ]);
  expect(remainingRows).toEqual([0, 0, 0, 0, 0]);
  expect(await db.auditEntry.count({ where: { teamId } })).toBeGreaterThan(0);

  expect(await keysOf(recordingPrefix(neighbourPublish.sessionId))).toHaveLength(1);
  expect(await db.stream.count({ where: { teamId: neighbour, parentId: null, deletedAt: null } })).toBe(1);
  expect(await expireDeletedAccounts(ctx)).toBe(0);
});

test('deletion waits for segments that are being stored and for running tasks', async () => {
  const teamId = await createTeam();
  const { guard, sessionId } = await publish(teamId);
  await markIdle(ctx, guard);
  await markDeleted(teamId);
  const step = async (data: object) => {
    await db.session.update({ where: { id: sessionId }, data });
    await expireDeletedAccounts(ctx);
    return (await db.session.findUniqueOrThrow({ where: { id: sessionId } })).recording;
  };
  expect(await step({ recordingDueAt: new Date(Date.now() + 20_000) })).toBe('waiting');
  expect(await step({ recordingDueAt: null, recordingLease: crypto.randomUUID() })).toBe('waiting');
  expect(await step({ recordingLease: null })).toBe('deleted');
});

test('a suspended account is kept', async () => {
  const teamId = await createTeam();
  await db.account.update({ where: { id: teamId }, data: { suspended: true } });
  await updateStatusOfOwnedTeams(ctx, teamId);
  await expireDeletedAccounts(ctx);
  expect(await exists(teamId)).toBe(true);
});

test('a team with another owner is kept', async () => {
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
