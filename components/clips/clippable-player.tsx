'use client';

import { type ComponentProps, useState } from 'react';
import { cn } from '@/components/ui/class-names';
import { type ClippedPlayer, Player } from '@/components/player/player';
import { ClipEditor, type ClipSource } from './clip-editor';

interface ClippablePlayerProps extends ComponentProps<typeof Player> {
  /** What clips are cut from; null = clips are not offered. */
  source: ClipSource | null;
}

/** A player with a Clip button, which opens the editor under it. */
export function ClippablePlayer({ source, className, ...player }: ClippablePlayerProps) {
  const [clipped, setClipped] = useState<ClippedPlayer | null>(null);
  return (
    <div className={cn('grid min-w-0 gap-4', className)}>
      <Player
        {...player}
        className="rounded-lg border"
        onClip={source ? (opened) => setClipped(opened) : undefined}
      />
      {source && clipped && <ClipEditor source={source} player={clipped} onClose={() => setClipped(null)} />}
    </div>
  );
}
