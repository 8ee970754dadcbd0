'use client';

import { Users } from 'lucide-react';
import { useRouter } from 'next/navigation';
import type { ReactNode } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import { CreateStreamDialog } from '@/components/streams/list/create-stream';
import { OutdatedSince } from '@/components/ui/outdated-since';
import { formatBitrate } from '@/components/ui/figures';
import { StatusPill } from '@/components/ui/status-pill';
import { formatNearTime } from '@/components/ui/time-text';
import { useTimeFormat } from '@/components/ui/time/time-settings';
import { UploadButton } from '@/components/upload/upload-button';
import type { Overview } from '@/lib/contract/accounts/overview';

interface HomeHeaderProps extends Pick<Overview, 'live' | 'coming'> {
  /** Time at which the overview was read, in Unix milliseconds. */
  now: number;
}

/** Today's date, the actions of the page, and the state of all streams in one line. */
export function HomeHeader({ live, coming, now }: HomeHeaderProps) {
  const router = useRouter();
  const { weekdayAndDay } = useTimeFormat();
  return (
    <header className="relative mb-3 grid gap-y-1 max-sm:gap-y-2">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="flex min-w-0 items-baseline gap-3">
          <h1 className="min-w-0 text-xl font-semibold tracking-tight">{weekdayAndDay(now)}</h1>
          <OutdatedSince />
        </div>
        <div className="flex flex-wrap items-center gap-2">
          <UploadButton variant="secondary" />
          <CreateStreamDialog onCreated={(stream) => router.push(`/streams/${stream.id}`)} />
        </div>
      </div>
      {live.count > 0 ? <LiveStatus live={live} /> : <IdleStatus live={live} coming={coming} now={now} />}
    </header>
  );
}

const bold = (text: ReactNode) => <b className="text-ink font-semibold">{text}</b>;

/** Number of live streams, and their viewers, bitrate and targets, as far as they are known. */
function LiveStatus({ live }: Pick<Overview, 'live'>) {
  const t = useTranslations('home.status');
  const language = useLocale();
  const { count, viewers, bitrate, targets } = live;
  return (
    <StatusLine>
      <StatusPill tone="live">{t('live', { count })}</StatusPill>
      {viewers !== undefined && (
        <span className="inline-flex items-center gap-1.5">
          <Users aria-hidden="true" className="size-4" />
          <span>{t.rich('watching', { count: viewers, b: bold })}</span>
        </span>
      )}
      {typeof bitrate === 'number' && (
        <span>{t.rich('bitrate', { bitrate: formatBitrate(bitrate, language), b: bold })}</span>
      )}
      {targets && <span>{t.rich('targets', { ...targets, b: bold })}</span>}
    </StatusLine>
  );
}

/** Next announced start, and end of the last session, while no stream is live. */
function IdleStatus({ live, coming, now }: HomeHeaderProps) {
  const t = useTranslations('home.status');
  const format = useTimeFormat();
  const [next] = coming;
  const { lastLiveAt } = live;
  return (
    <StatusLine>
      <StatusPill tone="idle">{t('nothingLive')}</StatusPill>
      {next && <span>{t.rich('next', { time: formatNearTime(next.startsAt, now, format), b: bold })}</span>}
      {typeof lastLiveAt === 'number' && (
        <span>{t.rich('last', { time: formatNearTime(lastLiveAt, now, format), b: bold })}</span>
      )}
    </StatusLine>
  );
}

/** Facts in a row that wraps. The separator before the first fact of a row is outside of the visible area. */
function StatusLine({ children }: { children: ReactNode }) {
  const facts = [children].flat().filter((fact) => fact !== undefined && fact !== null && fact !== false);
  return (
    <div className="overflow-x-clip">
      <ul className="live-figure text-ink-2 -ml-6 flex min-h-8 flex-wrap items-center gap-y-1 text-sm tabular-nums">
        {facts.map((fact, index) => (
          <li
            key={index}
            className="before:bg-line relative flex min-h-6 items-center pl-6 before:absolute before:left-3 before:h-4 before:w-px"
          >
            {fact}
          </li>
        ))}
      </ul>
    </div>
  );
}
