import { describe, expect, test } from 'vitest';
import type { TeamContext } from '@/lib/domain/context';
import { AppError } from '@/lib/core/errors';
import { newId } from '@/lib/infra/ids';
import { testDatabase } from '@/lib/infra/testing/test-database';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import { runIdempotently, expireRequests, type Answer } from './index';

const { ctx: system, db, createTeam } = createLiveFixtures(await testDatabase());
const ctx: TeamContext = { ...system, actor: { kind: 'cli', teamId: await createTeam() } };

const answer: Answer = { status: 201, headers: { 'content-type': 'text/plain' }, body: 'made' };
const answerNow = () => Promise.resolve(answer);
const again = (key: string, run: () => Promise<Answer> = answerNow, content = 'POST /x') =>
  runIdempotently(ctx, { key, content }, run);
const rowOf = (key: string) => ({ teamId_key: { teamId: ctx.actor.teamId, key } });
const stale = (key: string) =>
  db.idempotentRequest.update({ where: rowOf(key), data: { createdAt: new Date(Date.now() - 61_000) } });

describe('runIdempotently', () => {
  test.each<Answer>([
    answer,
    { status: 204, headers: {}, body: null },
    { status: 200, headers: { location: '/x' }, body: '' },
    { status: 200, headers: {}, body: 'ü'.repeat(10_000) },
  ])('replays a response without changes: %#', async (input) => {
    const key = newId();
    expect(await again(key, () => Promise.resolve(input))).toEqual({ answer: input, replayed: false });
    expect(await again(key)).toEqual({ answer: input, replayed: true });
  });

  test.each([new AppError('not_found', 'not found'), new Error('a fault of ours')])(
    'releases the key if the request fails: %s',
    async (error) => {
      const key = newId();
      await expect(again(key, () => Promise.reject(error))).rejects.toBe(error);
      expect(await again(key)).toEqual({ answer, replayed: false });
    },
  );

  test('rejects a concurrent request with the same key and tells it to retry', async () => {
    const key = newId();
    let finish: (input: Answer) => void = () => undefined;
    const first = again(
      key,
      () =>
        new Promise((resolve) => {
          finish = resolve;
        }),
    );
    await expect.poll(() => db.idempotentRequest.count({ where: { key } })).toBe(1);
    await expect(again(key)).rejects.toMatchObject({ code: 'conflict', retryAfter: 1 });
    await expect(again(key, answerNow, 'POST /y')).rejects.toMatchObject({ code: 'invalid' });
    finish(answer);
    await first;
    expect(await again(key)).toEqual({ answer, replayed: true });
  });

  test('a request whose claim was taken over after a minute neither stores a response nor releases the key', async () => {
    for (const late of [() => answerNow(), () => Promise.reject(new Error('late'))]) {
      const key = newId();
      const winner: Answer = { ...answer, body: 'of the second' };
      const first = again(key, async () => {
        await stale(key);
        expect(await again(key, () => Promise.resolve(winner))).toEqual({ answer: winner, replayed: false });
        return late();
      });
      await first.catch(() => undefined);
      expect(await again(key)).toEqual({ answer: winner, replayed: true });
    }
  });

  test('a response that cannot be stored is still returned', async () => {
    const key = newId();
    const seal = () => {
      throw new Error('no way to keep it');
    };
    const brokenContext = { ...ctx, secrets: { ...ctx.secrets, seal } };
    expect(await runIdempotently(brokenContext, { key, content: 'POST /x' }, answerNow)).toEqual({
      answer,
      replayed: false,
    });
    await expect(again(key)).rejects.toMatchObject({ code: 'conflict' });
  });

  test('a response that is moved to another key or team cannot be read', async () => {
    const [from, to] = [newId(), newId()];
    await again(from);
    await again(to);
    const { bodySealed } = await db.idempotentRequest.findUniqueOrThrow({ where: rowOf(from) });
    await db.idempotentRequest.update({ where: rowOf(to), data: { bodySealed } });
    await expect(again(to)).rejects.toThrow();
  });
});

test('expireRequests deletes responses older than 24 hours', async () => {
  const keys = [newId(), newId(), newId()];
  const hours = [23.9, 24.1, 1_000];
  for (const [index, key] of keys.entries()) {
    await again(key);
    const createdAt = new Date(Date.now() - (hours[index] ?? 0) * 3_600_000);
    await db.idempotentRequest.update({ where: rowOf(key), data: { createdAt } });
  }
  expect(await expireRequests(system)).toBe(2);
  expect(await expireRequests(system)).toBe(0);
  expect(await db.idempotentRequest.count({ where: { key: { in: keys } } })).toBe(1);
});
