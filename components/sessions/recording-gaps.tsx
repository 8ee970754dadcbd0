'use client';

import { Panel } from '@/components/ui/panel';
import { useHydrated } from '@/components/ui/use-hydrated';
import { durationInWords } from '@/components/ui/time-words';
import type { Session } from '@/lib/contract/sessions/session';
import { gapSeconds } from './session-words';

const time = new Intl.DateTimeFormat('en', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hour12: false,
});

/** When nothing was recorded: the encoder was away, or could not be followed. */
export function RecordingGaps({ gaps }: { gaps: NonNullable<Session['recordingGaps']> }) {
  // The server does not know what time it is where the page is read.
  const here = useHydrated();
  return (
    <Panel
      title="Gaps"
      description={
        gaps.length === 0
          ? 'None. The recording is complete.'
          : 'No media arrived. Playback skips these gaps.'
      }
    >
      {gaps.length > 0 && (
        <ul className="-my-2 divide-y">
          {gaps.map((gap) => (
            <li key={gap.from} className="flex min-h-10 items-center justify-between gap-4">
              <span className="font-mono text-sm">
                {here && `${time.format(gap.from)} – ${time.format(gap.to)}`}
              </span>
              <span className="text-ink-2">{durationInWords(gapSeconds(gap))}</span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
