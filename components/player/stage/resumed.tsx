'use client';

import { RotateCcw } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { seekTo } from '../video/media-actions';
import { PillButton } from './pill';
import { useMediaValue } from '../engine/playback-hooks';
import { formatTimecode } from '../video/timecode';

/** Seconds of playback after which the offer to start over disappears. */
const RESUMED_FOR_S = 10;

/** Shows where playback resumed, with a button to start over. */
export default function ResumedPrompt({ video, at }: { video: HTMLVideoElement; at: number }) {
  const t = useTranslations('player.stage');
  const isShown = useMediaValue(
    video,
    'timeupdate seeked',
    ({ currentTime }) => currentTime >= at - 1 && currentTime < at + RESUMED_FOR_S,
    false,
  );
  if (!isShown) return null;
  return (
    <PillButton onClick={() => seekTo(video, 0)}>
      <RotateCcw aria-hidden="true" className="size-4" />
      {t('startOver')}
      <span className="text-white/75">{t('resumedAt', { at: formatTimecode(at) })}</span>
    </PillButton>
  );
}
