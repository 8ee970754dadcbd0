'use client';

import { X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { CopyButton } from '@/components/ui/copy/copy-button';
import { ControlButton } from '../controls/control-button';
import type { EngineFacts } from '../engine/engine';
import type { PlaybackView } from '../engine/playback-view';
import { bufferedUntil } from '../video/timeline';

interface StatsProps {
  video: HTMLVideoElement;
  view: PlaybackView;
  facts: () => EngineFacts | null;
  onClose: () => void;
}

const REFRESH_MS = 1000;

/** "Stats for nerds": what plays and how well, read once a second. */
export default function Stats({ video, view, facts, onClose }: StatsProps) {
  const [, setTick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTick((tick) => tick + 1), REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  const rows = statsOf(video, view.latency, facts());
  const text = rows.map(([name, value]) => `${name}: ${value}`).join('\n');
  return (
    <section
      aria-label="Stats for nerds"
      className="absolute top-2 left-2 max-h-[calc(100%-6rem)] max-w-[calc(100%-1rem)] overflow-y-auto rounded-lg bg-black/80 p-3 text-white sm:top-3 sm:left-3"
    >
      <div className="-mt-1 -mr-1 mb-1 flex items-center justify-between gap-2">
        <CopyButton
          value={text}
          label="Copy stats"
          text="Copy"
          className="-ml-2 text-white hover:bg-white/15 hover:text-white pointer-coarse:h-11"
        />
        <ControlButton label="Close stats" onClick={onClose}>
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

function statsOf(video: HTMLVideoElement, latency: number | null, facts: EngineFacts | null): Row[] {
  const { videoWidth, videoHeight, clientWidth, clientHeight, currentTime } = video;
  const { droppedVideoFrames, totalVideoFrames } = video.getVideoPlaybackQuality();
  const scale = window.devicePixelRatio;
  const optional: readonly (readonly [name: string, value: string | null])[] = [
    ['Resolution', `${videoWidth}×${videoHeight}`],
    ['Viewport', `${clientWidth}×${clientHeight}${scale === 1 ? '' : ` at ${Number(scale.toFixed(2))}×`}`],
    ['Codecs', facts?.codecs ?? null],
    ['Bitrate', rate(facts?.bitrate)],
    ['Bandwidth', rate(facts?.bandwidth)],
    ['Dropped frames', `${droppedVideoFrames} of ${totalVideoFrames}`],
    ['Buffer', `${(bufferedUntil(video) - currentTime).toFixed(1)} s`],
    ['Latency', latency === null || Number.isFinite(video.duration) ? null : `${latency.toFixed(1)} s`],
    ['Speed', `${Number(video.playbackRate.toFixed(2))}×`],
    ['Engine', facts?.name ?? null],
  ];
  return optional.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]));
}

function rate(bits: number | null | undefined): string | null {
  if (bits === null || bits === undefined) return null;
  return bits < 1e6 ? `${Math.round(bits / 1e3)} kbit/s` : `${(bits / 1e6).toFixed(1)} Mbit/s`;
}
