import type { z } from 'zod';
import { recordAudit } from '@/lib/audit';
import { transact, type AccountContext } from '@/lib/context';
import { createApiKeyBody, type ApiKey } from '@/lib/contract/api-key';
import { parseInput } from '@/lib/contract/issues';
import { formatApiKey } from '@/lib/core/api-key-format';
import { AppError } from '@/lib/core/errors';
import { newId, newKeyBody } from '@/lib/infra/ids';
import { serializeApiKey } from './serialize';

const keysPerAccount = 100;

/**
 * Creates a key and answers with its secret.
 * @throws AppError `invalid` (name, origins), `conflict` above 100 keys
 */
export async function createApiKey(
  ctx: AccountContext,
  input: z.input<typeof createApiKeyBody>,
): Promise<ApiKey & { secret: string }> {
  const { name, allowedOrigins, fullAccess } = parseInput(createApiKeyBody, input);
  const { userId } = ctx.actor;
  const id = newId();
  const secret = formatApiKey(newKeyBody());
  return transact(ctx, async (tx) => {
    if ((await tx.db.apiKey.count({ where: { userId } })) >= keysPerAccount) {
      throw new AppError('conflict', `an account can have ${keysPerAccount} API keys: delete one first`);
    }
    const row = await tx.db.apiKey.create({
      data: {
        id,
        userId,
        name,
        allowedOrigins: [...new Set(allowedOrigins)],
        fullAccess,
        secretHash: ctx.secrets.fingerprint('api-key', secret),
        secretSealed: ctx.secrets.seal({ kind: 'api-key', id, userId }, secret),
        last4: secret.slice(-4),
        createdAt: ctx.clock.now(),
      },
    });
    await recordAudit(tx, { action: 'api-key.created', objectId: id });
    return { ...serializeApiKey(row), secret };
  });
}
