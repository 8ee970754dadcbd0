'use client';

import { RotateCcw } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { seekTo } from '../video/media-actions';
import { PillButton } from './pill';
import { useMediaValue } from '../engine/playback-hooks';
import { formatTimecode } from '../video/timecode';

/** Seconds of playback after which the button disappears. */
const SHOWN_FOR_S = 10;

interface ResumedPromptProps {
  video: HTMLVideoElement;
  /** Position at which playback resumed, in seconds. */
  resumedAt: number;
}

/** Button that starts the video over, with the position at which playback resumed. */
export default function ResumedPrompt({ video, resumedAt }: ResumedPromptProps) {
  const t = useTranslations('player.stage');
  const isShown = useMediaValue(
    video,
    'timeupdate seeked',
    // A seek to the position can end up to a second before it.
    ({ currentTime }) => currentTime >= resumedAt - 1 && currentTime < resumedAt + SHOWN_FOR_S,
    false,
  );
  if (!isShown) return null;
  return (
    <PillButton onClick={() => seekTo(video, 0)}>
      <RotateCcw aria-hidden="true" className="size-4" />
      {t('startOver')}
      <span className="text-white/75">{t('resumedAt', { at: formatTimecode(resumedAt) })}</span>
    </PillButton>
  );
}
