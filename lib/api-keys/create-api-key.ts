import type { z } from 'zod';
import { recordAudit } from '@/lib/audit';
import { type TeamContext, transact } from '@/lib/context';
import { type ApiKey, createApiKeyBody } from '@/lib/contract/accounts/api-key';
import { parseInput } from '@/lib/contract/issues';
import { formatApiKey } from '@/lib/core/access/api-key-format';
import { AppError } from '@/lib/core/errors';
import { newId, newKeyBody } from '@/lib/infra/ids';
import { serializeApiKey } from './list-api-keys';

const keysPerAccount = 100;

/**
 * Creates a key and answers with its secret.
 * @throws AppError `invalid` (name, origins), `conflict` above 100 keys
 */
export async function createApiKey(
  ctx: TeamContext,
  input: z.input<typeof createApiKeyBody>,
): Promise<ApiKey & { secret: string }> {
  const { name, allowedOrigins, fullAccess } = parseInput(createApiKeyBody, input);
  const { teamId } = ctx.actor;
  const id = newId();
  const secret = formatApiKey(newKeyBody());
  return transact(ctx, async (tx) => {
    if ((await tx.db.apiKey.count({ where: { teamId } })) >= keysPerAccount) {
      throw new AppError('conflict', `an account can have ${keysPerAccount} API keys: delete one first`);
    }
    const row = await tx.db.apiKey.create({
      data: {
        id,
        teamId,
        name,
        allowedOrigins: [...new Set(allowedOrigins)],
        fullAccess,
        secretHash: ctx.secrets.fingerprint('api-key', secret),
        secretSealed: ctx.secrets.seal({ kind: 'api-key', id, teamId }, secret),
        last4: secret.slice(-4),
        createdAt: ctx.clock.now(),
      },
    });
    await recordAudit(tx, { action: 'api-key.created', objectId: id });
    return { ...serializeApiKey(row), secret };
  });
}

/** Deletes a key; the next request with it is rejected. @throws AppError `not_found`, also for another account's key */
export async function deleteApiKey(ctx: TeamContext, id: string): Promise<void> {
  await transact(ctx, async (tx) => {
    const { count } = await tx.db.apiKey.deleteMany({ where: { id, teamId: ctx.actor.teamId } });
    if (count === 0) throw new AppError('not_found', 'not found');
    await recordAudit(tx, { action: 'api-key.deleted', objectId: id });
  });
}
