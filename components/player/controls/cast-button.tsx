'use client';

import { Cast } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { useTranslations } from 'use-intl';
import { type CastMedia, startCasting, castState, followCast } from '../video/cast';
import { ControlButton } from './control-button';

/** Cast button, which is shown while Chromecast devices are available. Rendering it loads Google's script. */
export default function CastButton({ video, media }: { video: HTMLVideoElement; media: CastMedia }) {
  const t = useTranslations('player.bar');
  const currentState = useSyncExternalStore(followCast, castState, castState);
  if (currentState === 'none') return null;
  return (
    <ControlButton
      label={t('cast')}
      pressed={currentState === 'casting'}
      onClick={() => startCasting(video, media)}
    >
      <Cast />
    </ControlButton>
  );
}
