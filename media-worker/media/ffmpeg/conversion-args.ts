import type { VideoColors, VideoConversion } from '@/lib/core/media/conversion';
import type { ForeignSource } from './transcode-args';

/** Brightness of white in nits, as ITU-R BT.2408 recommends. */
const WHITE_NITS = 203;
const transfers = { pq: 'smpte2084', hlg: 'arib-std-b67' };

/**
 * The filter that drops frames which follow the previous frame faster than `maxFps` allows, with a tolerance for
 * rounded times. The remaining frames keep their times, so a variable rate stays variable.
 */
const rateLimitFilter = (maxFps: number): string =>
  `select='isnan(prev_selected_t)+gte(t-prev_selected_t,${(0.95 / maxFps).toFixed(5)})'`;

/** Options and filters for H.264 with standard colors. */
export function videoArgs({
  deinterlaced,
  maxFps,
  colors,
  fullRange,
}: VideoConversion): Pick<ForeignSource, 'frameFilters' | 'videoFilters' | 'encoderArgs'> {
  return {
    // Deinterlacing by whole frames keeps the frame rate.
    frameFilters: [
      ...(deinterlaced ? ['bwdif=mode=send_frame'] : []),
      ...(maxFps === null ? [] : [rateLimitFilter(maxFps)]),
    ],
    videoFilters: colorFilters(colors, fullRange),
    // The time base of the file, in which frames of a variable rate keep their exact times.
    encoderArgs: ['-enc_time_base', '-1'],
  };
}

/**
 * The filters that convert colors to BT.709. They specify the input values for zscale, because it does not guess
 * missing ones.
 */
export function colorFilters(colors: VideoColors, fullRange: boolean): string[] {
  const range = fullRange ? 'pc' : 'tv';
  switch (colors) {
    case 'pq':
    case 'hlg':
      return [
        `zscale=tin=${transfers[colors]}:pin=bt2020:min=bt2020nc:rin=${range}:t=linear:npl=${WHITE_NITS}`,
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
const MAX_SAMPLE_RATE = 48_000;

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
    ...(sampleRate > MAX_SAMPLE_RATE ? ['-ar', String(MAX_SAMPLE_RATE)] : []),
    ...['-af', 'aresample=async=1:min_hard_comp=0.1:first_pts=0'],
  ];
}
