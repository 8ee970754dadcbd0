import type { VideoColors, VideoConversion } from '@/lib/core/media/conversion';
import type { ForeignSource } from './transcode-args';

/** Brightness of white in nits, as ITU-R BT.2408 recommends. */
const whiteNits = 203;
const transfers = { pq: 'smpte2084', hlg: 'arib-std-b67' };

/**
 * Drops frames closer together than `maxFps`, with a tolerance for rounded times. The remaining frames keep their
 * times, so a variable rate stays variable.
 */
const limitedRate = (maxFps: number): string =>
  `select='isnan(prev_selected_t)+gte(t-prev_selected_t,${(0.95 / maxFps).toFixed(5)})'`;

/** Options and filters for H.264 with standard colors. */
export function videoArgs({
  deinterlaced,
  maxFps,
  colors,
  fullRange,
}: VideoConversion): Pick<ForeignSource, 'frames' | 'videoFilters' | 'encoder'> {
  return {
    // Deinterlacing by whole frames keeps the frame rate.
    frames: [
      ...(deinterlaced ? ['bwdif=mode=send_frame'] : []),
      ...(maxFps === null ? [] : [limitedRate(maxFps)]),
    ],
    videoFilters: colorFilters(colors, fullRange),
    // The time base of the file, in which frames of a variable rate keep their exact times.
    encoder: ['-enc_time_base', '-1'],
  };
}

/** Passes missing values to zscale explicitly, because it does not guess them. */
export function colorFilters(colors: VideoColors, fullRange: boolean): string[] {
  const range = fullRange ? 'pc' : 'tv';
  switch (colors) {
    case 'pq':
    case 'hlg':
      return [
        `zscale=tin=${transfers[colors]}:pin=bt2020:min=bt2020nc:rin=${range}:t=linear:npl=${whiteNits}`,
        'format=gbrpf32le',
        'zscale=p=bt709',
        'tonemap=tonemap=mobius:desat=0',
        'zscale=t=bt709:m=bt709:r=tv',
      ];
    case 'wide':
      return [`zscale=tin=bt709:pin=bt2020:min=bt2020nc:rin=${range}:t=bt709:p=bt709:m=bt709:r=tv`];
    case 'rgb':
      return [
        'scale=out_color_matrix=bt709:out_range=tv',
        'format=yuv420p',
        'setparams=colorspace=bt709:color_primaries=bt709:color_trc=bt709:range=tv',
      ];
    case 'kept':
      return fullRange ? ['scale=out_range=tv'] : [];
  }
}

/** Bitrate by number of channels; more than two are mixed down to stereo. */
const bitrates = { mono: '96k', stereo: '160k' };
const maxSampleRate = 48_000;

/**
 * Options for AAC, mono or stereo. Gaps are filled with silence, also before audio that starts later than the
 * video, because AAC samples have no times of their own.
 */
export function audioArgs({
  channels,
  sampleRate,
}: {
  readonly channels: number;
  readonly sampleRate: number;
}): string[] {
  return [
    ...['-c:a', 'aac', '-b:a', channels === 1 ? bitrates.mono : bitrates.stereo],
    ...['-ac', channels === 1 ? '1' : '2'],
    ...(sampleRate > maxSampleRate ? ['-ar', String(maxSampleRate)] : []),
    ...['-af', 'aresample=async=1:min_hard_comp=0.1:first_pts=0'],
  ];
}
