'use client';

import { Activity, Keyboard, type LucideIcon, PictureInPicture2, Share2 } from 'lucide-react';
import type { RefObject } from 'react';
import { clsx } from 'clsx';
import { useTranslations } from 'use-intl';
import type { Captions } from '../video/caption-tracks';
import { togglePictureInPicture } from '../video/media-actions';
import type { PlaybackView } from '../engine/playback-view';
import { type PlaybackControl, useMediaValue } from '../engine/playback-hooks';
import { speeds } from '../video/speeds';
import { timelineOf } from '../video/timeline';
import { StagePopover } from './stage-popover';

export interface SettingsPanelProps {
  anchor: RefObject<HTMLButtonElement | null>;
  video: HTMLVideoElement;
  stage: HTMLElement;
  view: PlaybackView;
  control: PlaybackControl;
  captions: Captions;
  onOpenChange: (open: boolean) => void;
  onHelp: () => void;
  onShare: (() => void) | undefined;
  onStats: () => void;
}

/** What can be chosen, in lists of the browser, which also work in full screen and on phones. */
export default function SettingsPanel(props: SettingsPanelProps) {
  const t = useTranslations('player.settings');
  const { anchor, stage, onOpenChange } = props;
  return (
    <StagePopover label={t('label')} align="end" className="w-64" {...{ anchor, stage, onOpenChange }}>
      <Choices {...props} />
      <Actions {...props} />
    </StagePopover>
  );
}

const AUTO = -1;
const OFF = -1;

function Choices({ video, view, control, captions }: SettingsPanelProps) {
  const t = useTranslations('player.settings');
  const { renditions, chosen, shown, audioTracks, heard } = view;
  const speed = useMediaValue(video, 'ratechange', (each) => each.defaultPlaybackRate, 1);
  const seekable = useMediaValue(
    video,
    'durationchange progress',
    (each) => timelineOf(each) !== null,
    false,
  );
  const now = renditions.find(({ index }) => index === shown);
  const trackName = (label: string, at: number) => label || t('track', { number: String(at + 1) });
  const auto = now && chosen === AUTO ? t('autoNow', { quality: now.label }) : t('auto');
  return (
    <>
      {renditions.length > 1 && (
        <Choice label={t('quality')} value={chosen} onChange={control.choose}>
          {[
            [AUTO, auto] as const,
            ...renditions.toReversed().map((each) => [each.index, each.label] as const),
          ]}
        </Choice>
      )}
      {seekable && (
        <Choice label={t('speed')} value={speed} onChange={control.setSpeed}>
          {speeds.map((each) => [each, each === 1 ? t('normal') : `${each}×`])}
        </Choice>
      )}
      {captions.tracks.length > 0 && (
        <Choice label={t('captions')} value={captions.shown} onChange={captions.choose}>
          {[
            [OFF, t('off')] as const,
            ...captions.tracks.map((each, at) => [each.index, trackName(each.label, at)] as const),
          ]}
        </Choice>
      )}
      {audioTracks.length > 0 && (
        <Choice label={t('audio')} value={heard} onChange={control.chooseAudio}>
          {audioTracks.map((each, at) => [each.index, trackName(each.label, at)])}
        </Choice>
      )}
    </>
  );
}

interface ChoiceProps {
  label: string;
  value: number;
  onChange: (value: number) => void;
  children: readonly (readonly [value: number, label: string])[];
}

function Choice({ label, value, onChange, children }: ChoiceProps) {
  return (
    <label className="flex min-h-10 items-center justify-between gap-3 rounded-sm px-2 pointer-coarse:min-h-12">
      {label}
      <select
        value={value}
        onChange={(event) => onChange(Number(event.target.value))}
        className="bg-sunken h-8 w-36 cursor-pointer truncate rounded-md border px-2 text-sm pointer-coarse:h-11 pointer-coarse:text-base"
      >
        {children.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

function Actions({ video, onOpenChange, onHelp, onShare, onStats }: SettingsPanelProps) {
  const t = useTranslations('player.settings');
  const closing = (act: () => void) => () => {
    onOpenChange(false);
    act();
  };
  return (
    <div className="not-first:border-line not-first:mt-1.5 not-first:border-t not-first:pt-1.5">
      {document.pictureInPictureEnabled && (
        <Action
          icon={PictureInPicture2}
          onClick={closing(() => void togglePictureInPicture(video))}
          className="sm:hidden"
        >
          {t('pictureInPicture')}
        </Action>
      )}
      {onShare && (
        <Action icon={Share2} onClick={closing(onShare)}>
          {t('share')}
        </Action>
      )}
      <Action icon={Keyboard} onClick={closing(onHelp)} className="pointer-coarse:hidden">
        {t('keyboardShortcuts')}
      </Action>
      <Action icon={Activity} onClick={closing(onStats)}>
        {t('stats')}
      </Action>
    </div>
  );
}

interface ActionProps {
  icon: LucideIcon;
  onClick: () => void;
  className?: string;
  children: string;
}

function Action({ icon: Icon, onClick, className, children }: ActionProps) {
  return (
    <button
      type="button"
      onClick={onClick}
      className={clsx(
        'hover:bg-hover flex min-h-9 w-full items-center gap-2.5 rounded-sm px-2 text-left pointer-coarse:min-h-11',
        className,
      )}
    >
      <Icon aria-hidden="true" className="text-ink-3 size-4" />
      {children}
    </button>
  );
}
