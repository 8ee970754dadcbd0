'use client';

import { ChevronRight } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'use-intl';
import type { Translator } from '@/components/i18n/messages';
import { cn } from '@/components/ui/class-names';
import { useTimeFormat } from '@/components/ui/time/time-settings';
import type { TimeFormat } from '@/components/ui/time/time-format';
import type { ComingStream } from '@/lib/contract/accounts/overview';
import { splitTimeUntil } from '@/lib/core/streams/schedule';
import { HomePanel } from './home-panel';

interface UpcomingStreamsPanelProps {
  streams: readonly ComingStream[];
  /** Time at which the overview was read, in Unix milliseconds. */
  now: number;
  className?: string;
}

/** Streams with an announced start, and whether they are ready; renders nothing if there are none. */
export function UpcomingStreamsPanel({ streams, now, className }: UpcomingStreamsPanelProps) {
  const t = useTranslations('home.comingUp');
  if (streams.length === 0) return null;
  return (
    <HomePanel title={t('title')} className={className}>
      <ul className="divide-y border-t">
        {streams.map((stream) => (
          <UpcomingStream key={stream.id} stream={stream} now={now} />
        ))}
      </ul>
    </HomePanel>
  );
}

function UpcomingStream({ stream, now }: { stream: ComingStream; now: number }) {
  const t = useTranslations('home.comingUp');
  const format = useTimeFormat();
  const { id, name, startsAt, late } = stream;
  const isToday = format.date(startsAt) === format.date(now);
  const readiness = readinessOf(t, stream);
  return (
    <li className="hover:bg-hover relative flex min-h-13 items-center gap-3 py-1.5 pr-3 pl-4">
      <span className="w-12 shrink-0 border-r pr-3 text-center">
        <span className="block text-lg leading-5 font-semibold tabular-nums">
          {format.dayOfMonth(startsAt)}
        </span>
        <span className="text-ink-3 block text-xs">{isToday ? t('today') : format.month(startsAt)}</span>
      </span>
      <div className="min-w-0 flex-1">
        <Link
          href={`/streams/${id}?tab=settings`}
          title={name}
          className="block truncate rounded-sm font-medium after:absolute after:inset-0"
        >
          {name}
        </Link>
        <p className={cn('text-xs', readiness.isProblem || late ? 'text-warn-ink' : 'text-ink-2')}>
          {formatStart(format, startsAt, now)} · {readiness.text}
        </p>
      </div>
      <ChevronRight aria-hidden="true" className="text-ink-3 size-4 shrink-0" />
    </li>
  );
}

/** The stream that starts next, with the time until its start; leads the page while no stream is live. */
export function NextStreamPanel({ stream, now, className }: NextStreamPanelProps) {
  const t = useTranslations('home.comingUp');
  const format = useTimeFormat();
  const { id, name, startsAt, late } = stream;
  const readiness = readinessOf(t, stream);
  return (
    <HomePanel title={t('next')} isBorderless className={className}>
      <div className="bg-surface relative flex flex-wrap items-center gap-x-6 gap-y-2 rounded-lg border p-5">
        <p className="text-ink-2">
          <span className="text-ink block text-2xl font-semibold tracking-tight tabular-nums">
            {format.time(startsAt)}
          </span>
          {format.weekdayAndDay(startsAt)}
        </p>
        <div className="min-w-0 flex-1 basis-60">
          <Link
            href={`/streams/${id}`}
            title={name}
            className="block truncate rounded-sm text-lg font-medium underline-offset-4 after:absolute after:inset-0 hover:underline"
          >
            {name}
          </Link>
          <p className="text-ink-2">{!late && formatUntil(t, startsAt, now)}</p>
          <p className={cn('text-sm', readiness.isProblem || late ? 'text-warn-ink' : 'text-ink-2')}>
            {readiness.text}
          </p>
        </div>
        <ChevronRight aria-hidden="true" className="text-ink-3 size-4 shrink-0" />
      </div>
    </HomePanel>
  );
}

interface NextStreamPanelProps extends Omit<UpcomingStreamsPanelProps, 'streams'> {
  stream: ComingStream;
}

/** State of the preparations as a sentence: first what would prevent the session. */
function readinessOf(
  t: Translator<'home.comingUp'>,
  { late, ready }: ComingStream,
): { readonly text: string; readonly isProblem: boolean } {
  if (!ready.keyUsed) return { text: t('keyNeverUsed'), isProblem: true };
  if (ready.targetsTested === false) return { text: t('targetsNotTested'), isProblem: true };
  if (late) return { text: t('late'), isProblem: true };
  const { backup, slate } = ready;
  const inputs = backup ? (slate ? 'both' : 'standby') : slate ? 'slate' : 'none';
  return { text: t(`ready.${inputs}`), isProblem: false };
}

/** Time of a start, with its weekday unless it is today: "17:00", "Wed 19:30". */
function formatStart(format: TimeFormat, startsAt: number, now: number): string {
  const isToday = format.date(startsAt) === format.date(now);
  return isToday ? format.time(startsAt) : `${format.weekday(startsAt)} ${format.time(startsAt)}`;
}

function formatUntil(t: Translator<'home.comingUp'>, startsAt: number, now: number): string {
  const { days, hours, minutes } = splitTimeUntil(startsAt, now);
  if (days > 0) return t('inDays', { days });
  return hours > 0 ? t('inHours', { hours, minutes }) : t('inMinutes', { minutes });
}
