import type { RenditionSpec } from '../renditions/ladder';
import { type Container, containerLabels, mp4 } from './container';
import {
  type ProbedStream,
  type ProbeReport,
  frameRate,
  playedTracks,
  playsFirstTracks,
  videoDuration,
} from './media-probe';
import {
  type MediaRules,
  type Mp4Outline,
  codecName,
  isFragmented,
  maxFps,
  maxPixels,
  maxSeconds,
  pixelFormats,
  refusalOf,
  refusalOfSize,
  refusalOfAudio,
  tooLong,
} from './media-rules';
import { displaySize } from './video-spec';

type TrackWork = 'copy' | 'encode';

/**
 * How a file becomes an unfragmented MP4 with H.264 and AAC. `play`: the file already is one. `remux`: its tracks are
 * copied into one. `encode`: at least one track is encoded, others are copied; null for a missing track.
 */
export type Handling =
  | { readonly kind: 'play' | 'remux' }
  | { readonly kind: 'encode'; readonly video: TrackWork | null; readonly audio: TrackWork | null }
  | { readonly kind: 'refuse'; readonly reason: string };

export interface ProbedFile {
  readonly container: Container;
  /** Boxes of an MP4 or MOV file; empty for other containers. */
  readonly outline: Mp4Outline;
  readonly report: ProbeReport;
}

/** Why a file with an unknown container is refused, as an error message. */
export function unknownContainer(): string {
  const last = containerLabels.at(-1) ?? '';
  return `the format of the file is not known; ${containerLabels.slice(0, -1).join(', ')} and ${last} are accepted`;
}

/** Chooses how a file is processed. Recordings are always MP4. */
export function handlingOf(file: ProbedFile, rules: MediaRules): Handling {
  const { report } = file;
  if (rules.isRecording || rules.accept !== 'any') {
    const reason = refusalOf(report, rules);
    return reason ? { kind: 'refuse', reason } : { kind: plays(file) ? 'play' : 'remux' };
  }
  const reason = refusalOfAny(file);
  if (reason) return { kind: 'refuse', reason };
  const playedStreams = playedTracks(report);
  const { encodeAll = false } = rules;
  const video =
    playedStreams.video && (!encodeAll && copiesVideo(playedStreams.video, file) ? 'copy' : 'encode');
  const audio =
    playedStreams.audio && (!encodeAll && copiesAudio(playedStreams.audio, file) ? 'copy' : 'encode');
  if (video === 'encode' || audio === 'encode') return { kind: 'encode', video, audio };
  return { kind: plays(file) ? 'play' : 'remux' };
}

function plays({ container, outline, report }: ProbedFile): boolean {
  return container === mp4 && !isFragmented(outline) && playsFirstTracks(report);
}

function refusalOfAny({ report, container }: ProbedFile): string | null {
  const { video, audio } = playedTracks(report);
  if (!video && !audio) return 'the file has neither video nor audio';
  const duration = videoDuration(report);
  // Browser recordings in other containers lack a duration, which is measured during conversion.
  if (duration <= 0 && container.demuxer === mp4.demuxer) return 'the file has no duration';
  const long = duration > maxSeconds ? tooLong(video ? 'video' : 'audio', duration) : null;
  return long ?? (video ? refusalOfVideo(video) : null) ?? (audio ? refusalOfAudio(audio) : null);
}

function refusalOfVideo(video: ProbedStream): string | null {
  const { width = 0, height = 0, pix_fmt } = video;
  if (pix_fmt === undefined) return `the video cannot be decoded; its codec is ${codecName(video)}`;
  return width < 1 || height < 1 ? 'the video has no picture size' : refusalOfSize(width, height);
}

/** Whether the container stores presentation times. AVI does not, so copied frames would not play smoothly. */
const hasTimes = ({ container }: ProbedFile): boolean => container.format !== 'avi';

function copiesVideo(video: ProbedStream, file: ProbedFile): boolean {
  const { codec_name, pix_fmt = '' } = video;
  const plain = codec_name === 'h264' && pixelFormats.includes(pix_fmt);
  return plain && hasTimes(file) && !isInterlaced(video) && frameRate(video) <= maxFps;
}

const copiesAudio = ({ codec_name }: ProbedStream, file: ProbedFile): boolean =>
  codec_name === 'aac' && hasTimes(file);

/** Codecs whose frames ffmpeg cannot put in order by decode times and frame types alone. */
const reorderedCodecs = ['h264', 'hevc'];

/** Whether only a decoder knows when frames are shown, so that the video cannot be copied to another container. */
export function needsDecodingForTimes(file: ProbedFile): boolean {
  const codec = playedTracks(file.report).video?.codec_name ?? '';
  return !hasTimes(file) && reorderedCodecs.includes(codec);
}

const isInterlaced = ({ field_order }: ProbedStream): boolean =>
  ['tt', 'bb', 'tb', 'bt'].includes(field_order ?? '');

/**
 * Colors of a picture. `kept`: unchanged. `rgb`: converted to BT.709. `wide`: BT.2020, reduced to BT.709. `pq`, `hlg`:
 * HDR (SMPTE ST 2084, ARIB STD-B67), tone-mapped to BT.709.
 */
export type VideoColors = 'kept' | 'rgb' | 'wide' | 'pq' | 'hlg';

/** How a video track is encoded. */
export interface VideoConversion {
  readonly rendition: RenditionSpec;
  /** Maximum frames per second of the result; sources with a variable rate may have more. */
  readonly fps: number;
  /** Frames above this rate are dropped; null keeps all frames. */
  readonly maxFps: number | null;
  readonly deinterlaced: boolean;
  readonly colors: VideoColors;
  /** Whether samples use the full range, 0 to 255 in 8 bits. */
  readonly fullRange: boolean;
  /** Pixels decoded and encoded per second, the unit of encode-plan.ts. */
  readonly pixelsPerSecond: number;
}

/** Limit for higher and unknown frame rates. */
const maxUsualFps = 60;
/** Frame rate of a file that names none. */
const assumedFps = 30;
/** A larger pixel aspect ratio is an error in the file. */
const maxPixelAspect = 4;
/** Constant rate factor: differences from the source are barely visible. */
const quality = 21;
/** Maximum bits per pixel; x264 needs half of it for most content at this quality. */
const bitsPerPixel = 0.12;
const bitrateLimits = { min: 1_000_000, max: 40_000_000 };
/** Tone mapping costs as much as encoding this many times the pixels. */
const toneMapFactor = 3;

/** How the video of a file is encoded: its size and frame rate stay, with square pixels and even sides. */
export function videoConversionOf(video: ProbedStream): VideoConversion {
  const [width, height] = squarePixels(video);
  const frameRateOfFile = frameRate(video);
  const needsFrameRate = frameRateOfFile > maxFps || frameRateOfFile === 0;
  const fps = needsFrameRate ? (frameRateOfFile === 0 ? assumedFps : maxUsualFps) : frameRateOfFile;
  const colors = colorsOf(video);
  const pixels = width * height * fps;
  const bitrate = Math.round(Math.min(bitrateLimits.max, Math.max(bitrateLimits.min, pixels * bitsPerPixel)));
  return {
    rendition: {
      name: 'source',
      width,
      height,
      bitrate,
      quality,
      fps: null,
      gopFrames: null,
      profile: 'high',
    },
    fps,
    maxFps: needsFrameRate ? maxUsualFps : null,
    deinterlaced: isInterlaced(video),
    colors,
    fullRange: video.color_range === 'pc' || (video.pix_fmt ?? '').startsWith('yuvj'),
    pixelsPerSecond: pixels * (colors === 'pq' || colors === 'hlg' ? 2 + toneMapFactor : 2),
  };
}

/** The displayed size with square pixels. Both sides are even, because H.264 in 4:2:0 has no odd sizes. */
function squarePixels(video: ProbedStream): [number, number] {
  const [across = 1, down = 1] = (video.sample_aspect_ratio ?? '').split(':').map(Number);
  const stretch = across / down;
  const { width = 0, height = 0 } = video;
  const valid =
    stretch >= 1 / maxPixelAspect && stretch <= maxPixelAspect && width * height * stretch <= maxPixels;
  const square = { ...video, width: width * (valid ? stretch : 1) };
  const [shownWidth, shownHeight] = displaySize(square);
  return [even(shownWidth), even(shownHeight)];
}

const even = (length: number): number => Math.max(2, 2 * Math.floor(Math.round(length) / 2));

function colorsOf({ color_transfer, color_space = '', pix_fmt = '' }: ProbedStream): VideoColors {
  if (color_transfer === 'smpte2084') return 'pq';
  if (color_transfer === 'arib-std-b67') return 'hlg';
  if (color_space.startsWith('bt2020')) return 'wide';
  return /^(?:gbr|rgb|bgr|argb|abgr|0rgb|0bgr|pal8|x2rgb|x2bgr)/.test(pix_fmt) ? 'rgb' : 'kept';
}
