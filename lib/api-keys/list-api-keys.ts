import type { TeamContext } from '@/lib/context';
import type { ApiKey } from '@/lib/contract/accounts/api-key';

interface ApiKeyRow {
  readonly id: string;
  readonly name: string;
  readonly last4: string;
  readonly allowedOrigins: string[];
  readonly fullAccess: boolean;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly usage?: readonly { readonly day: Date; readonly calls: number }[];
}

/** The key object, without its secret. */
export function serializeApiKey(row: ApiKeyRow): ApiKey {
  return {
    id: row.id,
    name: row.name,
    last4: row.last4,
    allowedOrigins: row.allowedOrigins,
    fullAccess: row.fullAccess,
    createdAt: row.createdAt.getTime(),
    lastUsedAt: row.lastUsedAt?.getTime() ?? null,
    usage: (row.usage ?? []).map(({ day, calls }) => ({ day: day.toISOString().slice(0, 10), calls })),
  };
}

const apiKeyFields = {
  id: true,
  name: true,
  last4: true,
  allowedOrigins: true,
  fullAccess: true,
  createdAt: true,
  lastUsedAt: true,
} as const;

const usageDays = 30;
const dayMs = 86_400_000;

/** Every key of the account, newest first, with the calls of the last 30 days. */
export async function listApiKeys(ctx: TeamContext): Promise<ApiKey[]> {
  const since = new Date(ctx.clock.now().getTime() - usageDays * dayMs);
  const rows = await ctx.db.apiKey.findMany({
    where: { teamId: ctx.actor.teamId },
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
    select: {
      ...apiKeyFields,
      usage: { where: { day: { gte: since } }, orderBy: { day: 'asc' }, select: { day: true, calls: true } },
    },
  });
  return rows.map(serializeApiKey);
}
