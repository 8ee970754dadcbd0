import type { Context } from '@/lib/domain/context';
import { isWellFormedApiKey } from '@/lib/core/access/api-key-format';
import type { TeamRole } from '@/lib/core/access/team-roles';
import { createBatchedRead } from '@/lib/infra/db';

/** API key with the facts that a request needs. */
export interface AuthenticatedKey {
  readonly id: string;
  readonly teamId: string;
  readonly name: string;
  readonly allowedOrigins: readonly string[];
  readonly fullAccess: boolean;
  readonly scopes: readonly string[];
  readonly expiresAt: Date | null;
  /** Account id of the creator. */
  readonly createdBy: string | null;
  /** Current role of the creator; null if they left the team, or their account is suspended or deleted. */
  readonly creatorRole: TeamRole | null;
  readonly suspended: boolean;
}

/**
 * The key with this secret; null if the checksum is wrong or no key has this secret. Reads one row by a unique index,
 * without a cache, so that a deleted key, or one whose creator left the team, is rejected on the next request.
 */
export async function authenticateApiKey(ctx: Context, secret: string): Promise<AuthenticatedKey | null> {
  if (!isWellFormedApiKey(secret)) return null;
  return readKey(ctx.db, ctx.secrets.fingerprint('api-key', secret));
}

/** `keyIndex` is the position of the hash in the batch, by which `createBatchedRead` assigns rows to callers. */
const readKey = createBatchedRead<AuthenticatedKey>({
  name: 'authenticate-api-key',
  text: `
    select asked."keyIndex", k."id", k."teamId", k."name", k."allowedOrigins", k."fullAccess", k."scopes", k."expiresAt",
      k."createdBy", t."suspended",
      (select m."role" from "TeamMember" m join "Account" a on a."id" = m."userId"
        where m."teamId" = k."teamId" and m."userId" = k."createdBy" and not a."suspended" and a."deletedAt" is null
      ) as "creatorRole"
    from unnest($1::bytea[]) with ordinality asked("hash", "keyIndex")
    join "ApiKey" k on k."secretHash" = asked."hash"
    join "Team" t on t."id" = k."teamId"`,
});
