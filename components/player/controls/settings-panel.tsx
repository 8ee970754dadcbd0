'use client';

import { type RefObject, useCallback, useSyncExternalStore } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import type { Chapter } from '@/lib/core/assets/chapters';
import type { Captions } from '../video/caption-tracks';
import { seekTo, setVolume } from '../video/media-actions';
import type { PlaybackView } from '../engine/playback-view';
import { type PlaybackControl, useMediaValue } from '../engine/playback-hooks';
import type { LatencyChoice } from '../video/use-real-time';
import { speeds } from '../video/speeds';
import { timelineOf } from '../video/timeline';
import { formatTimecode } from '../video/timecode';
import { movesToSettings, SETTINGS_COVER_BELOW } from './bar-widths';
import { type PlayerActions, SettingsActions } from './settings-actions';
import { ChoiceRow, FactRow, SliderRow } from './settings-rows';
import { StageCover } from './stage-cover';
import { StagePopover } from './stage-popover';

export interface SettingsPanelProps extends PlayerActions {
  anchor: RefObject<HTMLButtonElement | null>;
  /** Root element of the player. */
  stage: HTMLElement;
  view: PlaybackView;
  control: PlaybackControl;
  captions: Captions;
  chapters: readonly Chapter[];
  latency: LatencyChoice | undefined;
}

/** Settings panel, with the controls for which the bar is too narrow. */
export default function SettingsPanel(props: SettingsPanelProps) {
  const t = useTranslations('player.settings');
  const { anchor, stage, onOpenChange } = props;
  const width = useStageWidth(stage);
  const rows = (
    <>
      <Choices {...props} />
      <BarValues {...props} width={width} />
      <SettingsActions {...props} width={width} />
    </>
  );
  if (width < SETTINGS_COVER_BELOW) {
    return (
      <StageCover
        label={t('label')}
        closeLabel={t('close')}
        anchor={anchor}
        stage={stage}
        onOpenChange={onOpenChange}
      >
        {rows}
      </StageCover>
    );
  }
  return (
    <StagePopover
      label={t('label')}
      align="end"
      className="w-64"
      anchor={anchor}
      stage={stage}
      onOpenChange={onOpenChange}
    >
      {rows}
    </StagePopover>
  );
}

function useStageWidth(stage: HTMLElement): number {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const observer = new ResizeObserver(onChange);
      observer.observe(stage);
      return () => observer.disconnect();
    },
    [stage],
  );
  return useSyncExternalStore(subscribe, () => stage.clientWidth);
}

// Values of the selects: -1 stands for the automatic rendition and for captions that are off.
const AUTO = -1;
const OFF = -1;

const HLS = 0;
const WEBRTC = 1;

/** Quality, latency, speed, captions and audio track. A row is omitted if there is nothing to choose. */
function Choices({ video, view, control, captions, latency }: SettingsPanelProps) {
  const t = useTranslations('player.settings');
  const { renditions, chosenRendition, shownRendition, audioTracks, audioTrack } = view;
  const speed = useMediaValue(video, 'ratechange', (media) => media.defaultPlaybackRate, 1);
  const seekable = useMediaValue(
    video,
    'durationchange progress',
    (media) => timelineOf(media) !== null,
    false,
  );
  const renditionOnScreen = renditions.find(({ index }) => index === shownRendition);
  const trackName = (label: string, position: number) =>
    label || t('track', { number: String(position + 1) });
  const autoLabel =
    renditionOnScreen && chosenRendition === AUTO
      ? t('autoNow', { quality: renditionOnScreen.label })
      : t('auto');
  return (
    <>
      {renditions.length > 1 && (
        <ChoiceRow label={t('quality')} value={chosenRendition} onChange={control.chooseRendition}>
          {[
            [AUTO, autoLabel] as const,
            ...renditions.toReversed().map((rendition) => [rendition.index, rendition.label] as const),
          ]}
        </ChoiceRow>
      )}
      {latency && (
        <ChoiceRow
          label={t('latency')}
          value={latency.isRealTime ? WEBRTC : HLS}
          onChange={(value) => latency.choose(value === WEBRTC)}
        >
          {[
            [HLS, t('latencyLow')],
            [WEBRTC, t('latencyRealTime')],
          ]}
        </ChoiceRow>
      )}
      {seekable && (
        <ChoiceRow label={t('speed')} value={speed} onChange={control.setSpeed}>
          {speeds.map((choice) => [choice, choice === 1 ? t('normal') : `${choice}×`])}
        </ChoiceRow>
      )}
      {captions.tracks.length > 0 && (
        <ChoiceRow label={t('captions')} value={captions.shownTrack} onChange={captions.choose}>
          {[
            [OFF, t('off')] as const,
            ...captions.tracks.map(
              (track, position) => [track.index, trackName(track.label, position)] as const,
            ),
          ]}
        </ChoiceRow>
      )}
      {audioTracks.length > 0 && (
        <ChoiceRow label={t('audio')} value={audioTrack} onChange={control.chooseAudio}>
          {audioTracks.map((choice, position) => [choice.index, trackName(choice.label, position)])}
        </ChoiceRow>
      )}
    </>
  );
}

/** Chapter, volume, duration and latency, which the bar shows instead if the stage is wide enough. */
function BarValues({ video, view, chapters, width }: SettingsPanelProps & { width: number }) {
  const t = useTranslations('player.settings');
  const tBar = useTranslations('player.bar');
  const language = useLocale();
  const muted = useMediaValue(video, 'volumechange', (media) => media.muted, true);
  const volume = useMediaValue(video, 'volumechange', (media) => media.volume, 1);
  const duration = useMediaValue(video, 'durationchange', (media) => media.duration, 0);
  const chapterIndex = useMediaValue(
    video,
    'timeupdate seeked',
    ({ currentTime }) => chapters.findLastIndex(({ start }) => start <= currentTime),
    -1,
  );
  const { latency } = view;
  return (
    <>
      {chapters.length > 0 && movesToSettings('chapters', width) && (
        <ChoiceRow
          label={t('chapter')}
          value={Math.max(chapterIndex, 0)}
          onChange={(index) => seekTo(video, chapters[index]?.start ?? 0)}
        >
          {chapters.map((chapter, index) => [index, chapter.title])}
        </ChoiceRow>
      )}
      {movesToSettings('volume', width) && (
        <SliderRow
          label={tBar('volume')}
          value={muted ? 0 : volume}
          onChange={(value) => setVolume(video, value)}
        />
      )}
      {Number.isFinite(duration)
        ? movesToSettings('duration', width) && (
            <FactRow label={t('length')}>{formatTimecode(duration)}</FactRow>
          )
        : latency !== null &&
          movesToSettings('latency', width) && (
            <FactRow label={tBar('delay')}>{formatLatency(latency, language)}</FactRow>
          )}
    </>
  );
}

const oneDigit = { minimumFractionDigits: 1, maximumFractionDigits: 1 };

const formatLatency = (seconds: number, language: string): string =>
  seconds < 60 ? `${seconds.toLocaleString(language, oneDigit)} s` : formatTimecode(seconds);
