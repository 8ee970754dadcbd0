import { Ellipsis, Power, Unlink } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '@/components/ui/button';
import { Menu, MenuItem, MenuSeparator } from '@/components/ui/menu';
import { Panel } from '@/components/ui/panel';
import { Skeleton } from '@/components/ui/skeleton';
import { StatusPill } from '@/components/ui/status-pill';
import type { TargetStatus } from '@/lib/contract/multistream';
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
export function StreamTargetsPanel({ targets, action, onSwitch, onRemove }: StreamTargetsPanelProps) {
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
