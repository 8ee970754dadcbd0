import { Ellipsis, Pencil, Power, Trash2 } from 'lucide-react';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { Button } from '@/components/ui/button';
import { Menu, MenuItem, MenuSeparator } from '@/components/ui/menu';
import { RelativeTime } from '@/components/ui/relative-time';
import { Skeleton } from '@/components/ui/skeleton';
import { StatusPill } from '@/components/ui/status-pill';
import { Cell, Column, Row, Table } from '@/components/ui/table';
import type { MultistreamTarget } from '@/lib/contract/multistream';

/** A stream that refers to a target. */
export interface UsingStream {
  id: string;
  name: string;
}

interface TargetTableProps {
  /** undefined = not loaded yet. */
  targets: readonly MultistreamTarget[] | undefined;
  usedBy: (targetId: string) => readonly UsingStream[] | undefined;
  onEdit: (target: MultistreamTarget) => void;
  onSwitch: (target: MultistreamTarget) => void;
  onDelete: (target: MultistreamTarget) => void;
}

const SKELETON_ROWS = 3;

export function TargetTable({ targets, usedBy, onEdit, onSwitch, onDelete }: TargetTableProps) {
  return (
    <Table
      label="Multistream targets"
      head={
        <>
          <Column>Name</Column>
          <Column>State</Column>
          <Column>Used by</Column>
          <Column>Created</Column>
          <Column className="w-14">
            <span className="sr-only">Actions</span>
          </Column>
        </>
      }
    >
      {targets
        ? targets.map((target) => (
            <Cells
              key={target.id}
              name={<span className="font-medium wrap-anywhere">{target.name}</span>}
              state={
                <StatusPill tone={target.disabled ? 'idle' : 'accent'}>
                  {target.disabled ? 'Disabled' : 'Enabled'}
                </StatusPill>
              }
              usedBy={<Streams streams={usedBy(target.id)} />}
              created={<RelativeTime at={target.createdAt} />}
              menu={
                <TargetMenu
                  target={target}
                  onEdit={() => onEdit(target)}
                  onSwitch={() => onSwitch(target)}
                  onDelete={() => onDelete(target)}
                />
              }
            />
          ))
        : Array.from({ length: SKELETON_ROWS }, (_, index) => (
            <Cells
              key={index}
              name={<Skeleton className="h-4 w-36" />}
              state={<Skeleton className="h-6 w-20" />}
              usedBy={<Skeleton className="h-4 w-28" />}
              created={<Skeleton className="h-4 w-20" />}
              menu={<Skeleton className="size-8" />}
            />
          ))}
    </Table>
  );
}

function Cells(cells: Record<'name' | 'state' | 'usedBy' | 'created' | 'menu', ReactNode>) {
  return (
    <Row>
      <Cell className="max-sm:pr-10">{cells.name}</Cell>
      <Cell label="State">{cells.state}</Cell>
      <Cell label="Used by">{cells.usedBy}</Cell>
      <Cell label="Created">{cells.created}</Cell>
      <Cell className="max-sm:absolute max-sm:top-2 max-sm:right-2">{cells.menu}</Cell>
    </Row>
  );
}

const SHOWN_STREAMS = 2;

function Streams({ streams }: { streams: readonly UsingStream[] | undefined }) {
  if (!streams) return <Skeleton className="h-4 w-28" />;
  if (streams.length === 0) return <span className="text-ink-3">No stream</span>;
  return (
    <span className="flex min-w-0 flex-wrap gap-x-3">
      {streams.slice(0, SHOWN_STREAMS).map(({ id, name }) => (
        <Link
          key={id}
          href={`/streams/${id}`}
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

interface TargetMenuProps {
  target: MultistreamTarget;
  onEdit: () => void;
  onSwitch: () => void;
  onDelete: () => void;
}

function TargetMenu({ target, onEdit, onSwitch, onDelete }: TargetMenuProps) {
  return (
    <Menu
      trigger={
        <Button variant="ghost" size="icon" aria-label={`Actions for ${target.name}`}>
          <Ellipsis aria-hidden="true" />
        </Button>
      }
    >
      <MenuItem onSelect={onEdit}>
        <Pencil aria-hidden="true" />
        Rename or replace URL
      </MenuItem>
      <MenuItem onSelect={onSwitch}>
        <Power aria-hidden="true" />
        {target.disabled ? 'Enable' : 'Disable'}
      </MenuItem>
      <MenuSeparator />
      <MenuItem danger onSelect={onDelete}>
        <Trash2 aria-hidden="true" />
        Delete target
      </MenuItem>
    </Menu>
  );
}
