'use client';

import { useTranslations } from 'use-intl';
import { createIcon } from '../icons';
import { ControlButton } from './control-button';

/** Icons of Lucide (ISC licence). */
const RewindIcon = createIcon('M3 12a9 9 0 1 0 9-9 9.75 9.75 0 0 0-6.74 2.74L3 8M3 3v5h5M12 7v5l4 2');
const ScissorsIcon = createIcon(
  'M6 9a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM8.12 8.12 12 12M20 4 8.12 15.88M6 21a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM14.8 14.8 20 20',
);

interface RewindAndClipButtonsProps {
  /** Undefined if the viewer cannot go back in the live stream. */
  onRewind: (() => void) | undefined;
  /** Undefined if clips are not available. */
  onClip: (() => void) | undefined;
}

/** Buttons that go back in a live stream and that create a clip. */
export default function RewindAndClipButtons({ onRewind, onClip }: RewindAndClipButtonsProps) {
  const t = useTranslations('player.bar');
  return (
    <>
      {onRewind && (
        <ControlButton label={t('rewind')} onClick={onRewind}>
          <RewindIcon />
        </ControlButton>
      )}
      {onClip && (
        <ControlButton label={t('clip')} onClick={onClip}>
          <ScissorsIcon />
        </ControlButton>
      )}
    </>
  );
}
