'use client';

import { X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import type { Translator } from '@/components/i18n/messages';
import { CopyButton } from '@/components/ui/copy/copy-button';
import { formatBitrate, formatDecimal } from '@/components/ui/figures';
import type { Language } from '@/messages/languages';
import { ReportButton } from './report-button';
import { ControlButton } from '../controls/control-button';
import type { EngineFacts } from '../engine/engine';
import type { PlaybackView } from '../engine/playback-view';
import { bufferedUntil } from '../video/timeline';

interface StatsPanelProps {
  video: HTMLVideoElement;
  view: PlaybackView;
  facts: () => EngineFacts | null;
  src: string | null | undefined;
  /** Returns the reports of this view; undefined if the owner disabled reports. */
  reportLines: (() => readonly string[]) | undefined;
  onClose: () => void;
}

const REFRESH_INTERVAL_MS = 1000;

/** "Stats for nerds": source and playback quality, updated once a second. */
export default function StatsPanel({ video, view, facts, src, reportLines, onClose }: StatsPanelProps) {
  const t = useTranslations('player.stats');
  // Only rerenders: the values are read from the <video>.
  const [, setTick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTick((tick) => tick + 1), REFRESH_INTERVAL_MS);
    return () => clearInterval(timer);
  }, []);
  const language = useLocale();
  const rows = statsOf(t, video, view.latency, facts(), language);
  const copiedText = rows.map(([name, value]) => `${name}: ${value}`).join('\n');
  return (
    <section
      aria-label={t('label')}
      className="absolute top-2 left-2 max-h-[calc(100%-6rem)] max-w-[calc(100%-1rem)] overflow-y-auto rounded-lg bg-black/80 p-3 text-white sm:top-3 sm:left-3"
    >
      <div className="-mt-1 -mr-1 mb-1 flex items-center justify-between gap-2">
        <CopyButton
          value={copiedText}
          label={t('copyStats')}
          text={t('copy')}
          className="-ml-2 text-white hover:bg-white/15 hover:text-white pointer-coarse:h-11"
        />
        {src && reportLines && <ReportButton src={src} getLines={reportLines} />}
        <ControlButton label={t('close')} onClick={onClose}>
          <X />
        </ControlButton>
      </div>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-0.5 font-mono text-xs tabular-nums">
        {rows.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-white/70">{name}</dt>
            <dd className="wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

type Row = readonly [name: string, value: string];

function statsOf(
  t: Translator<'player.stats'>,
  video: HTMLVideoElement,
  latency: number | null,
  facts: EngineFacts | null,
  language: Language,
): Row[] {
  const { videoWidth, videoHeight, clientWidth, clientHeight, currentTime } = video;
  const { droppedVideoFrames, totalVideoFrames } = video.getVideoPlaybackQuality();
  const scale = window.devicePixelRatio;
  const viewportSize = `${clientWidth}×${clientHeight}`;
  const formatIfKnown = (bitrate: number | null | undefined) =>
    bitrate === null || bitrate === undefined ? null : formatBitrate(bitrate, language);
  const rows: readonly (readonly [name: string, value: string | null])[] = [
    [t('resolution'), `${videoWidth}×${videoHeight}`],
    [
      t('viewport'),
      scale === 1
        ? viewportSize
        : t('scaled', {
            size: viewportSize,
            scale: scale.toLocaleString(language, { maximumFractionDigits: 2 }),
          }),
    ],
    [t('codecs'), facts?.codecs ?? null],
    [t('bitrate'), formatIfKnown(facts?.bitrate)],
    [t('bandwidth'), formatIfKnown(facts?.bandwidth)],
    [
      t('droppedFrames'),
      t('dropped', { dropped: String(droppedVideoFrames), total: String(totalVideoFrames) }),
    ],
    [t('buffer'), `${formatDecimal(bufferedUntil(video) - currentTime, 1, language)} s`],
    [
      t('latency'),
      latency === null || Number.isFinite(video.duration) ? null : `${formatDecimal(latency, 1, language)} s`,
    ],
    [t('speed'), `${video.playbackRate.toLocaleString(language, { maximumFractionDigits: 2 })}×`],
    [t('engine'), facts?.name ?? null],
  ];
  return rows.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]));
}
