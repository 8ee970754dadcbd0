'use client';

import { useTranslations } from 'use-intl';
import { Panel } from '@/components/ui/panel';
import { useTimeFormat } from '@/components/ui/time/time-settings';
import { formatDuration } from '@/components/ui/time-text';
import type { Session } from '@/lib/contract/sessions/session';
import { gapSeconds } from './session-text';

/** Panel that lists the gaps of a recording, in which the encoder was disconnected or the recorder could not keep up. */
export function RecordingGapsPanel({ gaps }: { gaps: NonNullable<Session['recordingGaps']> }) {
  const t = useTranslations('sessions.recordingGaps');
  const { timeWithSeconds, full } = useTimeFormat();
  return (
    <Panel title={t('gaps')} description={t('noMediaArrived')}>
      <ul className="-my-2 divide-y">
        {gaps.map((gap) => (
          <li key={gap.from} className="flex min-h-10 items-center justify-between gap-4">
            <span className="font-mono text-sm" title={`${full(gap.from)} – ${full(gap.to)}`}>
              {timeWithSeconds(gap.from)} – {timeWithSeconds(gap.to)}
            </span>
            <span className="text-ink-2">{formatDuration(gapSeconds(gap))}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
