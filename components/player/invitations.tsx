'use client';

import { Play, RotateCcw, Share2, VolumeX } from 'lucide-react';
import type { ReactNode } from 'react';
import { clsx } from 'clsx';
import { seekTo, togglePlay } from './media-actions';
import { useMediaValue } from './playback-hooks';
import { clock } from './timeline';

interface InvitationsProps {
  video: HTMLVideoElement;
  /** The browser started without sound, and the viewer has not changed that yet. */
  unmuteOffered: boolean;
  onUnmute: () => void;
  /** Where the viewer had stopped, in seconds; undefined: playback started elsewhere. */
  resumedAt: number | undefined;
  /** Undefined where there is nothing to share. */
  onShare: (() => void) | undefined;
}

/** What is one click away from the picture: playing, sound, the beginning. */
export function Invitations({ video, unmuteOffered, onUnmute, resumedAt, onShare }: InvitationsProps) {
  const paused = useMediaValue(video, 'play pause', (each) => each.paused, true);
  const over = useMediaValue(
    video,
    'ended seeked play seeking emptied',
    (each) => each.ended && Number.isFinite(each.duration),
    false,
  );
  if (over) return <EndScreen video={video} onShare={onShare} />;
  return (
    <>
      {paused && <PlayButton onClick={() => togglePlay(video)} />}
      <div className="absolute top-3 left-3 grid justify-items-start gap-2">
        {unmuteOffered && (
          <Pill onClick={onUnmute}>
            <VolumeX aria-hidden="true" className="size-4" />
            Tap to unmute
          </Pill>
        )}
        {resumedAt !== undefined && <Resumed video={video} at={resumedAt} />}
      </div>
    </>
  );
}

function PlayButton({ onClick }: { onClick: () => void }) {
  return (
    <button
      type="button"
      aria-label="Play"
      onClick={onClick}
      className="absolute inset-0 m-auto grid size-16 place-items-center rounded-full bg-black/70 text-white hover:bg-black/85 focus-visible:outline-white max-sm:bottom-16 max-sm:size-14"
    >
      <Play aria-hidden="true" className="ml-1 size-7" />
    </button>
  );
}

/** Seconds of playback after which the offer to start over is gone. */
const RESUMED_FOR_S = 10;

function Resumed({ video, at }: { video: HTMLVideoElement; at: number }) {
  const fresh = useMediaValue(
    video,
    'timeupdate seeked',
    ({ currentTime }) => currentTime >= at - 1 && currentTime < at + RESUMED_FOR_S,
    false,
  );
  if (!fresh) return null;
  return (
    <Pill onClick={() => seekTo(video, 0)}>
      <RotateCcw aria-hidden="true" className="size-4" />
      Start over
      <span className="text-white/75">Resumed at {clock(at)}</span>
    </Pill>
  );
}

function EndScreen({ video, onShare }: Pick<InvitationsProps, 'video' | 'onShare'>) {
  const replay = () => {
    seekTo(video, 0);
    void video.play().catch(() => undefined);
  };
  return (
    <div className="absolute inset-0 flex items-center justify-center gap-3 bg-black/60 max-sm:pb-12">
      <Pill large onClick={replay}>
        <RotateCcw aria-hidden="true" className="size-4" />
        Replay
      </Pill>
      {onShare && (
        <Pill large onClick={onShare}>
          <Share2 aria-hidden="true" className="size-4" />
          Share
        </Pill>
      )}
    </div>
  );
}

interface PillProps {
  onClick: () => void;
  large?: boolean;
  children: ReactNode;
}

function Pill({ onClick, large = false, children }: PillProps) {
  return (
    <button
      type="button"
      onClick={onClick}
      className={clsx(
        'inline-flex items-center gap-2 rounded-lg bg-black/70 text-sm font-medium text-white hover:bg-black/85 focus-visible:outline-white pointer-coarse:h-11',
        large ? 'h-11 px-4' : 'h-9 px-3',
      )}
    >
      {children}
    </button>
  );
}

/** Says for a moment which way a double tap went. */
export function SeekFlash({ seconds }: { seconds: number | null }) {
  if (seconds === null) return null;
  return (
    <div
      aria-hidden="true"
      className={clsx(
        'pointer-events-none absolute inset-y-0 grid w-1/3 place-items-center text-white',
        seconds < 0 ? 'left-0' : 'right-0',
      )}
    >
      <span className="rounded-full bg-black/70 px-4 py-2 text-sm font-medium tabular-nums">
        {seconds < 0 ? '−' : '+'}
        {Math.abs(seconds)} s
      </span>
    </div>
  );
}
