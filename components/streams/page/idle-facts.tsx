'use client';

import { useTranslations } from 'use-intl';
import { RelativeTime, useFormattedNow } from '@/components/ui/relative-time';
import { useTimeFormat } from '@/components/ui/time/time-settings';
import type { Stream } from '@/lib/contract/streams/stream';

/** The next announced broadcast and the last one of a stream that is not live. */
export function IdleFacts({ stream }: { stream: Pick<Stream, 'startsAt' | 'lastSeen'> }) {
  const t = useTranslations('streams.idleFacts');
  const { startsAt = 0, lastSeen } = stream;
  const { dayAndTime } = useTimeFormat();
  const next = useFormattedNow((now) => (startsAt > now ? dayAndTime(startsAt) : ''));
  return (
    <>
      {next !== '' && <span className="text-ink-2 tabular-nums">{t('next', { time: next })}</span>}
      {lastSeen > 0 && (
        <span className="text-ink-2 tabular-nums">
          {t.rich('lastLive', { time: () => <RelativeTime at={lastSeen} /> })}
        </span>
      )}
    </>
  );
}
