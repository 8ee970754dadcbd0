'use client';

import { Airplay } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { ControlButton } from './control-button';

export type AirplayVideo = HTMLVideoElement & { webkitShowPlaybackTargetPicker?: () => void };

export default function AirplayButton({ video }: { video: AirplayVideo }) {
  const t = useTranslations('player.bar');
  return (
    <ControlButton label={t('airplay')} onClick={() => video.webkitShowPlaybackTargetPicker?.()}>
      <Airplay />
    </ControlButton>
  );
}
