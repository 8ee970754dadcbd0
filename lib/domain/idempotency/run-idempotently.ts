import type { TeamContext, SystemContext } from '@/lib/domain/context';
import { deleteInBatches } from '@/lib/infra/db';
import { type Answer, claimKey, storeAnswer, readStoredAnswer, releaseKey } from './stored-answer';

/** A request with an idempotency key. */
interface KeyedRequest {
  readonly key: string;
  /** Identity of the request: method, path and input. */
  readonly content: string;
}

/**
 * Runs a request once per idempotency key: within 24 hours the same request gets the same response, and nothing is created
 * twice. Errors are not stored: after an error, and a minute after a crash, the key can be used again.
 * @throws AppError `conflict` while the first request runs, `invalid` for another request with the same key; and the
 * errors of `run`
 */
export async function runIdempotently(
  ctx: TeamContext,
  request: KeyedRequest,
  run: () => Promise<Answer>,
): Promise<{ readonly answer: Answer; readonly replayed: boolean }> {
  const { key } = request;
  const fingerprint = ctx.secrets.fingerprint('request', request.content);
  const claimedAt = await claimKey(ctx, key, fingerprint);
  if (claimedAt === null) return { answer: await readStoredAnswer(ctx, key, fingerprint), replayed: true };
  const ownClaim = { key, claimedAt };
  const answer = await run().catch(async (error: unknown) => {
    // The caller gets the original error even if the release fails; the key expires after a minute.
    await releaseKey(ctx, ownClaim).catch((failure: unknown) => {
      ctx.log.warn({ err: failure }, 'idempotency key not released');
    });
    throw error;
  });
  // The object exists, so the response is returned even if it cannot be stored.
  await storeAnswer(ctx, ownClaim, answer).catch((failure: unknown) => {
    ctx.log.error({ err: failure }, 'response not stored for its idempotency key');
  });
  return { answer, replayed: false };
}

/**
 * Deletes stored responses older than 24 hours.
 * @returns their number
 */
export function expireRequests({ db }: SystemContext): Promise<number> {
  return deleteInBatches(
    (limit) => db.$executeRaw`
      delete from "IdempotentRequest" where ctid in (
        select ctid from "IdempotentRequest" where "createdAt" < now() - interval '24 hours' limit ${limit})`,
  );
}
