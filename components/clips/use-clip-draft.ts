import { useEffect, useEffectEvent, useState } from 'react';
import { seekTo } from '@/components/player/video/media-actions';
import { type ClipBounds, type ClipDraft, clipBounds, initialDraft } from './clip-draft';
import { omitUndefined } from '@/lib/core/omit-undefined';

interface ClipDraftState {
  readonly bounds: ClipBounds;
  readonly draft: ClipDraft;
  /**
   * Sets the clip, and pauses the player.
   * @param position seconds to which the player seeks
   */
  readonly changeDraft: (draft: ClipDraft, position: number) => void;
}

/**
 * State of the clip editor.
 * @param onLost called when the player restarts a live stream, after which its seconds refer to other times
 * @param maxSeconds longest clip in seconds; default: one hour
 */
export function useClipDraft(
  video: HTMLVideoElement,
  onLost: () => void,
  maxSeconds?: number,
): ClipDraftState {
  // The bounds are fixed when the editor opens, because the moving end of a live stream would shift the handles.
  const [bounds] = useState(() => ({
    ...clipBounds(video),
    ...omitUndefined({ maxSeconds }),
  }));
  const [isLive] = useState(() => !Number.isFinite(video.duration));
  const [draft, setDraft] = useState(() => initialDraft(video.currentTime, bounds));
  const onSourceLost = useEffectEvent(onLost);
  useEffect(() => {
    if (!isLive) return;
    const onEmptied = () => onSourceLost();
    video.addEventListener('emptied', onEmptied);
    return () => video.removeEventListener('emptied', onEmptied);
  }, [video, isLive]);
  const changeDraft = (newDraft: ClipDraft, position: number) => {
    setDraft(newDraft);
    video.pause();
    seekTo(video, position);
  };
  return { bounds, draft, changeDraft };
}
