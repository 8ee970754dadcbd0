'use client';

import { Captions as CaptionsIcon } from 'lucide-react';
import { useTranslations } from 'use-intl';
import type { Captions } from '../video/caption-tracks';
import { ControlButton } from './control-button';

/** Switches captions on and off. */
export default function CaptionsButton({ captions }: { captions: Captions }) {
  const t = useTranslations('player.bar');
  return (
    // A shown track of -1 means that captions are off.
    <ControlButton label={t('captions')} pressed={captions.shownTrack >= 0} onClick={captions.toggle}>
      <CaptionsIcon />
    </ControlButton>
  );
}
