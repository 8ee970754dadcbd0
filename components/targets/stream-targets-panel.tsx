'use client';

import { Ellipsis, Plus, Power, Unlink } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import Link from 'next/link';
import { toast } from 'sonner';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/overlay/dialog';
import { Menu, MenuItem, MenuSeparator } from '@/components/ui/overlay/menu';
import { Panel } from '@/components/ui/panel';
import { Skeleton } from '@/components/ui/skeleton';
import { StatusPill } from '@/components/ui/status-pill';
import { sentencesOf } from '@/lib/client/call';
import {
  useAddStreamTarget,
  useReplaceStreamTargets,
  useStreamMultistream,
  useTargets,
  useUpdateTarget,
} from '@/lib/client/queries/target-queries';
import type { Stream } from '@/lib/contract/streams/stream';
import type { TargetStatus } from '@/lib/contract/targets/multistream';
import { ReferenceForm } from './reference-form';
import { detailOf, statusOf } from './target-words';

interface StreamTargetsPanelProps {
  /** undefined = not loaded yet. */
  targets: readonly TargetStatus[] | undefined;
  /** Adds one. */
  action: ReactNode;
  onSwitch: (target: TargetStatus) => void;
  onRemove: (target: TargetStatus) => void;
}

/** Where a stream is sent besides its own viewers, and how that goes. */
function StreamTargetsPanel({ targets, action, onSwitch, onRemove }: StreamTargetsPanelProps) {
  return (
    <Panel title="Targets" action={action}>
      {!targets ? (
        <Skeleton className="h-14 w-full" />
      ) : targets.length === 0 ? (
        <p className="text-ink-2">
          No targets. Add one to push this stream to another service while it is live.
        </p>
      ) : (
        <ul className="-my-3 divide-y">
          {targets.map((target) => (
            <TargetItem
              key={`${target.id} ${target.profile}`}
              target={target}
              onSwitch={() => onSwitch(target)}
              onRemove={() => onRemove(target)}
            />
          ))}
        </ul>
      )}
    </Panel>
  );
}

interface TargetItemProps {
  target: TargetStatus;
  onSwitch: () => void;
  onRemove: () => void;
}

function TargetItem({ target, onSwitch, onRemove }: TargetItemProps) {
  const { tone, label } = statusOf(target);
  const detail = detailOf(target);
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto_auto] items-center gap-x-3 gap-y-1 py-3">
      <span className="min-w-0">
        <span className="font-medium wrap-anywhere">{target.name}</span>
        <span className="text-ink-2 text-sm">
          {' '}
          · {target.profile}
          {target.videoOnly && ', without audio'}
        </span>
      </span>
      <StatusPill tone={tone}>{label}</StatusPill>
      <Menu
        trigger={
          <Button variant="ghost" size="icon" aria-label={`Actions for ${target.name}`}>
            <Ellipsis aria-hidden="true" />
          </Button>
        }
      >
        <MenuItem icon={Power} onSelect={onSwitch}>
          {target.disabled ? 'Enable for all streams' : 'Disable for all streams'}
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={Unlink} onSelect={onRemove}>
          Remove from this stream
        </MenuItem>
      </Menu>
      {detail && <span className="text-ink-2 col-span-3 text-sm wrap-anywhere tabular-nums">{detail}</span>}
    </li>
  );
}

const REFRESH_MS = 2000;

export function StreamTargets({ stream }: { stream: Stream }) {
  const statuses = useStreamMultistream(stream.id, REFRESH_MS);
  const replace = useReplaceStreamTargets(stream.id);
  const update = useUpdateTarget();
  const refused = (error: Error) => toast.error('Couldn’t save the change', { description: error.message });
  const remove = ({ id, profile }: TargetStatus) =>
    replace.mutate(
      stream.multistream.targets.filter((reference) => reference.id !== id || reference.profile !== profile),
      { onError: refused },
    );
  return (
    <StreamTargetsPanel
      targets={statuses.data}
      action={<AddTarget stream={stream} />}
      onRemove={remove}
      onSwitch={({ id, disabled }) =>
        update.mutate({ id, change: { disabled: !disabled } }, { onError: refused })
      }
    />
  );
}

function AddTarget({ stream }: { stream: Stream }) {
  const [open, setOpen] = useState(false);
  const targets = useTargets();
  const add = useAddStreamTarget(stream.id);
  const change = (next: boolean) => {
    setOpen(next);
    add.reset();
  };
  const none = targets.data?.items.length === 0;
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      title="Add a target"
      {...(none ? { description: 'Your account has no targets yet.' } : {})}
      trigger={
        <Button size="sm">
          <Plus aria-hidden="true" />
          Add target
        </Button>
      }
    >
      {none ? (
        <Button asChild variant="primary">
          <Link href="/targets">Create one</Link>
        </Button>
      ) : (
        targets.data && (
          <ReferenceForm
            targets={targets.data.items}
            renditions={['source', ...stream.profiles.map(({ name }) => name)]}
            pending={add.isPending}
            sentences={sentencesOf(add.error)}
            onSubmit={(reference) => add.mutate(reference, { onSuccess: () => change(false) })}
          />
        )
      )}
    </Dialog>
  );
}
