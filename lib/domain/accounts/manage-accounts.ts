import { recordAudit, type AuditAction } from '@/lib/domain/audit';
import { transact, type AccountContext, type Context } from '@/lib/domain/context';
import {
  managedAccountFields,
  type listAccounts as listEndpoint,
  type ManagedAccount,
} from '@/lib/contract/accounts/admin';
import type { Page, QueryOf } from '@/lib/contract/define-endpoint';
import {
  decideAccountAction,
  type AccountAction,
  type ManagementRejection,
} from '@/lib/core/accounts/account-management';
import { AppError, notFound } from '@/lib/core/errors';
import { readPage } from '@/lib/core/lists/list-page';
import { parseListQuery } from '@/lib/core/lists/list-query';
import { readStoredBytes } from '@/lib/domain/metering';
import { updateStatusOfOwnedTeams } from '@/lib/domain/teams';
import { markAccountDeleted, createUnusablePasswordHash } from './delete-account';
import { isOperatorEmail } from './operators';

const accountColumns = { id: true, email: true, createdAt: true, lastSeen: true, suspended: true } as const;
/** Newest first, in the syntax of the query parameter `order`. */
const newestFirst = 'createdAt-true';
const MAX_PAGE_SIZE = 1_000;

interface AccountRow {
  readonly id: string;
  readonly email: string;
  readonly createdAt: Date;
  readonly lastSeen: Date | null;
  readonly suspended: boolean;
}

/**
 * One page of all accounts.
 * @throws AppError `bad_request` (filters, cursor), `invalid` (limit)
 */
export async function listManagedAccounts(
  ctx: Context,
  query: QueryOf<typeof listEndpoint>,
): Promise<Page<ManagedAccount>> {
  const request = parseListQuery(query, managedAccountFields, newestFirst, MAX_PAGE_SIZE);
  const notDeleted = { deletedAt: null };
  const page = await readPage(request, {
    findRows: ({ conditions, orderBy, take }) =>
      ctx.db.account.findMany({
        where: { ...notDeleted, AND: conditions },
        orderBy,
        take,
        select: accountColumns,
      }),
    countRows: (conditions) => ctx.db.account.count({ where: { ...notDeleted, AND: conditions } }),
    toItem: (row) => row,
  });
  return { ...page, items: await addTeamsAndUsage(ctx, page.items) };
}

/** Adds teams and usage to accounts, with three statements in total. */
async function addTeamsAndUsage(ctx: Context, rows: readonly AccountRow[]): Promise<ManagedAccount[]> {
  const members = await ctx.db.teamMember.findMany({
    where: { userId: { in: rows.map(({ id }) => id) }, team: { deletedAt: null } },
    orderBy: [{ createdAt: 'asc' }, { teamId: 'asc' }],
    select: { userId: true, teamId: true, role: true, team: { select: { name: true } } },
  });
  const teamIds = [...new Set(members.map(({ teamId }) => teamId))];
  const [storedBytesByTeam, streamGroups] = await Promise.all([
    readStoredBytes(ctx, teamIds),
    ctx.db.stream.groupBy({
      by: ['teamId'],
      where: { teamId: { in: teamIds }, parentId: null, deletedAt: null },
      _count: true,
    }),
  ]);
  const streamCounts = new Map(streamGroups.map(({ teamId, _count }) => [teamId, _count]));
  return rows.map(({ id, email, createdAt, lastSeen, suspended }) => {
    const teams = members
      .filter(({ userId }) => userId === id)
      .map(({ teamId, role, team: { name } }) => ({
        id: teamId,
        name,
        role,
        streamCount: streamCounts.get(teamId) ?? 0,
        storedBytes: storedBytesByTeam.get(teamId)?.bytes ?? 0,
      }));
    const ownedTeams = teams.filter(({ role }) => role === 'owner');
    return {
      id,
      email,
      suspended,
      teams,
      createdAt: createdAt.getTime(),
      lastSeen: lastSeen?.getTime() ?? null,
      operator: isOperatorEmail(ctx, email),
      streamCount: ownedTeams.reduce((sum, team) => sum + team.streamCount, 0),
      storedBytes: ownedTeams.reduce((sum, team) => sum + team.storedBytes, 0),
    };
  });
}

const rejectionMessages: Readonly<Record<ManagementRejection, string>> = {
  own_account: 'operators cannot suspend or delete their own account here',
  operator_account: 'accounts in OPERATOR_EMAILS cannot be suspended or deleted: change the setting first',
};

/**
 * Suspends an account or lifts the suspension. Publishers are disconnected within seconds; playback, keys, deliveries and
 * new tasks stop immediately, because each of these reads the team. A suspension ends the sign-in sessions for good.
 * @throws AppError `not_found`, `conflict`
 */
export async function setSuspended(
  ctx: AccountContext,
  id: string,
  suspended: boolean,
): Promise<ManagedAccount> {
  return transact(ctx, async (tx) => {
    const action = suspended ? 'suspend' : 'unsuspend';
    const { account, outcome } = await authorizeAction(tx, id, action);
    if (outcome === 'change') {
      await tx.db.account.update({
        where: { id },
        data: { suspended, ...(suspended ? { sessionVersion: { increment: 1 } } : {}) },
      });
      await updateStatusOfOwnedTeams(tx, id);
      await recordInBothLogs(tx, id, suspended ? 'account-suspended' : 'account-unsuspended');
    }
    const [description] = await addTeamsAndUsage(tx, [{ ...account, suspended }]);
    if (!description) throw new Error('The account has no row');
    return description;
  });
}

/**
 * Deletes an account on behalf of the operator.
 * @throws AppError `not_found`, `conflict`
 */
export async function removeAccount(ctx: AccountContext, id: string): Promise<void> {
  const passwordHash = await createUnusablePasswordHash();
  await transact(ctx, async (tx) => {
    await authorizeAction(tx, id, 'delete');
    await markAccountDeleted(tx, id, passwordHash);
    await recordInBothLogs(tx, id, 'account-deleted');
  });
}

/**
 * Decides whether the operator may act on an account.
 * @returns the account; `outcome` is `change`, or `nothing` if the account is already in the requested state
 * @throws AppError `not_found`, `conflict` for an account of an operator
 */
async function authorizeAction(
  tx: AccountContext,
  id: string,
  action: AccountAction,
): Promise<{ account: AccountRow; outcome: string }> {
  const account = await tx.db.account.findFirst({ where: { id, deletedAt: null }, select: accountColumns });
  if (!account) throw notFound();
  const outcome = decideAccountAction(action, {
    isOwn: id === tx.actor.userId,
    isOperator: isOperatorEmail(tx, account.email),
    isSuspended: account.suspended,
  });
  if (typeof outcome === 'object') throw new AppError('conflict', rejectionMessages[outcome.rejected]);
  return { account, outcome };
}

const auditActions = {
  'account-suspended': 'account.suspended',
  'account-unsuspended': 'account.unsuspended',
  'account-deleted': 'account.deleted',
} as const satisfies Record<string, AuditAction>;

/**
 * Records an operator's action in the audit logs of the operator and of the account. The log of the account, whose team has the
 * same id, does not name the operator.
 */
async function recordInBothLogs(
  tx: AccountContext,
  id: string,
  event: keyof typeof auditActions,
): Promise<void> {
  await recordAudit(tx, { action: `operator.${event}`, objectId: id });
  // The actor `cli` stands for the operator.
  const accountContext = { ...tx, actor: { kind: 'cli', teamId: id } } as const;
  await recordAudit(accountContext, { action: auditActions[event], objectId: id });
}
