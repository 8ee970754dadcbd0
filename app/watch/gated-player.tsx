'use client';

import { type ComponentProps, Suspense, lazy } from 'react';
import type { Proof } from '@/components/player/pages/embed-options';
import type { Player } from '@/components/player/player';
import type { PublicPlaybackPolicy } from '@/lib/contract/access/playback-policy';

/** Between a viewer and what not everybody may watch. */
export interface Gate {
  readonly playbackId: string;
  readonly type: PublicPlaybackPolicy['type'];
  /** What the address of the page has. */
  readonly proof: Proof | null;
  /** Known already: nothing plays on this site. */
  readonly refusal?: string;
}

export interface GatedPlayerProps extends ComponentProps<typeof Player> {
  gate: Gate;
}

const Gated = lazy(() => import('./gated'));

/** The player of what not everybody may watch. Its code is loaded only there. */
export function GatedPlayer(props: GatedPlayerProps) {
  return (
    <Suspense fallback={null}>
      <Gated {...props} />
    </Suspense>
  );
}
