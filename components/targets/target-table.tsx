import { Pencil, Plug, Power, Trash2 } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'use-intl';
import type { Translator } from '@/components/i18n/messages';
import { useHasRole } from '@/components/teams/use-team';
import { DataTable, type DataColumn } from '@/components/ui/table/data-table';
import { createdColumn } from '@/components/ui/table/list-columns';
import { MenuItem, MenuSeparator } from '@/components/ui/overlay/menu';
import { RowMenu } from '@/components/ui/table/row-menu';
import { Skeleton } from '@/components/ui/skeleton';
import { StatusPill } from '@/components/ui/status-pill';
import type { MultistreamTarget } from '@/lib/contract/targets/multistream';

/** A stream that refers to a target. */
export interface ReferringStream {
  id: string;
  name: string;
}

interface TargetActions {
  onTest: (target: MultistreamTarget) => void;
  onEdit: (target: MultistreamTarget) => void;
  onToggle: (target: MultistreamTarget) => void;
  onDelete: (target: MultistreamTarget) => void;
}

interface TargetTableProps extends TargetActions {
  /** Undefined while loading. */
  targets: readonly MultistreamTarget[] | undefined;
  /** Streams that send to a target; undefined while loading. */
  usedBy: (targetId: string) => readonly ReferringStream[] | undefined;
}

export function TargetTable({ targets, usedBy, ...actions }: TargetTableProps) {
  const t = useTranslations('targets.targetTable');
  const mayChange = useHasRole('developer');
  return (
    <DataTable
      label={t('label')}
      columns={columnsOf(t, usedBy)}
      rows={targets}
      nameOf={({ name }) => name}
      placeholderRows={3}
      menu={mayChange ? (target) => <TargetMenu target={target} {...actions} /> : undefined}
    />
  );
}

type Column = DataColumn<MultistreamTarget>;

const columnsOf = (
  t: Translator<'targets.targetTable'>,
  usedBy: TargetTableProps['usedBy'],
): readonly Column[] => [
  {
    head: t('name'),
    skeleton: 'h-4 w-36',
    cell: ({ name }) => <span className="font-medium wrap-anywhere">{name}</span>,
  },
  {
    head: t('state'),
    phone: true,
    skeleton: 'h-6 w-20',
    cell: ({ disabled }) => (
      <StatusPill tone={disabled ? 'idle' : 'accent'}>{t(disabled ? 'disabled' : 'enabled')}</StatusPill>
    ),
  },
  {
    head: t('usedBy'),
    phone: true,
    skeleton: 'h-4 w-28',
    cell: ({ id }) => <StreamLinks streams={usedBy(id)} />,
  },
  { ...createdColumn, head: t('created') },
];

const SHOWN_STREAMS = 2;

/** Links to the first streams, and the number of the others. */
function StreamLinks({ streams }: { streams: readonly ReferringStream[] | undefined }) {
  const t = useTranslations('targets.targetTable');
  if (!streams) return <Skeleton className="h-4 w-28" />;
  if (streams.length === 0) return <span className="text-ink-3">{t('noStream')}</span>;
  return (
    <span className="flex min-w-0 flex-wrap gap-x-3">
      {streams.slice(0, SHOWN_STREAMS).map(({ id, name }) => (
        <Link
          key={id}
          href={`/streams/${id}#targets`}
          className="text-accent-ink rounded-sm wrap-anywhere underline-offset-2 hover:underline"
        >
          {name}
        </Link>
      ))}
      {streams.length > SHOWN_STREAMS && (
        <span className="text-ink-2" title={streams.map(({ name }) => name).join('\n')}>
          +{streams.length - SHOWN_STREAMS}
        </span>
      )}
    </span>
  );
}

function TargetMenu({ target, ...actions }: TargetActions & { target: MultistreamTarget }) {
  const t = useTranslations('targets.targetTable');
  const { onTest, onEdit, onToggle, onDelete } = actions;
  return (
    <RowMenu name={target.name}>
      <MenuItem icon={Plug} onSelect={() => onTest(target)}>
        {t('testConnection')}
      </MenuItem>
      <MenuItem icon={Pencil} onSelect={() => onEdit(target)}>
        {t('renameOrReplaceUrl')}
      </MenuItem>
      <MenuItem icon={Power} onSelect={() => onToggle(target)}>
        {target.disabled ? t('enable') : t('disable')}
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={Trash2} danger onSelect={() => onDelete(target)}>
        {t('deleteTarget')}
      </MenuItem>
    </RowMenu>
  );
}
