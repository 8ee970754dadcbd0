'use client';

import { Suspense, lazy } from 'react';
import { useTranslations } from 'use-intl';
import { Play, VolumeOff } from '../icons';
import { togglePlay } from '../video/media-actions';
import { PillButton } from './pill';
import { useMediaValue } from '../engine/playback-hooks';

const EndScreen = lazy(() => import('./end-screen'));
const ResumedPrompt = lazy(() => import('./resumed'));

interface StagePromptsProps {
  video: HTMLVideoElement;
  /** Whether to show the button that unmutes. */
  unmuteOffered: boolean;
  onUnmute: () => void;
  /** Position at which playback resumed, in seconds; undefined if it did not. */
  resumedAt: number | undefined;
  /** Undefined if sharing is not available. */
  onShare: (() => void) | undefined;
}

/** Tolerance in seconds: the durations of a playlist and of its media can differ by one or two audio frames. */
const END_TOLERANCE_S = 0.05;

/** Whether a video has played to its end, or is paused there after a seek. */
const isAtEnd = ({ ended, paused, duration, currentTime }: HTMLVideoElement): boolean =>
  Number.isFinite(duration) &&
  (ended || (paused && currentTime > 0 && duration - currentTime < END_TOLERANCE_S));

/** Buttons over the video: play, unmute, start over and replay. */
export function StagePrompts({ video, unmuteOffered, onUnmute, resumedAt, onShare }: StagePromptsProps) {
  const t = useTranslations('player.stage');
  const paused = useMediaValue(video, 'play pause', (media) => media.paused, true);
  const atEnd = useMediaValue(video, 'ended seeked play seeking emptied durationchange', isAtEnd, false);
  if (atEnd) {
    return (
      <Suspense fallback={null}>
        <EndScreen video={video} onShare={onShare} />
      </Suspense>
    );
  }
  return (
    <>
      {paused && <PlayButton onClick={() => togglePlay(video)} />}
      <div className="absolute top-3 left-3 grid justify-items-start gap-2">
        {unmuteOffered && (
          <PillButton onClick={onUnmute}>
            <VolumeOff className="size-4" />
            {t(matchMedia('(pointer: fine)').matches ? 'clickToUnmute' : 'tapToUnmute')}
          </PillButton>
        )}
        {resumedAt !== undefined && (
          <Suspense fallback={null}>
            <ResumedPrompt video={video} resumedAt={resumedAt} />
          </Suspense>
        )}
      </div>
    </>
  );
}

function PlayButton({ onClick }: { onClick: () => void }) {
  const t = useTranslations('player.stage');
  return (
    <button
      type="button"
      aria-label={t('play')}
      onClick={onClick}
      className="absolute inset-0 m-auto grid size-16 place-items-center rounded-full bg-black/70 text-white hover:bg-black/85 focus-visible:outline-white max-sm:bottom-16 max-sm:size-14"
    >
      <Play className="ml-1 size-7" />
    </button>
  );
}
