import Link from 'next/link';
import type { ReactNode } from 'react';
import { RelativeTime } from '@/components/ui/relative-time';
import { Skeleton } from '@/components/ui/skeleton';
import { Cell, Column, Row, Table } from '@/components/ui/table';
import type { AuditLine } from '@/lib/contract/account-endpoints';
import { actionInWords, actorInWords, agentInWords, pageOfLine } from './audit-words';

const SKELETON_ROWS = 6;

/** Who did what to which object from where; undefined = not loaded yet. */
export function AuditTable({ lines }: { lines: readonly AuditLine[] | undefined }) {
  return (
    <Table
      label="Audit log"
      head={
        <>
          <Column>What</Column>
          <Column>Who</Column>
          <Column>Object</Column>
          <Column>From</Column>
          <Column>When</Column>
        </>
      }
    >
      {lines
        ? lines.map((line) => (
            <Cells
              key={line.id}
              what={<span className="font-medium">{actionInWords(line.action)}</span>}
              who={<span className="wrap-anywhere">{actorInWords(line)}</span>}
              object={<ObjectOf line={line} />}
              from={<From line={line} />}
              when={<RelativeTime at={line.createdAt} />}
            />
          ))
        : Array.from({ length: SKELETON_ROWS }, (_, index) => (
            <Cells
              key={index}
              what={<Skeleton className="h-4 w-32" />}
              who={<Skeleton className="h-4 w-28" />}
              object={<Skeleton className="h-4 w-20" />}
              from={<Skeleton className="h-4 w-28" />}
              when={<Skeleton className="h-4 w-20" />}
            />
          ))}
    </Table>
  );
}

function Cells(cells: Record<'what' | 'who' | 'object' | 'from' | 'when', ReactNode>) {
  return (
    <Row>
      <Cell>{cells.what}</Cell>
      <Cell label="Who">{cells.who}</Cell>
      <Cell label="Object">{cells.object}</Cell>
      <Cell label="From">{cells.from}</Cell>
      <Cell label="When" className="whitespace-nowrap">
        {cells.when}
      </Cell>
    </Row>
  );
}

function ObjectOf({ line }: { line: AuditLine }) {
  if (line.objectId === null || line.action.startsWith('account.'))
    return <span className="text-ink-3">This account</span>;
  const short = <span className="font-mono text-sm">{line.objectId.slice(0, 8)}</span>;
  const page = pageOfLine(line);
  return page === null ? (
    <span title={line.objectId}>{short}</span>
  ) : (
    <Link
      href={page}
      title={line.objectId}
      className="text-accent-ink rounded-sm underline-offset-2 hover:underline"
    >
      {short}
    </Link>
  );
}

function From({ line: { ip, userAgent } }: { line: AuditLine }) {
  if (ip === null && userAgent === null) return <span className="text-ink-3">–</span>;
  return (
    <span className="grid leading-5" title={userAgent ?? undefined}>
      <span className="font-mono text-sm">{ip}</span>
      <span className="text-ink-3 text-sm">{agentInWords(userAgent)}</span>
    </span>
  );
}
