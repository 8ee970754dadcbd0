'use client';

import { Play, VolumeX } from 'lucide-react';
import { useState } from 'react';
import { clsx } from 'clsx';
import type { Broadcast } from '@/lib/core/streams/broadcast';
import { Controls } from './controls';
import { picturesBeside, toggleMute, togglePlay } from './media-actions';
import { PlayerState, type Words } from './player-state';
import { useMediaValue, usePlayback, usePlayerKeys, useQuiet } from './playback-hooks';

interface PlayerProps {
  /** Address of the HLS playlist; null = there is nothing at this address; undefined = it is not known yet. */
  src: string | null | undefined;
  /** Whether the stream is live, if known; undefined: the player finds out. */
  live?: boolean | undefined;
  /** Why nothing plays at first, for pages for viewers; the player follows it from then on. */
  broadcast?: Broadcast | undefined;
  /** Shown until the first picture. */
  poster?: string | undefined;
  /** Of what; for those who cannot see it. */
  title: string;
  /** Shown before the stream starts, instead of "Starts soon". */
  waiting?: Words;
  /** Keys work everywhere on the page, not only inside the player. */
  wholePage?: boolean;
  /** Fills the height of its window instead of keeping 16:9. */
  fill?: boolean;
  /** Starts automatically, muted if the browser requires it. */
  autoplay?: boolean;
  muted?: boolean;
  /** The bar at the lower edge. */
  controls?: boolean;
  className?: string;
}

/** Plays live streams and videos: waits for them, comes back after every loss. Its area never changes size. */
export function Player({
  src,
  live,
  broadcast,
  poster,
  title,
  waiting,
  wholePage = false,
  fill = false,
  autoplay = true,
  muted = true,
  controls = true,
  className,
}: PlayerProps) {
  const [video, setVideo] = useState<HTMLVideoElement | null>(null);
  const [stage, setStage] = useState<HTMLElement | null>(null);
  const { view, choose, jumpToLive } = usePlayback(video, src, live, autoplay, broadcast);
  const pictures = picturesBeside(src ?? null);
  const picture = poster ?? pictures?.poster;
  const quiet = useQuiet(stage);
  usePlayerKeys(video, stage, wholePage);
  const playing = view.phase === 'playing';

  return (
    <section
      ref={setStage}
      tabIndex={wholePage ? undefined : 0}
      aria-label={`Player: ${title}`}
      data-phase={view.phase}
      className={clsx(
        'relative w-full overflow-hidden bg-[#0b1013]',
        fill ? 'h-dvh' : 'aspect-video',
        quiet && playing && 'cursor-none',
        className,
      )}
    >
      <video
        ref={setVideo}
        muted={muted}
        playsInline
        poster={picture}
        aria-label={title}
        onClick={(event) => togglePlay(event.currentTarget)}
        className="absolute inset-0 size-full object-contain"
      />
      <PlayerState
        phase={view.phase}
        waiting={waiting}
        broadcast={view.broadcast}
        framed={fill}
        pictured={picture !== undefined}
      />
      {playing && video && <Invitations video={video} />}
      {controls && (
        <Controls
          video={video}
          stage={stage}
          view={view}
          hidden={quiet}
          storyboard={pictures?.storyboard ?? null}
          onChoose={choose}
          onJumpToLive={jumpToLive}
        />
      )}
    </section>
  );
}

/** Browsers start films without sound, or not at all: both are one click away. */
function Invitations({ video }: { video: HTMLVideoElement }) {
  const paused = useMediaValue(video, 'play pause', (each) => each.paused, true);
  const muted = useMediaValue(video, 'volumechange', (each) => each.muted, true);
  const [offered, setOffered] = useState(true);
  if (paused) {
    return (
      <button
        type="button"
        aria-label="Play"
        onClick={() => togglePlay(video)}
        className="absolute inset-0 m-auto grid size-16 place-items-center rounded-full bg-black/70 text-white hover:bg-black/85 focus-visible:outline-white max-sm:bottom-16 max-sm:size-14"
      >
        <Play aria-hidden="true" className="ml-1 size-7" />
      </button>
    );
  }
  if (!muted || !offered) return null;
  return (
    <button
      type="button"
      onClick={() => {
        toggleMute(video);
        setOffered(false);
      }}
      className="absolute top-3 left-3 inline-flex h-9 items-center gap-2 rounded-lg bg-black/70 px-3 text-sm font-medium text-white hover:bg-black/85 focus-visible:outline-white"
    >
      <VolumeX aria-hidden="true" className="size-4" />
      Tap to unmute
    </button>
  );
}
