'use client';

import Link from 'next/link';
import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import type { Translator } from '@/components/i18n/messages';
import { Button } from '@/components/ui/button';
import { EmptyState, LoadErrorMessage, emptyCell } from '@/components/ui/empty-state';
import { Select } from '@/components/ui/form/field';
import { RelativeTime } from '@/components/ui/relative-time';
import { type DataColumn, DataTable } from '@/components/ui/table/data-table';
import { ListPager } from '@/components/ui/table/list-controls';
import { ALL_FILTER_VALUE } from '@/components/ui/table/list-state';
import { useListState } from '@/components/ui/table/use-list-state';
import { useAuditLog } from '@/lib/client/queries/account-queries';
import type { AuditEntry } from '@/lib/contract/accounts/account';
import { auditKinds, auditListQueryOf, auditListOptions } from './audit-list';
import { describeAction, describeActor, describeAgent, objectHref } from './audit-text';

/** Table of entries with actor, action and origin. The entries are undefined while they load. */
function AuditTable({ entries }: { entries: readonly AuditEntry[] | undefined }) {
  const t = useTranslations('settings.auditLog');
  const tAuditText = useTranslations('settings.auditText');
  const columns = useMemo(() => columnsOf(t, tAuditText), [t, tAuditText]);
  return (
    <DataTable
      label={t('auditLog')}
      columns={columns}
      rows={entries}
      nameOf={({ action }) => describeAction(tAuditText, action)}
    />
  );
}

const columnsOf = (
  t: Translator<'settings.auditLog'>,
  tAuditText: Translator<'settings.auditText'>,
): readonly DataColumn<AuditEntry>[] => [
  {
    head: t('what'),
    skeleton: 'h-4 w-32',
    cell: ({ action }) => <span className="font-medium">{describeAction(tAuditText, action)}</span>,
  },
  {
    head: t('who'),
    phone: true,
    skeleton: 'h-4 w-28',
    cell: (entry) => <ActorCell name={describeActor(tAuditText, entry)} />,
  },
  {
    head: t('object'),
    phone: true,
    skeleton: 'h-4 w-20',
    cell: (entry) => <ObjectCell entry={entry} />,
  },
  {
    head: t('from'),
    width: '@max-2xl:hidden',
    skeleton: 'h-4 w-28',
    className: '@max-2xl:hidden',
    cell: (entry) => <OriginCell entry={entry} />,
  },
  {
    head: t('when'),
    phone: true,
    skeleton: 'h-4 w-20',
    className: 'whitespace-nowrap',
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
  },
];

/** Name of the actor in one line, because an email address would otherwise be broken within a word. */
const ActorCell = ({ name }: { name: string }) => (
  <span title={name} className="block max-w-56 truncate sm:@max-xl:max-w-32">
    {name}
  </span>
);

/** Name of the object, or the first part of its id, linked to its page if it has one. */
function ObjectCell({ entry }: { entry: AuditEntry }) {
  const t = useTranslations('settings.auditLog');
  if (entry.objectId === null || entry.action.startsWith('account.'))
    return <span className="text-ink-3">{t('thisAccount')}</span>;
  const label = entry.objectName ?? <span className="font-mono text-sm">{entry.objectId.slice(0, 8)}</span>;
  const href = objectHref(entry);
  return href === null ? (
    <span title={entry.objectId} className="line-clamp-2 wrap-anywhere">
      {label}
    </span>
  ) : (
    <Link
      href={href}
      title={entry.objectId}
      className="text-accent-ink line-clamp-2 rounded-sm wrap-anywhere underline-offset-2 hover:underline"
    >
      {label}
    </Link>
  );
}

/** IP address and browser of the actor. */
function OriginCell({ entry: { ip, userAgent } }: { entry: AuditEntry }) {
  const t = useTranslations('settings.auditText');
  if (ip === null && userAgent === null) return emptyCell;
  return (
    <span className="grid leading-5 whitespace-nowrap" title={userAgent ?? undefined}>
      <span className="font-mono text-sm">{ip}</span>
      <span className="text-ink-3 text-sm">{describeAgent(t, userAgent)}</span>
    </span>
  );
}

/** Every change to the team, newest first. */
export function AuditLog() {
  const t = useTranslations('settings.auditLog');
  const { state, updateListState, setFilter } = useListState(auditListOptions);
  const log = useAuditLog(auditListQueryOf(state));
  const page = log.data;
  const empty = page?.items.length === 0 && !state.cursor;
  return (
    <section aria-label={t('auditLog')}>
      <h2 className="text-lg font-semibold tracking-tight">{t('auditLog')}</h2>
      <p className="text-ink-2 mt-0.5">{t('description')}</p>
      <Select
        aria-label={t('kind')}
        value={state.filters.kind ?? ALL_FILTER_VALUE}
        onChange={(event) => setFilter('kind', event.target.value)}
        className="my-4 h-8 w-auto text-sm"
      >
        {auditKinds.map((value) => (
          <option key={value} value={value}>
            {t(`kinds.${value}`)}
          </option>
        ))}
      </Select>
      {log.isError && !page ? (
        <LoadErrorMessage subject={t('theAuditLog')} error={log.error} onRetry={() => void log.refetch()} />
      ) : empty ? (
        <EmptyState
          title={t('noEntryOfKind')}
          action={<Button onClick={() => updateListState({ filters: {} })}>{t('showAllKinds')}</Button>}
        >
          {t('chooseAnotherKind')}
        </EmptyState>
      ) : (
        <AuditTable entries={page?.items} />
      )}
      {page && !empty && (
        <ListPager
          formatCount={(count) => t('rowCount', { count })}
          page={page}
          state={state}
          onChange={updateListState}
        />
      )}
    </section>
  );
}
