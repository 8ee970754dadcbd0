import { DAY_MS } from '@/lib/core/units';
import type { TeamContext } from '@/lib/domain/context';
import { keyDisabledReason, keyScopes } from '@/lib/core/access/key-policy';
import type { TeamRole } from '@/lib/core/access/team-roles';
import type { ApiKey } from '@/lib/contract/accounts/api-key';

interface ApiKeyRow {
  readonly id: string;
  readonly name: string;
  readonly last4: string;
  readonly allowedOrigins: string[];
  readonly fullAccess: boolean;
  readonly scopes: string[];
  readonly expiresAt: Date | null;
  readonly createdBy: string | null;
  readonly lastIp: string | null;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly usage?: readonly { readonly day: Date; readonly calls: number }[];
}

/** Creators of API keys, by account id. */
type Creators = ReadonlyMap<string, { readonly email: string; readonly role: TeamRole | null }>;

/** API representation of a key, without its secret. */
export function serializeApiKey(row: ApiKeyRow, creators: Creators): ApiKey {
  const creator = row.createdBy === null ? undefined : creators.get(row.createdBy);
  return {
    id: row.id,
    name: row.name,
    last4: row.last4,
    allowedOrigins: row.allowedOrigins,
    fullAccess: row.fullAccess,
    scopes: keyScopes.filter((scope) => row.scopes.includes(scope)),
    expiresAt: row.expiresAt?.getTime() ?? null,
    lastIp: row.lastIp,
    createdBy: creator?.email ?? null,
    disabled: keyDisabledReason({ ...row, creatorRole: creator?.role ?? null }),
    createdAt: row.createdAt.getTime(),
    lastUsedAt: row.lastUsedAt?.getTime() ?? null,
    usage: (row.usage ?? []).map(({ day, calls }) => ({ day: day.toISOString().slice(0, 10), calls })),
  };
}

/** The people who created these keys, without deleted accounts. */
export async function readCreators(
  { db, actor: { teamId } }: TeamContext,
  rows: readonly Pick<ApiKeyRow, 'createdBy'>[],
): Promise<Creators> {
  const ids = [...new Set(rows.flatMap(({ createdBy }) => createdBy ?? []))];
  const accounts = await db.account.findMany({
    where: { id: { in: ids }, deletedAt: null },
    select: {
      id: true,
      email: true,
      suspended: true,
      memberships: { where: { teamId }, select: { role: true } },
    },
  });
  return new Map(
    accounts.map(({ id, email, suspended, memberships: [member] }) => [
      id,
      { email, role: suspended ? null : (member?.role ?? null) },
    ]),
  );
}

const apiKeyFields = {
  id: true,
  name: true,
  last4: true,
  allowedOrigins: true,
  fullAccess: true,
  scopes: true,
  expiresAt: true,
  createdBy: true,
  lastIp: true,
  createdAt: true,
  lastUsedAt: true,
} as const;

const USAGE_DAYS = 30;

/** Every key of the team, newest first, with its calls in the last 30 days. */
export async function listApiKeys(ctx: TeamContext): Promise<ApiKey[]> {
  const since = new Date(ctx.clock.now().getTime() - USAGE_DAYS * DAY_MS);
  const rows = await ctx.db.apiKey.findMany({
    where: { teamId: ctx.actor.teamId },
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
    select: {
      ...apiKeyFields,
      usage: { where: { day: { gte: since } }, orderBy: { day: 'asc' }, select: { day: true, calls: true } },
    },
  });
  const creators = await readCreators(ctx, rows);
  return rows.map((row) => serializeApiKey(row, creators));
}
