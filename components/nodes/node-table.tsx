import { Copy, LogIn, LogOut } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { useLocale, useTranslations } from 'use-intl';
import { copyText } from '@/components/ui/copy/copy-button';
import { emptyCell } from '@/components/ui/empty-state';
import { MenuItem } from '@/components/ui/overlay/menu';
import { RelativeTime } from '@/components/ui/relative-time';
import { StatusPill, type StatusTone } from '@/components/ui/status-pill';
import { DataTable, type DataColumn } from '@/components/ui/table/data-table';
import { RowMenu } from '@/components/ui/table/row-menu';
import { formatSize } from '@/components/ui/figures';
import { asSentence } from '@/components/ui/form/server-messages';
import { errorMessagesOf } from '@/lib/client/call';
import { useDrainNode } from '@/lib/client/queries/node-queries';
import type { Node } from '@/lib/contract/nodes/node';
import { formatNodeHost, DrainNodeDialog } from './drain-node';
import { useTranslateMessage } from '@/components/i18n/reasons';

/**
 * Table of all nodes, in the order of the API, which groups them by machine.
 * @param nodes undefined while loading
 */
export function NodeTable({ nodes }: { nodes: readonly Node[] | undefined }) {
  const t = useTranslations('nodes');
  const [nodeToDrain, setNodeToDrain] = useState<Node | null>(null);
  const nameOf = (node: Node) => `${t(`roles.${node.role}`)} ${formatNodeHost(node)}`;
  return (
    <>
      <DataTable
        label={t('title')}
        columns={useColumns()}
        rows={nodes}
        nameOf={nameOf}
        menu={(node) => <NodeMenu node={node} name={nameOf(node)} onDrain={() => setNodeToDrain(node)} />}
        placeholderRows={3}
      />
      <DrainNodeDialog node={nodeToDrain} nodes={nodes ?? []} onClose={() => setNodeToDrain(null)} />
    </>
  );
}

function useColumns(): readonly DataColumn<Node>[] {
  const t = useTranslations('nodes');
  const language = useLocale();
  const size = (bytes: number) => formatSize(bytes, language);
  const percent = (ratio: number) => ratio.toLocaleString(language, { style: 'percent' });
  return [
    { head: t('columns.node'), skeleton: 'h-4 w-40', cell: (node) => <NodeName node={node} /> },
    {
      head: t('columns.status'),
      phone: true,
      width: 'w-56',
      skeleton: 'h-6 w-24 rounded-full',
      className: 'max-sm:basis-full',
      cell: (node) => <NodeState node={node} />,
    },
    {
      ...numberColumn,
      head: t('columns.streams'),
      cell: ({ streamCount }) => (
        <Figure
          value={streamCount}
          format={(count) => count.toLocaleString(language)}
          formatForPhone={(count) => t('phone.streams', { count })}
        />
      ),
    },
    {
      ...numberColumn,
      head: t('columns.room'),
      cell: ({ roomStreams }) => (
        <Figure
          value={roomStreams}
          format={(count) => t('room', { count })}
          formatForPhone={(count) => t('phone.room', { count })}
        />
      ),
    },
    {
      ...numberColumn,
      head: t('columns.cpu'),
      cell: ({ cpuHeadroomRatio }) => (
        <Figure
          value={cpuHeadroomRatio}
          format={percent}
          formatForPhone={(ratio) => t('phone.cpu', { ratio: percent(ratio) })}
        />
      ),
    },
    {
      ...numberColumn,
      head: t('columns.disk'),
      cell: ({ diskFreeBytes }) => (
        <Figure
          value={diskFreeBytes}
          format={size}
          formatForPhone={(bytes) => t('phone.disk', { size: size(bytes) })}
        />
      ),
    },
    {
      head: t('columns.version'),
      width: 'w-28',
      skeleton: 'h-4 w-12',
      cell: ({ version }) => version ?? emptyCell,
    },
  ];
}

/** Layout of a column with numbers. A phone hides cells without a number. */
const numberColumn = {
  phone: true,
  width: 'w-32',
  skeleton: 'h-4 w-12',
  className: 'tabular-nums max-sm:has-data-none:hidden',
} as const;

interface FigureProps {
  value: number | null;
  format: (value: number) => string;
  /** Formats the number with its unit, for phones, which show no column headings. */
  formatForPhone: (value: number) => string;
}

/** A number of a node. Without a number, a phone shows nothing. */
function Figure({ value, format, formatForPhone }: FigureProps) {
  if (value === null) return <span data-none="">{emptyCell}</span>;
  return (
    <>
      <span className="max-sm:hidden">{format(value)}</span>
      <span className="sm:hidden">{formatForPhone(value)}</span>
    </>
  );
}

function NodeName({ node }: { node: Node }) {
  const t = useTranslations('nodes');
  const { role, slot, region } = node;
  return (
    <div className="grid gap-0.5 py-2">
      <span className="font-medium">
        {t(`roles.${role}`)}
        {slot > 1 && ` ${slot}`}
      </span>
      <span className="text-ink-2 text-sm wrap-anywhere">
        <span className="font-mono">{formatNodeHost(node)}</span>
        {region !== null && ` · ${region}`}
      </span>
    </div>
  );
}

const stateTones: Readonly<Record<Node['state'], StatusTone>> = {
  online: 'accent',
  draining: 'idle',
  unresponsive: 'warn',
};

function NodeState({ node: { state, drainingSince, lastSeen, fullReason, fullCause } }: { node: Node }) {
  const translateMessage = useTranslateMessage();
  const t = useTranslations('nodes');
  const since = { draining: drainingSince, unresponsive: lastSeen };
  const stateWithTime = state === 'online' ? null : state;
  if (state === 'online' && fullReason !== null)
    return (
      <span className="grid justify-items-start gap-1 py-2">
        <StatusPill tone="warn">{t('full')}</StatusPill>
        <span className="text-ink-2 text-sm wrap-anywhere">
          {asSentence(translateMessage(fullReason, fullCause))}
        </span>
      </span>
    );
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <StatusPill tone={stateTones[state]}>{t(`states.${state}`)}</StatusPill>
      {stateWithTime && (
        <span className="text-ink-2 text-sm">
          {t.rich(`since.${stateWithTime}`, { time: () => <RelativeTime at={since[stateWithTime]} /> })}
        </span>
      )}
    </span>
  );
}

/**
 * Actions for a node.
 * @param onDrain opens a confirmation
 */
function NodeMenu({ node, name, onDrain }: { node: Node; name: string; onDrain: () => void }) {
  const t = useTranslations('nodes.menu');
  const drain = useDrainNode();
  const copyId = async () => {
    if (await copyText(node.id)) toast.success(t('copiedId'));
    else toast.error(t('blocked'));
  };
  const resume = () =>
    drain.mutate(
      { id: node.id, draining: false },
      {
        onSuccess: () => toast.success(t('isBack')),
        onError: (error) => toast.error(errorMessagesOf(error)[0]),
      },
    );
  return (
    <RowMenu name={t('of', { name })}>
      <MenuItem icon={Copy} onSelect={() => void copyId()}>
        {t('copyId')}
      </MenuItem>
      {node.role === 'live' &&
        (node.drainingSince === null ? (
          <MenuItem icon={LogOut} onSelect={onDrain}>
            {t('drain')}
          </MenuItem>
        ) : (
          <MenuItem icon={LogIn} onSelect={resume}>
            {t('putBack')}
          </MenuItem>
        ))}
    </RowMenu>
  );
}
