import type { TeamContext } from '@/lib/domain/context';
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
 * One page of the team's audit log.
 * @throws AppError `bad_request` (filters, cursor), `invalid` (limit)
 */
export async function listAuditEntries(
  ctx: TeamContext,
  query: QueryOf<typeof endpoint>,
): Promise<Page<AuditLine>> {
  const request = parseListQuery(query, auditListFields, defaultOrder);
  const { teamId, userId } = ctx.actor;
  // Actions of a person on their account are hidden from other members of their personal team.
  const actionFilter =
    userId === undefined || userId === teamId ? {} : { NOT: { action: { startsWith: 'account.' } } };
  const scope = { teamId, ...actionFilter };
  const page = await readPage(request, {
    findRows: ({ conditions, orderBy, take }) =>
      ctx.db.auditEntry.findMany({ where: { ...scope, AND: conditions }, orderBy, take }),
    countRows: (conditions) => ctx.db.auditEntry.count({ where: { ...scope, AND: conditions } }),
    toItem: (row) => row,
  });
  const names = await readNames(ctx, page.items);
  return { ...page, items: page.items.map((row) => serialize(row, names)) };
}

const kinds = ['stream', 'asset', 'webhook', 'target', 'api-key', 'signing-key'] as const;
type Kind = (typeof kinds)[number];

/**
 * Display names by id of the objects, API keys, accounts and invitations on a page, with one query per kind. Includes objects
 * that are only marked as deleted.
 */
async function readNames(ctx: TeamContext, rows: readonly AuditEntry[]): Promise<Map<string, string>> {
  const objectIdsOf = (kind: Kind | 'operator' | 'invitation' | 'team') =>
    rows.flatMap(({ action, objectId }) =>
      action.startsWith(`${kind}.`) && objectId !== null ? [objectId] : [],
    );
  const findByKind: Record<Kind, (query: NameQuery) => Promise<NamedRow[]>> = {
    stream: (query) => ctx.db.stream.findMany(query),
    asset: (query) => ctx.db.asset.findMany(query),
    webhook: (query) => ctx.db.webhook.findMany(query),
    target: (query) => ctx.db.multistreamTarget.findMany(query),
    'api-key': (query) => ctx.db.apiKey.findMany(query),
    'signing-key': (query) => ctx.db.signingKey.findMany(query),
  };
  const nameLists = await Promise.all(
    kinds.map(async (kind) => {
      const keyIds = kind === 'api-key' ? rows.flatMap((row) => keyIdOf(row) ?? []) : [];
      const ids = [...new Set([...objectIdsOf(kind), ...keyIds])];
      const where = { teamId: ctx.actor.teamId, id: { in: ids } };
      return ids.length === 0 ? [] : findByKind[kind]({ where, select: { id: true, name: true } });
    }),
  );
  const userIds = rows.flatMap(({ userId }) => userId ?? []);
  // The object of an `operator.*` entry is an account, that of a `team.*` entry an account or an invitation.
  const [accounts, invitations] = await Promise.all([
    ctx.db.account.findMany(emailQuery([...objectIdsOf('operator'), ...objectIdsOf('team'), ...userIds])),
    ctx.db.invitation.findMany(emailQuery([...objectIdsOf('invitation'), ...objectIdsOf('team')])),
  ]);
  const accountNames = [...accounts, ...invitations].flatMap(({ id, email }) =>
    email === null || email.startsWith('deleted:') ? [] : [[id, email] as const],
  );
  return new Map([...nameLists.flat().map(({ id, name }) => [id, name] as const), ...accountNames]);
}

const emailQuery = (ids: string[]) =>
  ({ where: { id: { in: ids } }, select: { id: true, email: true } }) as const;

interface NamedRow {
  readonly id: string;
  readonly name: string;
}

interface NameQuery {
  where: { teamId: string; id: { in: string[] } };
  select: { id: true; name: true };
}

const keyIdOf = ({ actor }: AuditEntry): string | null =>
  actor.startsWith(keyPrefix) ? actor.slice(keyPrefix.length) : null;

function serialize(row: AuditEntry, names: ReadonlyMap<string, string>): AuditLine {
  const keyId = keyIdOf(row);
  return {
    id: row.id,
    createdAt: row.createdAt.getTime(),
    action: row.action,
    email: row.userId === null ? null : (names.get(row.userId) ?? null),
    actor: actorOf(row.actor),
    keyId,
    keyName: keyId === null ? null : (names.get(keyId) ?? null),
    objectId: row.objectId,
    objectName: row.objectId === null ? null : (names.get(row.objectId) ?? null),
    ip: row.ip,
    userAgent: row.userAgent,
  };
}

function actorOf(actor: string): AuditLine['actor'] {
  if (actor === 'session' || actor === 'cli' || actor === 'system') return actor;
  return actor.startsWith('key') ? 'key' : 'visitor';
}
