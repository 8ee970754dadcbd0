import { describe, expect, test } from 'vitest';
import type { TeamContext } from '@/lib/domain/context';
import { AppError } from '@/lib/core/errors';
import { newId } from '@/lib/infra/ids';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import { runIdempotently, expireRequests, type Answer } from './index';

const { ctx: system, db, createTeam } = createLiveFixtures(await createTestDatabase());
const ctx: TeamContext = { ...system, actor: { kind: 'cli', teamId: await createTeam() } };

const answer: Answer = { status: 201, headers: { 'content-type': 'text/plain' }, body: 'made' };
const answerNow = () => Promise.resolve(answer);
const runWithKey = (key: string, run: () => Promise<Answer> = answerNow, content = 'POST /x') =>
  runIdempotently(ctx, { key, content }, run);
const rowOf = (key: string) => ({ teamId_key: { teamId: ctx.actor.teamId, key } });
/** Makes a claim older than the minute after which another request may take it over. */
const makeClaimStale = (key: string) =>
  db.idempotentRequest.update({ where: rowOf(key), data: { createdAt: new Date(Date.now() - 61_000) } });

describe('runIdempotently', () => {
  test.each<[string, Answer]>([
    ['with headers and a body', answer],
    ['without a body', { status: 204, headers: {}, body: null }],
    ['with an empty body', { status: 200, headers: { location: '/x' }, body: '' }],
    ['with a long body in UTF-8', { status: 200, headers: {}, body: 'ü'.repeat(10_000) }],
  ])('replays a response %s without changes', async (_, input) => {
    const key = newId();
    expect(await runWithKey(key, () => Promise.resolve(input))).toEqual({ answer: input, replayed: false });
    expect(await runWithKey(key)).toEqual({ answer: input, replayed: true });
  });

  test.each([new AppError('not_found', 'not found'), new Error('internal error')])(
    'releases the key if the request fails: %s',
    async (error) => {
      const key = newId();
      await expect(runWithKey(key, () => Promise.reject(error))).rejects.toBe(error);
      expect(await runWithKey(key)).toEqual({ answer, replayed: false });
    },
  );

  test('rejects a concurrent request with the same key and tells it to retry', async () => {
    const key = newId();
    let finish: (input: Answer) => void = () => undefined;
    const firstRequest = runWithKey(
      key,
      () =>
        new Promise((resolve) => {
          finish = resolve;
        }),
    );
    await expect.poll(() => db.idempotentRequest.count({ where: { key } })).toBe(1);
    await expect(runWithKey(key)).rejects.toMatchObject({ code: 'conflict', retryAfter: 1 });
    await expect(runWithKey(key, answerNow, 'POST /y')).rejects.toMatchObject({ code: 'invalid' });
    finish(answer);
    await firstRequest;
    expect(await runWithKey(key)).toEqual({ answer, replayed: true });
  });

  test('a request whose claim was taken over after a minute neither stores a response nor releases the key', async () => {
    for (const finishLate of [() => answerNow(), () => Promise.reject(new Error('late'))]) {
      const key = newId();
      const secondAnswer: Answer = { ...answer, body: 'of the second' };
      const firstRequest = runWithKey(key, async () => {
        await makeClaimStale(key);
        expect(await runWithKey(key, () => Promise.resolve(secondAnswer))).toEqual({
          answer: secondAnswer,
          replayed: false,
        });
        return finishLate();
      });
      await firstRequest.catch(() => undefined);
      expect(await runWithKey(key)).toEqual({ answer: secondAnswer, replayed: true });
    }
  });

  test('a response that cannot be stored is still returned', async () => {
    const key = newId();
    const seal = () => {
      throw new Error('sealing failed');
    };
    const brokenContext = { ...ctx, secrets: { ...ctx.secrets, seal } };
    expect(await runIdempotently(brokenContext, { key, content: 'POST /x' }, answerNow)).toEqual({
      answer,
      replayed: false,
    });
    await expect(runWithKey(key)).rejects.toMatchObject({ code: 'conflict' });
  });

  test('a response that is moved to another key cannot be read', async () => {
    const [sourceKey, targetKey] = [newId(), newId()];
    await runWithKey(sourceKey);
    await runWithKey(targetKey);
    const { bodySealed } = await db.idempotentRequest.findUniqueOrThrow({ where: rowOf(sourceKey) });
    await db.idempotentRequest.update({ where: rowOf(targetKey), data: { bodySealed } });
    await expect(runWithKey(targetKey)).rejects.toThrow();
  });
});

test('expireRequests deletes responses older than 24 hours', async () => {
  const keys = [newId(), newId(), newId()];
  const agesInHours = [23.9, 24.1, 1_000];
  for (const [index, key] of keys.entries()) {
    await runWithKey(key);
    const createdAt = new Date(Date.now() - (agesInHours[index] ?? 0) * 3_600_000);
    await db.idempotentRequest.update({ where: rowOf(key), data: { createdAt } });
  }
  expect(await expireRequests(system)).toBe(2);
  expect(await expireRequests(system)).toBe(0);
  expect(await db.idempotentRequest.count({ where: { key: { in: keys } } })).toBe(1);
});
