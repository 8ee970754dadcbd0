import { Eye, Trash2 } from 'lucide-react';
import { DataTable, type DataColumn } from '@/components/ui/data-table';
import { MenuItem, MenuSeparator } from '@/components/ui/menu';
import { RelativeTime } from '@/components/ui/relative-time';
import { RowMenu } from '@/components/ui/row-menu';
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

export function KeyTable({ keys, today, onReveal, onDelete }: KeyTableProps) {
  return (
    <DataTable
      label="API keys"
      columns={columnsOf(today)}
      rows={keys}
      nameOf={({ name }) => name}
      stillRows={3}
      menu={(key) => (
        <KeyMenu name={key.name} onReveal={() => onReveal(key)} onDelete={() => onDelete(key)} />
      )}
    />
  );
}

const columnsOf = (today: number): readonly DataColumn<ApiKey>[] => [
  {
    head: 'Name',
    still: 'h-4 w-36',
    cell: ({ name }) => <span className="font-medium wrap-anywhere">{name}</span>,
  },
  {
    head: 'Kind',
    still: 'h-4 w-20',
    cell: (key) => (
      <>
        <span>{keyKind(key)}</span>
        <Origins origins={key.allowedOrigins} />
      </>
    ),
  },
  {
    head: 'Key',
    still: 'h-4 w-20',
    cell: ({ last4 }) => <span className="text-ink-2 font-mono text-sm whitespace-nowrap">lsk_…{last4}</span>,
  },
  { head: 'Last used', still: 'h-4 w-20', cell: ({ lastUsedAt }) => <RelativeTime at={lastUsedAt} /> },
  {
    head: 'Calls, 30 days',
    still: 'h-5 w-36',
    cell: ({ usage }) => <KeyUsage usage={usage} today={today} />,
  },
];

function KeyMenu(props: { name: string; onReveal: () => void; onDelete: () => void }) {
  return (
    <RowMenu of={props.name}>
      <MenuItem icon={Eye} onSelect={props.onReveal}>
        Reveal secret
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={Trash2} danger onSelect={props.onDelete}>
        Delete key
      </MenuItem>
    </RowMenu>
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
