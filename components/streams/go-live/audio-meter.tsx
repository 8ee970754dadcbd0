'use client';

import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { cn } from '@/components/ui/class-names';
import { FLOOR_DB, meterFraction, updateLevel, silentLevel } from '@/lib/core/streams/go-live/audio-level';

const LEVEL_INTERVAL_MS = 100;

interface AudioMeterProps {
  /** Returns the current peak level, 0 to 1. */
  readPeak: () => number;
  hasMicrophone: boolean;
  muted: boolean;
}

/** Level of the microphone, with a warning if it clips. The level is also measured while the audio is muted. */
export function AudioMeter({ readPeak, hasMicrophone, muted }: AudioMeterProps) {
  const t = useTranslations('goLive.meter');
  const [level, setLevel] = useState(silentLevel);
  useEffect(() => {
    if (!hasMicrophone) return undefined;
    const timer = setInterval(
      () =>
        setLevel((lastLevel) =>
          updateLevel(lastLevel, { peak: readPeak(), now: performance.now(), elapsedMs: LEVEL_INTERVAL_MS }),
        ),
      LEVEL_INTERVAL_MS,
    );
    return () => {
      clearInterval(timer);
      setLevel(silentLevel);
    };
  }, [hasMicrophone, readPeak]);
  const decibels = Math.round(level.peakDb);
  const text = () => {
    if (!hasMicrophone) return t('none');
    if (muted) return t('muted');
    return level.isClipping ? t('tooLoud') : t('decibels', { value: decibels });
  };
  return (
    <div className="flex items-center gap-3">
      <div
        role="meter"
        aria-label={t('label')}
        aria-valuemin={FLOOR_DB}
        aria-valuemax={0}
        aria-valuenow={decibels}
        aria-valuetext={text()}
        className="bg-hover h-1.5 min-w-0 flex-1 overflow-hidden rounded-full"
      >
        <div
          className={cn(
            'h-full rounded-full',
            level.isClipping ? 'bg-danger' : muted ? 'bg-ink-3' : 'bg-accent',
          )}
          style={{ width: `${meterFraction(level) * 100}%` }}
        />
      </div>
      <span
        aria-hidden="true"
        className={cn(
          'min-w-18 text-right text-xs whitespace-nowrap',
          level.isClipping ? 'text-live-ink' : 'text-ink-2',
        )}
      >
        {text()}
      </span>
    </div>
  );
}
