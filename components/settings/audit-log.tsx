'use client';

import Link from 'next/link';
import { Button } from '@/components/ui/button';
import { EmptyState, LoadFailed, none } from '@/components/ui/empty-state';
import { Select } from '@/components/ui/form/field';
import { RelativeTime } from '@/components/ui/relative-time';
import { type DataColumn, DataTable } from '@/components/ui/table/data-table';
import { ListPager } from '@/components/ui/table/list-controls';
import { everything } from '@/components/ui/table/list-state';
import { useListState } from '@/components/ui/table/use-list-state';
import { useAuditLog } from '@/lib/client/queries/account-queries';
import type { AuditLine } from '@/lib/contract/accounts/account';
import { auditKinds, auditListQueryOf, auditListShape } from './audit-list';
import { actionInWords, actorInWords, agentInWords, pageOfLine } from './audit-words';

/** Who did what to which object from where; undefined = not loaded yet. */
function AuditTable({ lines }: { lines: readonly AuditLine[] | undefined }) {
  return (
    <DataTable
      label="Audit log"
      columns={columns}
      rows={lines}
      nameOf={({ action }) => actionInWords(action)}
    />
  );
}

const columns: readonly DataColumn<AuditLine>[] = [
  {
    head: 'What',
    still: 'h-4 w-32',
    cell: ({ action }) => <span className="font-medium">{actionInWords(action)}</span>,
  },
  {
    head: 'Who',
    phone: true,
    still: 'h-4 w-28',
    cell: (line) => <span className="wrap-anywhere">{actorInWords(line)}</span>,
  },
  { head: 'Object', still: 'h-4 w-20', cell: (line) => <ObjectOf line={line} /> },
  { head: 'From', still: 'h-4 w-28', cell: (line) => <From line={line} /> },
  {
    head: 'When',
    phone: true,
    still: 'h-4 w-20',
    className: 'whitespace-nowrap',
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
  },
];

function ObjectOf({ line }: { line: AuditLine }) {
  if (line.objectId === null || line.action.startsWith('account.'))
    return <span className="text-ink-3">This account</span>;
  const short = line.objectName ?? <span className="font-mono text-sm">{line.objectId.slice(0, 8)}</span>;
  const page = pageOfLine(line);
  return page === null ? (
    <span title={line.objectId} className="line-clamp-2 wrap-anywhere">
      {short}
    </span>
  ) : (
    <Link
      href={page}
      title={line.objectId}
      className="text-accent-ink line-clamp-2 rounded-sm wrap-anywhere underline-offset-2 hover:underline"
    >
      {short}
    </Link>
  );
}

function From({ line: { ip, userAgent } }: { line: AuditLine }) {
  if (ip === null && userAgent === null) return none;
  return (
    <span className="grid leading-5" title={userAgent ?? undefined}>
      <span className="font-mono text-sm">{ip}</span>
      <span className="text-ink-3 text-sm">{agentInWords(userAgent)}</span>
    </span>
  );
}

/** Every change to the account, newest first. */
export function AuditLog() {
  const { state, change, filter } = useListState(auditListShape);
  const log = useAuditLog(auditListQueryOf(state));
  const page = log.data;
  const empty = page?.items.length === 0 && !state.cursor;
  return (
    <section aria-label="Audit log">
      <h2 className="text-lg font-semibold tracking-tight">Audit log</h2>
      <p className="text-ink-2 mt-0.5">
        Every change to your account, with actor and IP address. Entries can’t be edited or deleted.
      </p>
      <Select
        aria-label="Kind"
        value={state.filters.kind ?? everything}
        onChange={(event) => filter('kind', event.target.value)}
        className="my-4 h-8 w-auto text-sm"
      >
        {auditKinds.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
      {log.isError && !page ? (
        <LoadFailed what="The audit log" error={log.error} onRetry={() => void log.refetch()} />
      ) : empty ? (
        <EmptyState
          title="No entry of this kind"
          action={<Button onClick={() => change({ filters: {} })}>Show all kinds</Button>}
        >
          Choose another kind.
        </EmptyState>
      ) : (
        <AuditTable lines={page?.items} />
      )}
      {page && !empty && (
        <ListPager what="entry" whats="entries" page={page} state={state} onChange={change} />
      )}
    </section>
  );
}
