'use client';

import { CircleMinus } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { toast } from 'sonner';
import { IfPermitted } from '@/components/teams/use-team';
import { cn } from '@/components/ui/class-names';
import { Skeleton } from '@/components/ui/skeleton';
import {
  TARGETS_REFRESH_MS,
  useReplaceStreamTargets,
  useStreamMultistream,
  useUpdateTarget,
} from '@/lib/client/queries/target-queries';
import type { Stream } from '@/lib/contract/streams/stream';
import type { TargetStatus } from '@/lib/contract/targets/multistream';
import { AddTargetDialog } from './add-target';
import { IdleTarget } from './idle-target';
import { LiveTarget } from './live-target';

interface StreamTargetsPanelProps {
  stream: Stream;
  /** Whether the panel is a part of another panel. */
  nested?: boolean;
  className?: string;
}

/** Multistream targets of a stream: whether they are ready or, while the stream is live, whether they receive it. */
export function StreamTargetsPanel({ stream, nested = false, className = '' }: StreamTargetsPanelProps) {
  const t = useTranslations('targets.streamTargetsPanel');
  const { data: targets } = useStreamMultistream(stream.id, TARGETS_REFRESH_MS);
  const replace = useReplaceStreamTargets(stream.id);
  const update = useUpdateTarget();
  const onError = (error: Error) => toast.error(t('notSaved'), { description: error.message });
  const remove = ({ id, profile }: TargetStatus) =>
    replace.mutate(
      stream.multistream.targets.filter((reference) => reference.id !== id || reference.profile !== profile),
      { onError },
    );
  const toggle = ({ id, disabled }: TargetStatus) =>
    update.mutate({ id, change: { disabled: !disabled } }, { onError });
  const Item = stream.isActive ? LiveTarget : IdleTarget;
  const Heading = nested ? 'h3' : 'h2';
  // Without targets, the panel looks like one of the checks before the stream goes live.
  const isEmptyCheck = nested && targets?.length === 0;
  const liveCount = targets?.filter(({ state }) => state === 'connected').length ?? 0;
  return (
    <section
      id="targets"
      aria-label={t('targets')}
      className={cn('min-w-0 scroll-mt-20 divide-y', !nested && 'bg-surface rounded-lg border', className)}
    >
      <header className="flex min-h-12 items-center gap-x-3 gap-y-1 px-4 py-2">
        {isEmptyCheck && <CircleMinus aria-hidden="true" className="text-ink-3 size-4" />}
        <div className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2">
          <Heading className={nested ? 'leading-5 font-medium' : 'text-lg font-semibold tracking-tight'}>
            {t('targets')}
          </Heading>
          {isEmptyCheck && <p className="text-ink-2 w-full text-sm">{t('noTargetsYet')}</p>}
          {stream.isActive && targets !== undefined && targets.length > 0 && (
            <p className="live-figure text-ink-2 text-sm tabular-nums">
              {t('liveCount', { live: liveCount, of: targets.length })}
            </p>
          )}
        </div>
        <IfPermitted>
          <AddTargetDialog stream={stream} />
        </IfPermitted>
      </header>
      {!targets ? (
        <div className="px-4 py-2">
          <Skeleton className="h-10 w-full" />
        </div>
      ) : isEmptyCheck ? null : targets.length === 0 ? (
        <p className="text-ink-2 px-4 py-3 text-sm">{t('noTargets')}</p>
      ) : (
        <ul className="divide-y">
          {targets.map((target) => (
            <Item
              key={`${target.id} ${target.profile}`}
              target={target}
              onToggle={() => toggle(target)}
              onRemove={() => remove(target)}
            />
          ))}
        </ul>
      )}
    </section>
  );
}
