import { useEffect, useEffectEvent, useState } from 'react';
import { seekTo } from '@/components/player/video/media-actions';
import { type ClipBounds, type ClipDraft, clipBounds, firstDraft } from './clip-draft';
import { defined } from '@/lib/core/defined';

interface ClipChoice {
  readonly bounds: ClipBounds;
  readonly draft: ClipDraft;
  /** @param position the second whose picture the player shows */
  readonly change: (draft: ClipDraft, position: number) => void;
}

/**
 * What is chosen of a video as a clip.
 * @param onLost the player started a live stream again, so that its seconds mean other moments
 * @param longest seconds; absent: an hour
 */
export function useClipDraft(video: HTMLVideoElement, onLost: () => void, longest?: number): ClipChoice {
  // Bounds from the opening of the editor. The moving end of a live stream would shift the handles.
  const [bounds] = useState(() => ({
    ...clipBounds(video),
    ...defined({ longest }),
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
