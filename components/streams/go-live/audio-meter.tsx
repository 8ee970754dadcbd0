'use client';

import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { cn } from '@/components/ui/class-names';
import { floorDb, meterShare, nextLevel, silence } from '@/lib/core/streams/go-live/audio-level';

const LOOK_MS = 100;

interface AudioMeterProps {
  /** Returns the current peak level, 0 to 1. */
  peak: () => number;
  hasMicrophone: boolean;
  muted: boolean;
}

/** Level of the microphone, with a warning if it clips. Also moves while muted. */
export function AudioMeter({ peak, hasMicrophone, muted }: AudioMeterProps) {
  const t = useTranslations('goLive.meter');
  const [level, setLevel] = useState(silence);
  useEffect(() => {
    if (!hasMicrophone) return undefined;
    const timer = setInterval(
      () =>
        setLevel((before) => nextLevel(before, { peak: peak(), now: performance.now(), elapsedMs: LOOK_MS })),
      LOOK_MS,
    );
    return () => {
      clearInterval(timer);
      setLevel(silence);
    };
  }, [hasMicrophone, peak]);
  const decibels = Math.round(level.peakDb);
  const text = () => {
    if (!hasMicrophone) return t('none');
    if (muted) return t('muted');
    return level.clips ? t('tooLoud') : t('decibels', { value: decibels });
  };
  return (
    <div className="flex items-center gap-3">
      <div
        role="meter"
        aria-label={t('label')}
        aria-valuemin={floorDb}
        aria-valuemax={0}
        aria-valuenow={decibels}
        aria-valuetext={text()}
        className="bg-hover h-1.5 min-w-0 flex-1 overflow-hidden rounded-full"
      >
        <div
          className={cn('h-full rounded-full', level.clips ? 'bg-danger' : muted ? 'bg-ink-3' : 'bg-accent')}
          style={{ width: `${meterShare(level) * 100}%` }}
        />
      </div>
      <span
        aria-hidden="true"
        className={cn(
          'min-w-18 text-right text-xs whitespace-nowrap',
          level.clips ? 'text-live-ink' : 'text-ink-2',
        )}
      >
        {text()}
      </span>
    </div>
  );
}
