import { MINUTE_MS } from '@/lib/core/units';
import type { Translator } from '@/components/i18n/messages';
import { formatBitrate } from '@/components/ui/figures';
import type { StreamHealthSample } from '@/lib/contract/streams/stream-health';
import type { Language } from '@/messages/languages';

const codecs: Readonly<Record<string, string>> = { h264: 'H.264', hevc: 'HEVC', av1: 'AV1', aac: 'AAC' };
const codecName = (codec: string): string => codecs[codec] ?? codec;

/** The latest measurement as names and values. */
export function healthFacts(
  t: Translator<'streams.healthTexts'>,
  sample: StreamHealthSample,
  language: Language,
): readonly (readonly [name: string, value: string])[] {
  const { video, audio, fps, keyframeInterval, drift, speed, transcodeSpeed, lateness } = sample;
  return [
    [t('bitrate'), formatBitrate(sample.bitrate, language)],
    [t('frameRate'), fps === null ? t('noVideo') : t('fps', { fps: roundToTenth(fps) })],
    [
      t('keyframes'),
      keyframeInterval === null ? '–' : t('everySeconds', { seconds: roundToTenth(keyframeInterval) }),
    ],
    [t('video'), video ? `${video.width}×${video.height} ${codecName(video.codec)}` : t('none')],
    [
      t('audio'),
      audio
        ? t('audioFormat', {
            codec: codecName(audio.codec),
            kilohertz: roundToTenth(audio.sampleRate / 1_000),
            channels: audio.channels,
          })
        : t('none'),
    ],
    [t('audioDrift'), drift === null ? '–' : `${drift > 0 ? '+' : ''}${drift} ms`],
    [t('inputSpeed'), t('speed', { speed })],
    ...(transcodeSpeed === null ? [] : [[t('renditions'), t('speed', { speed: transcodeSpeed })] as const]),
    ...(lateness === null ? [] : [[t('publishDelay'), `${lateness} ms`] as const]),
  ];
}

function roundToTenth(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Columns of a chart: Unix times in seconds, bitrates in Mbit/s, and frame rates; null where nothing was measured. */
export type ChartColumns = [
  unixSeconds: number[],
  megabitRates: (number | null)[],
  frameRates: (number | null)[],
];

/** Columns of the chart. A row without values interrupts the lines between samples more than three intervals apart. */
export function chartColumns(samples: readonly StreamHealthSample[], intervalMs: number): ChartColumns {
  const columns: ChartColumns = [[], [], []];
  let lastAt: number | null = null;
  for (const { at, bitrate, fps } of samples) {
    if (lastAt !== null && at - lastAt > intervalMs * 3) addRow(columns, (at + lastAt) / 2, null, null);
    addRow(columns, at, bitrate / 1_000_000, fps);
    lastAt = at;
  }
  return columns;
}

function addRow(
  [unixSeconds, megabitRates, frameRates]: ChartColumns,
  at: number,
  megabitRate: number | null,
  fps: number | null,
): void {
  unixSeconds.push(at / 1_000);
  megabitRates.push(megabitRate);
  frameRates.push(fps);
}

/** A row of the table below the chart. */
export interface HealthMinute {
  /** Start of the minute, in Unix milliseconds. */
  readonly at: number;
  /** Average, in bit/s. */
  readonly bitrate: number;
  /** Average; null without video. */
  readonly fps: number | null;
  /** Longest interval, in seconds; null without a keyframe interval. */
  readonly keyframeInterval: number | null;
}

/** One row for each minute that has samples, newest first. */
export function healthMinutes(samples: readonly StreamHealthSample[]): HealthMinute[] {
  const minutes = new Map<number, StreamHealthSample[]>();
  for (const sample of samples) {
    const minute = Math.floor(sample.at / MINUTE_MS) * MINUTE_MS;
    minutes.set(minute, [...(minutes.get(minute) ?? []), sample]);
  }
  return [...minutes]
    .map(([at, minuteSamples]) => ({
      at,
      bitrate: mean(minuteSamples.map(({ bitrate }) => bitrate)) ?? 0,
      fps: mean(minuteSamples.flatMap(({ fps }) => fps ?? [])),
      keyframeInterval: minuteSamples.reduce<number | null>(
        (longest, { keyframeInterval }) =>
          keyframeInterval === null ? longest : Math.max(longest ?? 0, keyframeInterval),
        null,
      ),
    }))
    .sort((a, b) => b.at - a.at);
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}
