'use client';

import { Ellipsis, Power, Unlink } from 'lucide-react';
import type { ReactNode } from 'react';
import { toast } from 'sonner';
import { useLocale, useTranslations } from 'use-intl';
import { IfPermitted } from '@/components/teams/use-team';
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
import { AddTargetDialog } from './add-target';
import { detailOf, statusOf } from './target-text';
import { useTranslateMessage } from '@/components/i18n/reasons';

interface TargetsPanelProps {
  /** Undefined while loading. */
  targets: readonly TargetStatus[] | undefined;
  /** Button that adds a target. */
  action: ReactNode;
  className: string;
  onToggle: (target: TargetStatus) => void;
  onRemove: (target: TargetStatus) => void;
}

/** Multistream targets of a stream and their state. */
function TargetsPanel({ targets, action, className, onToggle, onRemove }: TargetsPanelProps) {
  const t = useTranslations('targets.streamTargetsPanel');
  return (
    <Panel id="targets" title={t('targets')} action={action} className={className}>
      {!targets ? (
        <Skeleton className="h-14 w-full" />
      ) : targets.length === 0 ? (
        <p className="text-ink-2">{t('noTargets')}</p>
      ) : (
        <ul className="-my-3 divide-y">
          {targets.map((target) => (
            <TargetItem
              key={`${target.id} ${target.profile}`}
              target={target}
              onToggle={() => onToggle(target)}
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
  onToggle: () => void;
  onRemove: () => void;
}

function TargetItem({ target, onToggle, onRemove }: TargetItemProps) {
  const t = useTranslations('targets.streamTargetsPanel');
  const tTargetWords = useTranslations('targets.targetWords');
  const { tone, label } = statusOf(tTargetWords, target);
  const detail = detailOf(tTargetWords, target, useLocale(), useTranslateMessage());
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto_auto] items-center gap-x-3 gap-y-1 py-3">
      <span className="min-w-0">
        <span className="font-medium wrap-anywhere">{target.name}</span>
        <span className="text-ink-2 text-sm">
          {' '}
          · {target.videoOnly ? t('profileWithoutAudio', { profile: target.profile }) : target.profile}
        </span>
      </span>
      <StatusPill tone={tone}>{label}</StatusPill>
      <IfPermitted>
        <Menu
          trigger={
            <Button variant="ghost" size="icon" aria-label={t('actionsFor', { name: target.name })}>
              <Ellipsis aria-hidden="true" />
            </Button>
          }
        >
          <MenuItem icon={Power} onSelect={onToggle}>
            {target.disabled ? t('enableForAllStreams') : t('disableForAllStreams')}
          </MenuItem>
          <MenuSeparator />
          <MenuItem icon={Unlink} onSelect={onRemove}>
            {t('removeFromThisStream')}
          </MenuItem>
        </Menu>
      </IfPermitted>
      {detail && <span className="text-ink-2 col-span-3 text-sm wrap-anywhere tabular-nums">{detail}</span>}
    </li>
  );
}

const REFRESH_INTERVAL_MS = 2000;

export function StreamTargetsPanel({ stream, className = '' }: { stream: Stream; className?: string }) {
  const t = useTranslations('targets.streamTargetsPanel');
  const statuses = useStreamMultistream(stream.id, REFRESH_INTERVAL_MS);
  const replace = useReplaceStreamTargets(stream.id);
  const update = useUpdateTarget();
  const onError = (error: Error) => toast.error(t('notSaved'), { description: error.message });
  const remove = ({ id, profile }: TargetStatus) =>
    replace.mutate(
      stream.multistream.targets.filter((reference) => reference.id !== id || reference.profile !== profile),
      { onError },
    );
  return (
    <TargetsPanel
      targets={statuses.data}
      className={className}
      action={
        <IfPermitted>
          <AddTargetDialog stream={stream} />
        </IfPermitted>
      }
      onRemove={remove}
      onToggle={({ id, disabled }) => update.mutate({ id, change: { disabled: !disabled } }, { onError })}
    />
  );
}
