import type { Context } from '@/lib/domain/context';
import { isWellFormedApiKey } from '@/lib/core/access/api-key-format';
import type { TeamRole } from '@/lib/core/access/team-roles';
import { batchedRead } from '@/lib/infra/db';

/** Facts about an API key that a request needs. */
export interface AuthenticatedKey {
  readonly id: string;
  readonly teamId: string;
  readonly name: string;
  readonly allowedOrigins: readonly string[];
  readonly fullAccess: boolean;
  readonly scopes: readonly string[];
  readonly expiresAt: Date | null;
  /** The person. */
  readonly createdBy: string | null;
  /** Today; null: they are no member, or their account is suspended or deleted. */
  readonly creatorRole: TeamRole | null;
  /** Whether the team is suspended. */
  readonly suspended: boolean;
}

/**
 * The key with this secret: null for a bad checksum, otherwise one read by a unique index. There is no cache, so a
 * deleted key is rejected on the next request, and so is one whose creator leaves the team.
 */
export async function authenticateApiKey(ctx: Context, secret: string): Promise<AuthenticatedKey | null> {
  if (!isWellFormedApiKey(secret)) return null;
  return readKey(ctx.db, ctx.secrets.fingerprint('api-key', secret));
}

const readKey = batchedRead<AuthenticatedKey>({
  name: 'authenticate-api-key',
  text: `
    select asked."place", k."id", k."teamId", k."name", k."allowedOrigins", k."fullAccess", k."scopes", k."expiresAt",
      k."createdBy", t."suspended",
      (select m."role" from "TeamMember" m join "Account" a on a."id" = m."userId"
        where m."teamId" = k."teamId" and m."userId" = k."createdBy" and not a."suspended" and a."deletedAt" is null
      ) as "creatorRole"
    from unnest($1::bytea[]) with ordinality asked("hash", "place")
    join "ApiKey" k on k."secretHash" = asked."hash"
    join "Team" t on t."id" = k."teamId"`,
});
