'use client';

import { useTranslations } from 'use-intl';
import { useUnreachableSince } from '@/lib/client/use-server-reachability';
import { useTimeFormat } from './time/time-settings';

/** "As of 13:05": the time of the last response, shown while the server does not respond. */
export function OutdatedSince() {
  const t = useTranslations('ui.time');
  const since = useUnreachableSince();
  const { time } = useTimeFormat();
  if (since === null) return null;
  return (
    // On a phone the text is above the title, which would wrap otherwise.
    <span className="text-warn-ink text-sm font-medium whitespace-nowrap max-sm:absolute max-sm:-top-6 max-sm:right-0">
      {t('asOf', { time: time(since) })}
    </span>
  );
}
