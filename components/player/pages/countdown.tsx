'use client';

import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { splitTimeUntil } from '@/lib/core/streams/schedule';
import { LocalTime } from './local-time';

interface CountdownProps {
  playbackId: string;
  /** Unix milliseconds. */
  startsAt: number;
}

/** Countdown to an announced start of a stream, with a link to a calendar entry. */
export default function Countdown({ playbackId, startsAt }: CountdownProps) {
  const t = useTranslations('player.page');
  const now = useCurrentTime();
  const { days, hours, minutes, seconds } = splitTimeUntil(startsAt, now);
  const isBeforeStart = now < startsAt;
  const timeLeft = days > 0 ? t('leftDays', { days, hours }) : t('leftTime', { hours, minutes, seconds });
  return (
    <p className="flex min-h-6 flex-wrap items-center gap-x-3 gap-y-1 text-sm tabular-nums">
      {/* The server rendered the text at an earlier second, so it can differ. */}
      <span suppressHydrationWarning className="font-medium">
        {isBeforeStart ? t('startsIn', { left: timeLeft }) : t('startsSoon')}
      </span>
      <span className="text-ink-2">
        <LocalTime unixMs={startsAt} />
      </span>
      {isBeforeStart && (
        <a
          href={`/watch/${playbackId}/calendar.ics`}
          className="text-accent-ink inline-flex items-center font-medium underline underline-offset-4 pointer-coarse:min-h-11"
        >
          {t('addToCalendar')}
        </a>
      )}
    </p>
  );
}

/** Current time in Unix milliseconds, updated every second. */
function useCurrentTime(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
