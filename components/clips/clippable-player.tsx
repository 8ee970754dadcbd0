'use client';

import { type ComponentProps, useState } from 'react';
import { useMay } from '@/components/teams/use-team';
import { cn } from '@/components/ui/class-names';
import { type ClippedPlayer, Player } from '@/components/player/player';
import { ClipEditor, type ClipSource } from './clip-editor';

interface ClippablePlayerProps extends ComponentProps<typeof Player> {
  /** What clips are cut from; null = clips are not offered. */
  source: ClipSource | null;
}

/** A player with a Clip button for those who may make assets; it opens the editor under it. */
export function ClippablePlayer({ source, className, ...player }: ClippablePlayerProps) {
  const mayClip = useMay('developer');
  const [clipped, setClipped] = useState<ClippedPlayer | null>(null);
  return (
    <div className={cn('grid min-w-0 gap-4', className)}>
      <Player
        {...player}
        className="rounded-lg border"
        onClip={source && mayClip ? (opened) => setClipped(opened) : undefined}
      />
      {source && clipped && <ClipEditor source={source} player={clipped} onClose={() => setClipped(null)} />}
    </div>
  );
}
