'use client';

import { RotateCcw, Share2 } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { seekTo } from '../video/media-actions';
import { PillButton } from './pill';

interface EndScreenProps {
  video: HTMLVideoElement;
  /** Undefined if sharing is not available. */
  onShare: (() => void) | undefined;
}

/** Buttons over the last frame of a video: replay and share. */
export default function EndScreen({ video, onShare }: EndScreenProps) {
  const t = useTranslations('player.stage');
  const replay = () => {
    seekTo(video, 0);
    void video.play().catch(() => undefined);
  };
  return (
    <div className="absolute inset-0 flex items-center justify-center gap-3 bg-black/60 max-sm:pb-12">
      <PillButton large onClick={replay}>
        <RotateCcw aria-hidden="true" className="size-4" />
        {t('replay')}
      </PillButton>
      {onShare && (
        <PillButton large onClick={onShare}>
          <Share2 aria-hidden="true" className="size-4" />
          {t('share')}
        </PillButton>
      )}
    </div>
  );
}
