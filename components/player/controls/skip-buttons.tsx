'use client';

import { useTranslations } from 'use-intl';
import { createIcon } from '../icons';
import { LONG_SEEK_S } from '../input/shortcuts';
import { seekBy } from '../video/media-actions';
import { ControlButton } from './control-button';

/** Icons of Lucide (ISC licence). */
const BackIcon = createIcon('M3 12a9 9 0 1 0 9-9 9.75 9.75 0 0 0-6.74 2.74L3 8M3 3v5h5');
const ForwardIcon = createIcon('M21 12a9 9 0 1 1-9-9c2.52 0 4.93 1 6.74 2.74L21 8M21 3v5h-5');

const hiddenUnlessWide = '@max-[960px]/stage:hidden';

/** Buttons that seek back and forward in a wide player; keys and double taps do so in every player. */
export default function SkipButtons({ video }: { video: HTMLVideoElement }) {
  const t = useTranslations('player.bar');
  const seconds = String(LONG_SEEK_S);
  return (
    <>
      <ControlButton
        label={t('back', { seconds })}
        onClick={() => seekBy(video, -LONG_SEEK_S)}
        className={hiddenUnlessWide}
      >
        <BackIcon />
      </ControlButton>
      <ControlButton
        label={t('forward', { seconds })}
        onClick={() => seekBy(video, LONG_SEEK_S)}
        className={hiddenUnlessWide}
      >
        <ForwardIcon />
      </ControlButton>
    </>
  );
}
