import type { AccountContext, SystemContext } from '@/lib/context';
import { deleteInBatches } from '@/lib/infra/db';
import { type Answer, claim, keep, readKept, release } from './kept-answer';

/** What a caller marked with a key of its own. */
interface KeyedRequest {
  readonly key: string;
  /** What identifies this request: method, path and input. */
  readonly content: string;
}

/**
 * Runs a request once for its key: within 24 hours the same request gets the same answer, and nothing is
 * made twice. A refusal changes nothing, so it is not kept: the key is free again and the next request with
 * it is judged anew. So it is after a failure of ours, and a minute after a crash.
 * @throws AppError `conflict` while the first one runs, `invalid` for another request under the same key;
 *   and whatever `run` throws
 */
export async function answerOnce(
  ctx: AccountContext,
  request: KeyedRequest,
  run: () => Promise<Answer>,
): Promise<{ readonly answer: Answer; readonly replayed: boolean }> {
  const { key } = request;
  const fingerprint = ctx.secrets.fingerprint('request', request.content);
  const since = await claim(ctx, key, fingerprint);
  if (since === null) return { answer: await readKept(ctx, key, fingerprint), replayed: true };
  const ours = { key, since };
  const answer = await run().catch(async (error: unknown) => {
    // Whatever prevents it, the refusal is what the caller must hear; the key frees itself in a minute.
    await release(ctx, ours).catch((failure: unknown) => {
      ctx.log.warn({ err: failure }, 'idempotency key not released');
    });
    throw error;
  });
  // The object exists by now: the caller gets the answer even when it cannot be kept.
  await keep(ctx, ours, answer).catch((failure: unknown) => {
    ctx.log.error({ err: failure }, 'response not stored for its idempotency key');
  });
  return { answer, replayed: false };
}

/** Removes answers older than 24 hours. Returns how many. */
export function forgetOldRequests({ db }: SystemContext): Promise<number> {
  return deleteInBatches(
    (limit) => db.$executeRaw`
      delete from "IdempotentRequest" where ctid in (
        select ctid from "IdempotentRequest" where "createdAt" < now() - interval '24 hours' limit ${limit})`,
  );
}
