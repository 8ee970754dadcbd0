'use client';

import Link from 'next/link';
import { LoadFailed, none } from '@/components/ui/empty-state';
import { Panel } from '@/components/ui/panel';
import { RelativeTime } from '@/components/ui/relative-time';
import { type DataColumn, DataTable } from '@/components/ui/table/data-table';
import { ListPager } from '@/components/ui/table/list-controls';
import { useCursor } from '@/components/ui/table/use-list-state';
import { useAuditLog } from '@/lib/client/queries/account-queries';
import type { AuditLine } from '@/lib/contract/accounts/account';
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

const PAGE_SIZE = 20;

export function AuditPanel() {
  const { cursor, setCursor } = useCursor();
  const log = useAuditLog({ limit: String(PAGE_SIZE), count: '1', ...(cursor ? { cursor } : {}) });
  const page = log.data;
  return (
    <Panel
      title="Audit log"
      description="Every change to your account, with actor and IP address. Entries can’t be edited or deleted."
    >
      {log.isError && !page ? (
        <LoadFailed what="The audit log" error={log.error} onRetry={() => void log.refetch()} />
      ) : (
        <AuditTable lines={page?.items} />
      )}
      {page && (
        <ListPager
          what="line"
          page={page}
          state={{ cursor }}
          onChange={({ cursor: next = null }) => setCursor(next)}
        />
      )}
    </Panel>
  );
}
