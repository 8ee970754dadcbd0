'use client';

import { Ellipsis, Power, Unlink } from 'lucide-react';
import type { ReactNode } from 'react';
import { toast } from 'sonner';
import { Button } from '@/components/ui/button';
import { Menu, MenuItem, MenuSeparator } from '@/components/ui/overlay/menu';
import { Panel } from '@/components/ui/panel';
import { Skeleton } from '@/components/ui/skeleton';
import { StatusPill } from '@/components/ui/status-pill';
import {
  useReplaceStreamTargets,
  useStreamMultistream,
  useUpdateTarget,
} from '@/lib/client/queries/target-queries';
import type { Stream } from '@/lib/contract/streams/stream';
import type { TargetStatus } from '@/lib/contract/targets/multistream';
import { AddTarget } from './add-target';
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
