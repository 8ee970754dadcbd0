'use client';

import { useTranslations } from 'use-intl';
import { useUnreachableSince } from '@/lib/client/use-connection';
import { useTimeFormat } from './time/time-settings';

/** Age of the live figures while the server does not respond. */
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
