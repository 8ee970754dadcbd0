import { useEffect, useEffectEvent, useState } from 'react';
import { seekTo } from '@/components/player/video/media-actions';
import { type ClipBounds, type ClipDraft, clipBounds, firstDraft } from './clip-draft';
import { defined } from '@/lib/core/defined';

interface ClipChoice {
  readonly bounds: ClipBounds;
  readonly draft: ClipDraft;
  /** @param position second that the player shows */
  readonly change: (draft: ClipDraft, position: number) => void;
}

/**
 * State of the clip editor.
 * @param onLost called when the player restarts a live stream, which changes the meaning of its seconds
 * @param maxSeconds seconds; absent: an hour
 */
export function useClipDraft(video: HTMLVideoElement, onLost: () => void, maxSeconds?: number): ClipChoice {
  // Bounds at the time when the editor opened: the moving end of a live stream would shift the handles.
  const [bounds] = useState(() => ({
    ...clipBounds(video),
    ...defined({ maxSeconds }),
  }));
  const [live] = useState(() => !Number.isFinite(video.duration));
  const [draft, setDraft] = useState(() => firstDraft(video.currentTime, bounds));
  const onSourceLost = useEffectEvent(onLost);
  useEffect(() => {
    if (!live) return;
    const emptyDraft = () => onSourceLost();
    video.addEventListener('emptied', emptyDraft);
    return () => video.removeEventListener('emptied', emptyDraft);
  }, [video, live]);
  const change = (next: ClipDraft, position: number) => {
    setDraft(next);
    video.pause();
    seekTo(video, position);
  };
  return { bounds, draft, change };
}
