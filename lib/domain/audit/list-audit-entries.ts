import type { TeamContext } from '@/lib/domain/context';
import {
  auditListFields,
  type AuditEntry,
  type listAuditEntries as listAuditEntriesEndpoint,
} from '@/lib/contract/accounts/account';
import type { Page, QueryOf } from '@/lib/contract/define-endpoint';
import { readPage } from '@/lib/core/lists/list-page';
import { parseListQuery } from '@/lib/core/lists/list-query';
import type { AuditEntry as AuditEntryRow } from '@/lib/generated/prisma/client';

/** Newest first, in the syntax of the query parameter `order`. */
const newestFirst = 'createdAt-true';
/** Prefix of the column `actor` for an API key; the id of the key follows. */
const keyPrefix = 'key:';

/**
 * One page of the team's audit log.
 * @throws AppError `bad_request` (filters, cursor), `invalid` (limit)
 */
export async function listAuditEntries(
  ctx: TeamContext,
  query: QueryOf<typeof listAuditEntriesEndpoint>,
): Promise<Page<AuditEntry>> {
  const request = parseListQuery(query, auditListFields, newestFirst);
  const { teamId, userId } = ctx.actor;
  // A personal team has the id of its account. Its log contains what the person did with the account, for example sign-ins
  // and password changes. Only this person may read those entries, not the other members of the team.
  const isOwnPersonalTeam = userId === teamId;
  const scope = { teamId, ...(isOwnPersonalTeam ? {} : { NOT: { action: { startsWith: 'account.' } } }) };
  const page = await readPage(request, {
    findRows: ({ conditions, orderBy, take }) =>
      ctx.db.auditEntry.findMany({ where: { ...scope, AND: conditions }, orderBy, take }),
    countRows: (conditions) => ctx.db.auditEntry.count({ where: { ...scope, AND: conditions } }),
    toItem: (row) => row,
  });
  const names = await readNames(ctx, page.items);
  return { ...page, items: page.items.map((row) => serialize(row, names)) };
}

/** Kinds of objects that have a name. The action of an entry begins with the kind, for example `stream.created`. */
const namedKinds = ['stream', 'asset', 'webhook', 'target', 'api-key', 'signing-key'] as const;
type NamedKind = (typeof namedKinds)[number];

/**
 * Current names of the objects and API keys on a page, and email addresses of its accounts and invitations, by id. Uses one
 * query per kind. Includes objects that are marked as deleted and still have a row, except accounts.
 */
async function readNames(ctx: TeamContext, rows: readonly AuditEntryRow[]): Promise<Map<string, string>> {
  const objectIdsOf = (kind: NamedKind | 'operator' | 'invitation' | 'team') =>
    rows.flatMap(({ action, objectId }) =>
      action.startsWith(`${kind}.`) && objectId !== null ? [objectId] : [],
    );
  const findByKind: Record<NamedKind, (query: NameQuery) => Promise<NamedRow[]>> = {
    stream: (query) => ctx.db.stream.findMany(query),
    asset: (query) => ctx.db.asset.findMany(query),
    webhook: (query) => ctx.db.webhook.findMany(query),
    target: (query) => ctx.db.multistreamTarget.findMany(query),
    'api-key': (query) => ctx.db.apiKey.findMany(query),
    'signing-key': (query) => ctx.db.signingKey.findMany(query),
  };
  const namedRows = await Promise.all(
    namedKinds.map(async (kind) => {
      const keyIds = kind === 'api-key' ? rows.flatMap((row) => keyIdOf(row) ?? []) : [];
      const ids = [...new Set([...objectIdsOf(kind), ...keyIds])];
      const where = { teamId: ctx.actor.teamId, id: { in: ids } };
      return ids.length === 0 ? [] : findByKind[kind]({ where, select: { id: true, name: true } });
    }),
  );
  const userIds = rows.flatMap(({ userId }) => userId ?? []);
  // The object of an `operator.*` entry is an account, that of a `team.*` entry an account or an invitation.
  const accountIds = [...objectIdsOf('operator'), ...objectIdsOf('team'), ...userIds];
  const invitationIds = [...objectIdsOf('invitation'), ...objectIdsOf('team')];
  const select = { id: true, email: true } as const;
  const [accounts, invitations] = await Promise.all([
    // A deleted account has a placeholder instead of its address.
    ctx.db.account.findMany({ where: { id: { in: accountIds }, deletedAt: null }, select }),
    ctx.db.invitation.findMany({ where: { id: { in: invitationIds } }, select }),
  ]);
  // An invitation without an address is a link that anyone may use.
  const emails = [...accounts, ...invitations].flatMap(({ id, email }) =>
    email === null ? [] : [[id, email] as const],
  );
  return new Map([...namedRows.flat().map(({ id, name }) => [id, name] as const), ...emails]);
}

interface NamedRow {
  readonly id: string;
  readonly name: string;
}

interface NameQuery {
  where: { teamId: string; id: { in: string[] } };
  select: { id: true; name: true };
}

/** Id of the API key that acted; null for other actors. */
const keyIdOf = ({ actor }: AuditEntryRow): string | null =>
  actor.startsWith(keyPrefix) ? actor.slice(keyPrefix.length) : null;

function serialize(row: AuditEntryRow, names: ReadonlyMap<string, string>): AuditEntry {
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

/**
 * The kind of actor in the API. The column contains `key:` and an id, `key` if the id was unknown, or `anonymous` for a
 * person who is not logged in, which the API calls a visitor.
 */
function actorOf(actor: string): AuditEntry['actor'] {
  if (actor === 'session' || actor === 'cli' || actor === 'system') return actor;
  return actor.startsWith('key') ? 'key' : 'visitor';
}
