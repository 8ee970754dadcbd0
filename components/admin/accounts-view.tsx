'use client';

import { Gauge, Pause, Play, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { EmptyState, emptyCell } from '@/components/ui/empty-state';
import { formatSize } from '@/components/ui/figures';
import { FilterChips } from '@/components/ui/form/chips';
import { MenuItem } from '@/components/ui/overlay/menu';
import { AdminNav } from './admin-nav';
import { PageHeader } from '@/components/ui/page-header';
import { RelativeTime } from '@/components/ui/relative-time';
import { StatusPill } from '@/components/ui/status-pill';
import { DataTable, type DataColumn } from '@/components/ui/table/data-table';
import { RowMenu } from '@/components/ui/table/row-menu';
import type { NamedRow } from '@/components/ui/table/selection-bar';
import { ListContent } from '@/components/ui/table/list-content';
import { ListToolbar } from '@/components/ui/table/list-controls';
import {
  ALL_FILTER_VALUE,
  hasActiveFilters,
  listQueryOf,
  type ListOptions,
  type ListState,
} from '@/components/ui/table/list-state';
import { useListState } from '@/components/ui/table/use-list-state';
import {
  type AccountAction,
  type RequestedAction,
  ConfirmAccountActionDialog,
} from './confirm-account-action';
import { QuotasDialog } from './quotas-dialog';
import { useManagedAccounts } from '@/lib/client/queries/admin-queries';
import type { ManagedAccount } from '@/lib/contract/accounts/admin';

type SortField = 'email' | 'createdAt' | 'lastSeen';

const accountStates = ['all', 'active', 'suspended'] as const;

const accountListOptions: ListOptions<SortField> = {
  filters: { state: accountStates },
  sorts: ['email', 'createdAt', 'lastSeen'],
  sort: 'createdAt',
  descending: true,
};

/** Query of the account list in the API for the search and filters of the page. */
function queryOf(state: ListState<SortField>) {
  const search = state.search.trim();
  const { state: stateFilter } = state.filters;
  return listQueryOf({ ...state, search: '' }, [
    ...(search ? [{ id: 'email', value: search }] : []),
    ...(stateFilter ? [{ id: 'suspended', value: stateFilter === 'suspended' }] : []),
  ]);
}

export function AccountsView() {
  const t = useTranslations('admin.accounts');
  const { state, updateListState, setFilter } = useListState(accountListOptions);
  const accounts = useManagedAccounts(queryOf(state));
  const [requestedAction, setRequestedAction] = useState<RequestedAction | null>(null);
  const [teamToLimit, setTeamToLimit] = useState<NamedRow | null>(null);
  const columns = useColumns();
  return (
    <>
      <PageHeader nav={<AdminNav />} title={t('title')} description={t('description')} />
      <ListToolbar
        subject={t('subject')}
        hint={t('search')}
        search={state.search}
        onSearch={(search) => updateListState({ search }, 'replace')}
      >
        <FilterChips
          label={t('filter')}
          value={state.filters.state ?? ALL_FILTER_VALUE}
          options={accountStates.map((value) => ({ value, label: t(`states.${value}`) }))}
          onChange={(value) => setFilter('state', value)}
        />
      </ListToolbar>
      <ListContent
        query={accounts}
        itemsLabel={t('theAccounts')}
        state={state}
        formatCount={(count) => t('rowCount', { count })}
        onChange={updateListState}
        empty={
          <EmptyState
            title={t('noMatch')}
            {...(hasActiveFilters(state)
              ? {
                  action: (
                    <Button onClick={() => updateListState({ search: '', filters: {} })}>
                      {t('showAll')}
                    </Button>
                  ),
                }
              : {})}
          >
            {t('noMatchText')}
          </EmptyState>
        }
      >
        <DataTable
          label={t('title')}
          columns={columns}
          rows={accounts.data?.items}
          nameOf={({ email }) => email}
          sorting={{
            sort: state.sort,
            descending: state.descending,
            onSort: (sort) =>
              updateListState({
                sort,
                // A second click reverses the order. Emails begin with A, times with the newest.
                descending: sort === state.sort ? !state.descending : sort !== 'email',
              }),
          }}
          menu={(account) => (
            <AccountMenu account={account} onAction={setRequestedAction} onEditQuotas={setTeamToLimit} />
          )}
        />
      </ListContent>
      <ConfirmAccountActionDialog
        requestedAction={requestedAction}
        onClose={() => setRequestedAction(null)}
      />
      <QuotasDialog team={teamToLimit} onClose={() => setTeamToLimit(null)} />
    </>
  );
}

function useColumns(): readonly DataColumn<ManagedAccount, SortField>[] {
  const t = useTranslations('admin.accounts');
  const language = useLocale();
  const numberColumn = {
    phone: true,
    width: 'w-28',
    skeleton: 'h-4 w-12',
    className: 'tabular-nums',
  } as const;
  return [
    {
      head: t('columns.account'),
      sort: 'email',
      skeleton: 'h-4 w-48',
      cell: (row) => <AccountName account={row} />,
    },
    {
      head: t('columns.created'),
      sort: 'createdAt',
      width: 'w-36',
      skeleton: 'h-4 w-20',
      className: 'whitespace-nowrap',
      cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    },
    {
      head: t('columns.lastSeen'),
      sort: 'lastSeen',
      width: 'w-36',
      skeleton: 'h-4 w-20',
      className: 'whitespace-nowrap',
      cell: ({ lastSeen }) => (lastSeen === null ? emptyCell : <RelativeTime at={lastSeen} />),
    },
    {
      ...numberColumn,
      head: t('columns.streams'),
      cell: ({ streamCount: count }) => (
        <>
          <span className="max-sm:hidden">{count.toLocaleString(language)}</span>
          <span className="sm:hidden">{t('phone.streams', { count })}</span>
        </>
      ),
    },
    {
      ...numberColumn,
      head: t('columns.storage'),
      cell: ({ storedBytes }) => formatSize(storedBytes, language),
    },
  ];
}

function AccountName({ account: { id, email, suspended, operator, teams } }: { account: ManagedAccount }) {
  const t = useTranslations('admin.accounts');
  const tTeamRoles = useTranslations('settings.teamRoles');
  // The team that was created with the account has the account's id, and is not listed.
  const otherTeams = teams.filter((team) => team.id !== id);
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1 py-1">
      <span className="font-medium wrap-anywhere">{email}</span>
      {suspended && <StatusPill tone="warn">{t('suspended')}</StatusPill>}
      {operator && <StatusPill tone="idle">{t('operator')}</StatusPill>}
      {otherTeams.length > 0 && (
        <span className="text-ink-2 basis-full text-sm wrap-anywhere">
          {otherTeams.map(({ name, role }) => t('inTeam', { name, role: tTeamRoles(role) })).join(', ')}
        </span>
      )}
    </span>
  );
}

interface AccountMenuProps {
  account: ManagedAccount;
  onAction: (action: RequestedAction) => void;
  /** Opens the quotas of a team that the account owns. */
  onEditQuotas: (team: NamedRow) => void;
}

function AccountMenu({ account, onAction, onEditQuotas }: AccountMenuProps) {
  const t = useTranslations('admin.accounts');
  const { email, suspended, operator } = account;
  const ownedTeams = account.teams
    .filter(({ role }) => role === 'owner')
    // The personal team of the account, which has the same id, is named by the email address.
    .map(({ id, name }) => ({ id, name: id === account.id ? email : name }));
  const requestAction = (action: AccountAction) => () => onAction({ action, account });
  return (
    <RowMenu name={email}>
      {ownedTeams.map((team) => (
        <MenuItem key={team.id} icon={Gauge} onSelect={() => onEditQuotas(team)}>
          {ownedTeams.length === 1 ? t('quotas') : t('quotasOf', { name: team.name })}
        </MenuItem>
      ))}
      {suspended && (
        <MenuItem icon={Play} onSelect={requestAction('unsuspend')}>
          {t('unsuspend.do')}
        </MenuItem>
      )}
      {!suspended && !operator && (
        <MenuItem icon={Pause} onSelect={requestAction('suspend')}>
          {t('suspend.do')}
        </MenuItem>
      )}
      {!operator && (
        <MenuItem icon={Trash2} danger onSelect={requestAction('delete')}>
          {t('delete.do')}
        </MenuItem>
      )}
    </RowMenu>
  );
}
