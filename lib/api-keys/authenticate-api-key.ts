import type { Context } from '@/lib/context';
import { isWellFormedApiKey } from '@/lib/core/access/api-key-format';
import { batchedRead } from '@/lib/infra/db';

/** What a request needs to know about its key. */
export interface AuthenticatedKey {
  readonly id: string;
  readonly teamId: string;
  readonly name: string;
  readonly allowedOrigins: readonly string[];
  readonly fullAccess: boolean;
  /** Of the account. */
  readonly suspended: boolean;
}

/**
 * The key with this secret: null for a bad checksum, otherwise one read by a unique index. There is no cache, so a
 * deleted key is rejected on the next request.
 */
export async function authenticateApiKey(ctx: Context, secret: string): Promise<AuthenticatedKey | null> {
  if (!isWellFormedApiKey(secret)) return null;
  return readKey(ctx.db, ctx.secrets.fingerprint('api-key', secret));
}

const readKey = batchedRead<AuthenticatedKey>({
  name: 'authenticate-api-key',
  text: `
    select asked."place", k."id", k."teamId", k."name", k."allowedOrigins", k."fullAccess", t."suspended"
    from unnest($1::bytea[]) with ordinality asked("hash", "place")
    join "ApiKey" k on k."secretHash" = asked."hash"
    join "Team" t on t."id" = k."teamId"`,
});
