'use client';

import Link from 'next/link';
import { useTranslations } from 'use-intl';
import type { Translator } from '@/components/i18n/messages';
import { Panel } from '@/components/ui/panel';
import { StatusPill } from '@/components/ui/status-pill';
import { useTimeFormat } from '@/components/ui/time/time-settings';
import type { ComingStream } from '@/lib/contract/accounts/overview';
import { splitTimeUntil } from '@/lib/core/streams/schedule';

interface UpcomingBroadcastsPanelProps {
  broadcasts: readonly ComingStream[];
  /** Server time of the response, in Unix milliseconds. */
  now: number;
}

/** The next announced broadcasts and whether they are ready; renders nothing if none is announced. */
export function UpcomingBroadcastsPanel({ broadcasts, now }: UpcomingBroadcastsPanelProps) {
  const t = useTranslations('home.comingUp');
  const format = useTimeFormat();
  if (broadcasts.length === 0) return null;
  return (
    <Panel dense title={t('title')}>
      <ul className="-my-2 divide-y">
        {broadcasts.map(({ id, name, startsAt, late, ready }) => (
          <li key={id} className="relative flex min-h-14 items-center gap-4 py-2">
            <span className="w-16 shrink-0">
              <span className="text-ink-2 block text-xs">{format.day(startsAt)}</span>
              <span className="font-medium tabular-nums">{format.time(startsAt)}</span>
            </span>
            {/* On a phone, the readiness is below the name, so that the name has the whole width. */}
            <div className="flex min-w-0 flex-1 flex-col items-start gap-x-4 gap-y-1 sm:flex-row sm:items-center">
              <span className="max-w-full min-w-0 sm:flex-1">
                <Link
                  href={`/streams/${id}?tab=settings`}
                  className="block truncate rounded-sm font-medium underline-offset-4 after:absolute after:inset-0 hover:underline"
                >
                  {name}
                </Link>
                <span className="text-ink-2 text-sm">{late ? t('late') : formatUntil(t, startsAt, now)}</span>
              </span>
              <Readiness late={late} ready={ready} t={t} />
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

interface ReadinessProps extends Pick<ComingStream, 'late' | 'ready'> {
  t: Translator<'home.comingUp'>;
}

/** Number of passed checks, or the failed check that would prevent the broadcast. */
function Readiness({ late, ready, t }: ReadinessProps) {
  if (!ready.keyUsed) return <StatusPill tone="warn">{t('keyNeverUsed')}</StatusPill>;
  if (ready.targetsTested === false) return <StatusPill tone="warn">{t('targetsNotTested')}</StatusPill>;
  const checks = [ready.keyUsed, ready.targetsTested, ready.backup, ready.slate].filter(
    (item) => item !== null,
  );
  const metCount = checks.filter(Boolean).length;
  const missingParts = [...(ready.backup ? [] : [t('noBackup')]), ...(ready.slate ? [] : [t('noSlate')])];
  return (
    <span title={missingParts.join(' ') || undefined}>
      <StatusPill tone={late ? 'warn' : metCount === checks.length ? 'accent' : 'idle'}>
        {t('ready', { met: metCount, of: checks.length })}
      </StatusPill>
    </span>
  );
}

function formatUntil(t: Translator<'home.comingUp'>, startsAt: number, now: number): string {
  const { days, hours, minutes } = splitTimeUntil(startsAt, now);
  if (days > 0) return t('inDays', { days });
  return hours > 0 ? t('inHours', { hours, minutes }) : t('inMinutes', { minutes });
}
