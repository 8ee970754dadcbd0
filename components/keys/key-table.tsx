import { Ellipsis, Eye, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '@/components/ui/button';
import { Menu, MenuItem, MenuSeparator } from '@/components/ui/menu';
import { RelativeTime } from '@/components/ui/relative-time';
import { Skeleton } from '@/components/ui/skeleton';
import { Cell, Column, Row, Table } from '@/components/ui/table';
import type { ApiKey } from '@/lib/contract/api-key';
import { keyKind } from './key-kind';
import { KeyUsage } from './key-usage';

interface KeyTableProps {
  /** undefined = not loaded yet. */
  keys: readonly ApiKey[] | undefined;
  today: number;
  onReveal: (key: ApiKey) => void;
  onDelete: (key: ApiKey) => void;
}

const SKELETON_ROWS = 3;

export function KeyTable({ keys, today, onReveal, onDelete }: KeyTableProps) {
  return (
    <Table
      label="API keys"
      head={
        <>
          <Column>Name</Column>
          <Column>Kind</Column>
          <Column>Key</Column>
          <Column>Last used</Column>
          <Column>Calls, 30 days</Column>
          <Column className="w-14">
            <span className="sr-only">Actions</span>
          </Column>
        </>
      }
    >
      {keys
        ? keys.map((key) => (
            <Cells
              key={key.id}
              name={<span className="font-medium wrap-anywhere">{key.name}</span>}
              kind={
                <>
                  <span>{keyKind(key)}</span>
                  <Origins origins={key.allowedOrigins} />
                </>
              }
              secret={
                <span className="text-ink-2 font-mono text-sm whitespace-nowrap">lsk_…{key.last4}</span>
              }
              lastUsed={<RelativeTime at={key.lastUsedAt} />}
              usage={<KeyUsage usage={key.usage} today={today} />}
              menu={<KeyMenu name={key.name} onReveal={() => onReveal(key)} onDelete={() => onDelete(key)} />}
            />
          ))
        : Array.from({ length: SKELETON_ROWS }, (_, index) => (
            <Cells
              key={index}
              name={<Skeleton className="h-4 w-36" />}
              kind={<Skeleton className="h-4 w-20" />}
              secret={<Skeleton className="h-4 w-20" />}
              lastUsed={<Skeleton className="h-4 w-20" />}
              usage={<Skeleton className="h-5 w-36" />}
              menu={<Skeleton className="size-8" />}
            />
          ))}
    </Table>
  );
}

type CellName = 'name' | 'kind' | 'secret' | 'lastUsed' | 'usage' | 'menu';

function Cells(cells: Record<CellName, ReactNode>) {
  return (
    <Row>
      <Cell className="max-sm:pr-10">{cells.name}</Cell>
      <Cell label="Kind">{cells.kind}</Cell>
      <Cell label="Key">{cells.secret}</Cell>
      <Cell label="Last used">{cells.lastUsed}</Cell>
      <Cell label="Calls">{cells.usage}</Cell>
      <Cell className="max-sm:absolute max-sm:top-2 max-sm:right-2">{cells.menu}</Cell>
    </Row>
  );
}

function KeyMenu(props: { name: string; onReveal: () => void; onDelete: () => void }) {
  return (
    <Menu
      trigger={
        <Button variant="ghost" size="icon" aria-label={`Actions for ${props.name}`}>
          <Ellipsis aria-hidden="true" />
        </Button>
      }
    >
      <MenuItem onSelect={props.onReveal}>
        <Eye aria-hidden="true" />
        Reveal secret
      </MenuItem>
      <MenuSeparator />
      <MenuItem danger onSelect={props.onDelete}>
        <Trash2 aria-hidden="true" />
        Delete key
      </MenuItem>
    </Menu>
  );
}

function Origins({ origins }: { origins: readonly string[] }) {
  const [first, ...others] = origins;
  if (first === undefined) return null;
  return (
    <span
      className="text-ink-3 block truncate font-mono text-xs max-sm:col-start-2 sm:max-w-56"
      title={origins.join('\n')}
    >
      {first === '*' ? 'any origin' : first}
      {others.length > 0 && ` +${others.length}`}
    </span>
  );
}
