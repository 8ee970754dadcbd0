'use client';

import { useId } from 'react';
import { useTranslations } from 'use-intl';
import type { Translator } from '@/components/i18n/messages';
import { Select } from '@/components/ui/form/field';
import { formatDuration } from '@/components/ui/time-text';
import type { Stream } from '@/lib/contract/streams/stream';
import { dvrSecondsOf, MAX_DVR_SECONDS } from '@/lib/core/streams/dvr';

/** Offered DVR windows, in seconds. */
const dvrChoices = [0, 60, 300, 900, 1_800, 3_600, 7_200, MAX_DVR_SECONDS];

interface DvrRowProps {
  stream: Pick<Stream, 'record' | 'dvrSeconds'>;
  onChange: (dvrSeconds: number) => void;
}

/** How far viewers can go back in the live stream. A change takes effect immediately. */
export function DvrRow({ stream, onChange }: DvrRowProps) {
  const t = useTranslations('streams.streamSettings');
  const id = useId();
  const seconds = dvrSecondsOf(stream);
  // The current value may not be in the list, because the API allows every value.
  const choices = [...new Set([...dvrChoices, seconds])].toSorted((a, b) => a - b);
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
      <div className="min-w-0 flex-1 basis-64">
        <label htmlFor={id} className="font-medium">
          {t('dvr')}
        </label>
        <p id={`${id}-hint`} className="text-ink-2 text-sm">
          {stream.record ? t('dvrOfRecording') : t('dvrWithoutRecording')}
        </p>
      </div>
      <Select
        id={id}
        aria-describedby={`${id}-hint`}
        value={seconds}
        onChange={({ target }) => onChange(Number(target.value))}
        className="sm:w-40"
      >
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {formatWindow(t, choice)}
          </option>
        ))}
      </Select>
    </div>
  );
}

/** Formats the length of a DVR window: "Off", "1 hour", "15 minutes", "1 min 30 s". */
function formatWindow(t: Translator<'streams.streamSettings'>, seconds: number): string {
  if (seconds === 0) return t('dvrOff');
  if (seconds % 3_600 === 0) return t('hours', { count: seconds / 3_600 });
  return seconds % 60 === 0 ? t('minutes', { count: seconds / 60 }) : formatDuration(seconds);
}
