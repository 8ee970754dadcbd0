import type { AccountContext } from '@/lib/context';
import {
  auditListFields,
  type AuditLine,
  type listAuditEntries as endpoint,
} from '@/lib/contract/accounts/account';
import type { Page, QueryOf } from '@/lib/contract/define-endpoint';
import { readPage } from '@/lib/core/lists/list-page';
import { parseListQuery } from '@/lib/core/lists/list-query';
import type { AuditEntry } from '@/lib/generated/prisma/client';

const defaultOrder = 'createdAt-true';
const keyPrefix = 'key:';

/**
 * One page of the account's audit log.
 * @throws AppError `bad_request` (filters, cursor), `invalid` (limit)
 */
export async function listAuditEntries(
  ctx: AccountContext,
  query: QueryOf<typeof endpoint>,
): Promise<Page<AuditLine>> {
  const request = parseListQuery(query, auditListFields, defaultOrder);
  const { userId } = ctx.actor;
  const page = await readPage(request, {
    rows: ({ conditions, orderBy, take }) =>
      ctx.db.auditEntry.findMany({ where: { userId, AND: conditions }, orderBy, take }),
    count: (conditions) => ctx.db.auditEntry.count({ where: { userId, AND: conditions } }),
    item: (row) => row,
  });
  const names = await keyNames(ctx, page.items);
  return { ...page, items: page.items.map((row) => serialize(row, names)) };
}

/** Names of the keys of a page, in one read. */
async function keyNames(ctx: AccountContext, rows: readonly AuditEntry[]): Promise<Map<string, string>> {
  const ids = new Set(rows.flatMap((row) => keyIdOf(row) ?? []));
  if (ids.size === 0) return new Map();
  const keys = await ctx.db.apiKey.findMany({
    where: { userId: ctx.actor.userId, id: { in: [...ids] } },
    select: { id: true, name: true },
  });
  return new Map(keys.map(({ id, name }) => [id, name]));
}

const keyIdOf = ({ actor }: AuditEntry): string | null =>
  actor.startsWith(keyPrefix) ? actor.slice(keyPrefix.length) : null;

function serialize(row: AuditEntry, names: ReadonlyMap<string, string>): AuditLine {
  const keyId = keyIdOf(row);
  return {
    id: row.id,
    createdAt: row.createdAt.getTime(),
    action: row.action,
    actor: actorOf(row.actor),
    keyId,
    keyName: keyId === null ? null : (names.get(keyId) ?? null),
    objectId: row.objectId,
    ip: row.ip,
    userAgent: row.userAgent,
  };
}

function actorOf(actor: string): AuditLine['actor'] {
  if (actor === 'session' || actor === 'cli' || actor === 'system') return actor;
  return actor.startsWith('key') ? 'key' : 'visitor';
}
