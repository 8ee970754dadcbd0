'use client';

import { type ComponentProps, lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useStageBrand } from '@/lib/client/queries/brand-queries';
import { useHasRole } from '@/components/teams/use-team';
import { cn } from '@/components/ui/class-names';
import { type ClippedPlayer, Player } from '@/components/player/player';
import type { ClipSource } from './clip-editor';

const ClipEditor = lazy(async () => ({ default: (await import('./clip-editor')).ClipEditor }));

interface ClippablePlayerProps extends ComponentProps<typeof Player> {
  /** Source of clips; null: clips are not available. */
  source: ClipSource | null;
  /** State of the editor, if a Clip button outside the player opens it. The bar then has no Clip button. */
  clipping?: { readonly open: boolean; readonly onClose: () => void };
  /** Called with the video element of the player, for controls outside it. */
  onVideo?: (video: HTMLVideoElement | null) => void;
}

/** A player with a Clip button for members who may create assets; the editor opens below the player. */
export function ClippablePlayer({ source, clipping, onVideo, className, ...player }: ClippablePlayerProps) {
  const mayClip = useHasRole('developer');
  const brand = useStageBrand();
  const containerRef = useRef<HTMLDivElement>(null);
  const [clippedPlayer, setClippedPlayer] = useState<ClippedPlayer | null>(null);
  const isOpen = clipping?.open ?? false;
  useEffect(() => onVideo?.(containerRef.current?.querySelector('video') ?? null), [onVideo]);
  useEffect(() => {
    if (!isOpen) return;
    const video = containerRef.current?.querySelector('video');
    // Only the page of an asset opens the editor itself, and a clip of an asset needs no dates.
    if (video) setClippedPlayer({ video, dateAt: () => null });
  }, [isOpen]);
  const close = () => {
    setClippedPlayer(null);
    clipping?.onClose();
  };
  return (
    <div ref={containerRef} className={cn('grid min-w-0 gap-4', className)}>
      <Player
        {...player}
        brand={brand}
        className="rounded-lg border"
        onClip={source && mayClip && !clipping ? (openedPlayer) => setClippedPlayer(openedPlayer) : undefined}
      />
      <Suspense fallback={null}>
        {source && clippedPlayer && <ClipEditor source={source} player={clippedPlayer} onClose={close} />}
      </Suspense>
    </div>
  );
}
