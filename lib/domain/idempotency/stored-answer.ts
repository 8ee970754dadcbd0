import { z } from 'zod';
import type { TeamContext } from '@/lib/domain/context';
import { AppError } from '@/lib/core/errors';

/** Parts of a response that are replayed. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Null for a response without a body. */
  readonly body: string | null;
}

/** A claim on an idempotency key by a running request. */
interface Claim {
  readonly key: string;
  /** Time of the claim. Taking over a stale claim renews it. */
  readonly claimedAt: Date;
}

const storedHeaders = z.record(z.string(), z.string());
const RETRY_AFTER_SECONDS = 1;

/**
 * Claims a key that is new, older than 24 hours, or left behind by a crash (the same request, without a response for a
 * minute). Uses the clock of the database, because clocks of processes differ.
 * @returns time of the claim; null if another request has the key
 */
export async function claimKey(ctx: TeamContext, key: string, fingerprint: Buffer): Promise<Date | null> {
  const rows = await ctx.db.$queryRaw<{ createdAt: Date }[]>`
    insert into "IdempotentRequest" as kept ("teamId", "key", "fingerprint", "createdAt")
    values (${ctx.actor.teamId}::uuid, ${key}, ${fingerprint}, now())
    on conflict ("teamId", "key") do update
    set "fingerprint" = excluded."fingerprint", "status" = null, "headers" = null, "bodySealed" = null,
      "createdAt" = excluded."createdAt"
    where kept."createdAt" < now() - interval '24 hours'
      or (kept."status" is null and kept."fingerprint" = excluded."fingerprint"
        and kept."createdAt" < now() - interval '60 seconds')
    returning "createdAt"`;
  return rows[0]?.createdAt ?? null;
}

/** Releases the key of a failed request, which had no effect. */
export async function releaseKey(ctx: TeamContext, { key, claimedAt }: Claim): Promise<void> {
  const { teamId } = ctx.actor;
  await ctx.db.idempotentRequest.deleteMany({ where: { teamId, key, createdAt: claimedAt, status: null } });
}

/** Stores the response. The body is sealed, because it may contain a stream key or an API key. */
export async function storeAnswer(
  ctx: TeamContext,
  { key, claimedAt }: Claim,
  answer: Answer,
): Promise<void> {
  const { teamId } = ctx.actor;
  const { status, headers, body } = answer;
  await ctx.db.idempotentRequest.updateMany({
    where: { teamId, key, createdAt: claimedAt, status: null },
    data: {
      status,
      headers,
      bodySealed: body === null ? null : ctx.secrets.seal({ kind: 'stored-answer', id: key, teamId }, body),
    },
  });
}

/**
 * The response stored under this key.
 * @throws AppError `conflict` if there is none yet, `invalid` if it belongs to another request
 */
export async function readStoredAnswer(ctx: TeamContext, key: string, fingerprint: Buffer): Promise<Answer> {
  const { teamId } = ctx.actor;
  const row = await ctx.db.idempotentRequest.findUnique({ where: { teamId_key: { teamId, key } } });
  if (row && !fingerprint.equals(row.fingerprint)) {
    throw new AppError('invalid', {
      field: 'Idempotency-Key',
      message: 'was used for another request, give each request its own',
    });
  }
  // A missing row means that the first request failed, so another attempt may run.
  if (!row || row.status === null) {
    const message = 'the first request with this key is still running, try again';
    throw new AppError(
      'conflict',
      { field: 'Idempotency-Key', message },
      { retryAfter: RETRY_AFTER_SECONDS },
    );
  }
  const { status, headers, bodySealed } = row;
  return {
    status,
    headers: storedHeaders.parse(headers ?? {}),
    body: bodySealed && ctx.secrets.open({ kind: 'stored-answer', id: key, teamId }, bodySealed),
  };
}
