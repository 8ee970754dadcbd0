import type { AccountContext } from '@/lib/context';
import type { ApiKey } from '@/lib/contract/api-key';
import { apiKeyFields, serializeApiKey } from './serialize';

const usageDays = 30;
const dayMs = 86_400_000;

/** Every key of the account, newest first, with the calls of the last 30 days. */
export async function listApiKeys(ctx: AccountContext): Promise<ApiKey[]> {
  const since = new Date(ctx.clock.now().getTime() - usageDays * dayMs);
  const rows = await ctx.db.apiKey.findMany({
    where: { userId: ctx.actor.userId },
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
    select: {
      ...apiKeyFields,
      usage: { where: { day: { gte: since } }, orderBy: { day: 'asc' }, select: { day: true, calls: true } },
    },
  });
  return rows.map(serializeApiKey);
}
