import type { z } from 'zod';
import { recordAudit } from '@/lib/domain/audit';
import { type TeamContext, transact } from '@/lib/domain/context';
import { type ApiKey, createApiKeyBody } from '@/lib/contract/accounts/api-key';
import { parseInput } from '@/lib/contract/issues';
import { formatApiKey } from '@/lib/core/access/api-key-format';
import { minRoleForKey } from '@/lib/core/access/key-policy';
import { isAtLeast } from '@/lib/core/access/team-roles';
import { AppError, notFound } from '@/lib/core/errors';
import { newId, newKeyBody } from '@/lib/infra/ids';
import { readCreators, serializeApiKey } from './list-api-keys';

const MAX_KEYS_PER_TEAM = 100;

/**
 * Rejects the scope `all` for callers below the role admin, because a key with this scope can do all that admins can.
 * @throws AppError `forbidden`
 */
export function requireAdminForScopeAll({ actor: { role } }: TeamContext, scopes: readonly string[]): void {
  if (role === undefined || isAtLeast(role, 'admin') || minRoleForKey(scopes) !== 'admin') return;
  throw new AppError('forbidden', {
    field: 'scopes',
    message: `a key with the scope all needs the role admin, and yours is ${role}`,
  });
}

/**
 * Creates a key and returns its secret.
 * @throws AppError `invalid` (name, origins, expiry), `forbidden` (scope all below admin), `conflict` above 100 keys
 */
export async function createApiKey(
  ctx: TeamContext,
  input: z.input<typeof createApiKeyBody>,
): Promise<ApiKey & { secret: string }> {
  const { name, allowedOrigins, fullAccess, scopes, expiresAt } = parseInput(createApiKeyBody, input);
  const { teamId, userId } = ctx.actor;
  requireAdminForScopeAll(ctx, scopes);
  if (expiresAt !== null && expiresAt <= ctx.clock.now().getTime()) {
    throw new AppError('invalid', { field: 'expiresAt', message: 'must be in the future' });
  }
  const id = newId();
  const secret = formatApiKey(newKeyBody());
  return transact(ctx, async (tx) => {
    // Locks the team, so that concurrent calls cannot exceed the limit.
    await tx.db.$queryRaw`select 1 from "Team" where "id" = ${teamId}::uuid for no key update`;
    if ((await tx.db.apiKey.count({ where: { teamId } })) >= MAX_KEYS_PER_TEAM) {
      throw new AppError('conflict', `a team can have ${MAX_KEYS_PER_TEAM} API keys: delete one first`);
    }
    const row = await tx.db.apiKey.create({
      data: {
        id,
        teamId,
        name,
        allowedOrigins: [...new Set(allowedOrigins)],
        fullAccess,
        scopes: [...new Set(scopes)],
        expiresAt: expiresAt === null ? null : new Date(expiresAt),
        createdBy: userId ?? null,
        secretHash: ctx.secrets.fingerprint('api-key', secret),
        secretSealed: ctx.secrets.seal({ kind: 'api-key', id, teamId }, secret),
        last4: secret.slice(-4),
        createdAt: ctx.clock.now(),
      },
    });
    await recordAudit(tx, { action: 'api-key.created', objectId: id });
    return { ...serializeApiKey(row, await readCreators(tx, [row])), secret };
  });
}

/**
 * Deletes a key; the next request with it is rejected.
 * @throws AppError `not_found`, including for another team's key
 */
export async function deleteApiKey(ctx: TeamContext, id: string): Promise<void> {
  await transact(ctx, async (tx) => {
    const { count } = await tx.db.apiKey.deleteMany({ where: { id, teamId: ctx.actor.teamId } });
    if (count === 0) throw notFound();
    await recordAudit(tx, { action: 'api-key.deleted', objectId: id });
  });
}
