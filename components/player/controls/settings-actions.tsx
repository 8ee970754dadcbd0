'use client';

import {
  Activity,
  Airplay,
  Cast,
  Keyboard,
  PictureInPicture2,
  RectangleHorizontal,
  RotateCcw,
  Scissors,
  Share2,
} from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { useTranslations } from 'use-intl';
import { type CastMedia, startCasting, castState, followCast } from '../video/cast';
import { togglePictureInPicture } from '../video/media-actions';
import type { AirplayVideo } from './airplay-button';
import { movesToSettings } from './bar-widths';
import type { TheaterMode } from './bar-buttons';
import { ActionRow } from './settings-rows';

/** What the settings panel can do besides changing playback. */
export interface PlayerActions {
  video: HTMLVideoElement;
  theater: TheaterMode | undefined;
  cast: CastMedia | undefined;
  onOpenChange: (open: boolean) => void;
  onHelp: () => void;
  /** Undefined if clips are not available. */
  onClip: (() => void) | undefined;
  /** Undefined if viewers cannot go back. */
  onRewind: (() => void) | undefined;
  onShare: (() => void) | undefined;
  onStats: () => void;
}

interface SettingsActionsProps extends PlayerActions {
  /** Width of the player in CSS pixels. */
  width: number;
}

/** Actions in the settings. Actions of controls for which the bar is too narrow come first. */
export function SettingsActions(props: SettingsActionsProps) {
  const { onOpenChange, onHelp, onShare, onStats } = props;
  const t = useTranslations('player.settings');
  const closeThen = (action: () => void) => () => {
    onOpenChange(false);
    action();
  };
  return (
    <div className="not-first:border-line not-first:mt-1.5 not-first:border-t not-first:pt-1.5">
      <ActionsOutsideBar {...props} closeThen={closeThen} />
      {onShare && (
        <ActionRow icon={Share2} onClick={closeThen(onShare)}>
          {t('share')}
        </ActionRow>
      )}
      <ActionRow icon={Keyboard} onClick={closeThen(onHelp)} className="pointer-coarse:hidden">
        {t('keyboardShortcuts')}
      </ActionRow>
      <ActionRow icon={Activity} onClick={closeThen(onStats)}>
        {t('stats')}
      </ActionRow>
    </div>
  );
}

type ActionsOutsideBarProps = SettingsActionsProps & {
  /** Wraps an action so that it closes the settings first. */
  closeThen: (action: () => void) => () => void;
};

/** Actions of the controls for which the bar is too narrow. */
function ActionsOutsideBar({
  video,
  width,
  theater,
  cast,
  onClip,
  onRewind,
  closeThen,
}: ActionsOutsideBarProps) {
  const t = useTranslations('player.bar');
  const openAirplayPicker = (video as AirplayVideo).webkitShowPlaybackTargetPicker?.bind(video);
  return (
    <>
      {onClip && movesToSettings('clip', width) && (
        <ActionRow icon={Scissors} onClick={closeThen(onClip)}>
          {t('clip')}
        </ActionRow>
      )}
      {onRewind && movesToSettings('rewind', width) && (
        <ActionRow icon={RotateCcw} onClick={closeThen(onRewind)}>
          {t('rewind')}
        </ActionRow>
      )}
      {document.pictureInPictureEnabled && movesToSettings('pictureInPicture', width) && (
        <ActionRow icon={PictureInPicture2} onClick={closeThen(() => void togglePictureInPicture(video))}>
          {t('pictureInPicture')}
        </ActionRow>
      )}
      {openAirplayPicker && movesToSettings('airplay', width) && (
        <ActionRow icon={Airplay} onClick={closeThen(openAirplayPicker)}>
          {t('airplay')}
        </ActionRow>
      )}
      {cast && movesToSettings('cast', width) && (
        <CastAction video={video} cast={cast} closeThen={closeThen} />
      )}
      {theater && movesToSettings('theater', width) && (
        <ActionRow icon={RectangleHorizontal} onClick={closeThen(theater.toggle)} className="max-lg:hidden">
          {t('theaterMode')}
        </ActionRow>
      )}
    </>
  );
}

type CastActionProps = Pick<ActionsOutsideBarProps, 'video' | 'closeThen'> & { cast: CastMedia };

function CastAction({ video, cast, closeThen }: CastActionProps) {
  const t = useTranslations('player.bar');
  const currentState = useSyncExternalStore(followCast, castState, castState);
  if (currentState === 'none') return null;
  return (
    <ActionRow icon={Cast} onClick={closeThen(() => startCasting(video, cast))}>
      {t('cast')}
    </ActionRow>
  );
}
