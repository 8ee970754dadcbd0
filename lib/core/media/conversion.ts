import type { RenditionSpec } from '../renditions/ladder';
import { type Container, containerLabels, mp4 } from './container';
import {
  type ProbedStream,
  type ProbeReport,
  parseFrameRate,
  findPlayedTracks,
  playsFirstTracks,
  videoDuration,
} from './media-probe';
import {
  type MediaRules,
  type Mp4Outline,
  codecName,
  isFragmented,
  MAX_FPS,
  MAX_PIXELS,
  MAX_SECONDS,
  pixelFormats,
  checkMp4,
  checkPictureSize,
  checkAudio,
  tooLongMessage,
} from './media-rules';
import { displaySize } from './video-spec';

type TrackWork = 'copy' | 'encode';

/**
 * How a file becomes an unfragmented MP4 with H.264 and AAC. `play`: the file is such an MP4 already. `remux`: the tracks of
 * the file are copied into a new MP4. `encode`: at least one track is encoded; a missing track is null. `reject`: the file
 * is not accepted, with the error message in `reason`.
 */
export type FileHandling =
  | { readonly kind: 'play' | 'remux' }
  | { readonly kind: 'encode'; readonly video: TrackWork | null; readonly audio: TrackWork | null }
  | { readonly kind: 'reject'; readonly reason: string };

export interface ProbedFile {
  readonly container: Container;
  /** Boxes of an MP4 or MOV file; empty for other containers. */
  readonly outline: Mp4Outline;
  readonly report: ProbeReport;
}

/** The error message for a file with an unknown container. */
export function unknownContainerMessage(): string {
  const lastLabel = containerLabels.at(-1) ?? '';
  return `the format of the file is not known; ${containerLabels.slice(0, -1).join(', ')} and ${lastLabel} are accepted`;
}

/** Chooses how a file is processed. Recordings are always MP4. */
export function chooseHandling(file: ProbedFile, rules: MediaRules): FileHandling {
  const { report } = file;
  if (rules.isOwnFile || rules.accept !== 'any') {
    const reason = checkMp4(report, rules);
    return reason ? { kind: 'reject', reason } : { kind: isPlayable(file) ? 'play' : 'remux' };
  }
  const reason = checkAnyFile(file);
  if (reason) return { kind: 'reject', reason };
  const playedStreams = findPlayedTracks(report);
  const { encodeAll = false } = rules;
  const videoWork =
    playedStreams.video && (!encodeAll && canCopyVideo(playedStreams.video, file) ? 'copy' : 'encode');
  const audioWork =
    playedStreams.audio && (!encodeAll && canCopyAudio(playedStreams.audio, file) ? 'copy' : 'encode');
  if (videoWork === 'encode' || audioWork === 'encode')
    return { kind: 'encode', video: videoWork, audio: audioWork };
  return { kind: isPlayable(file) ? 'play' : 'remux' };
}

function isPlayable({ container, outline, report }: ProbedFile): boolean {
  return container === mp4 && !isFragmented(outline) && playsFirstTracks(report);
}

function checkAnyFile({ report, container }: ProbedFile): string | null {
  const { video, audio } = findPlayedTracks(report);
  if (!video && !audio) return 'the file has neither video nor audio';
  const duration = videoDuration(report);
  // Browser recordings in other containers lack a duration, which is measured during conversion.
  if (duration <= 0 && container.demuxer === mp4.demuxer) return 'the file has no duration';
  const durationRejection =
    duration > MAX_SECONDS ? tooLongMessage(video ? 'video' : 'audio', duration) : null;
  return durationRejection ?? (video ? checkVideo(video) : null) ?? (audio ? checkAudio(audio) : null);
}

function checkVideo(video: ProbedStream): string | null {
  const { width = 0, height = 0, pix_fmt } = video;
  if (pix_fmt === undefined) return `the video cannot be decoded; its codec is ${codecName(video)}`;
  return width < 1 || height < 1 ? 'the video has no picture size' : checkPictureSize(width, height);
}

/** Whether the container stores presentation times. AVI does not, so copied frames would not play smoothly. */
const storesPresentationTimes = ({ container }: ProbedFile): boolean => container.format !== 'avi';

function canCopyVideo(video: ProbedStream, file: ProbedFile): boolean {
  const { codec_name, pix_fmt = '' } = video;
  const hasPlayableFormat = codec_name === 'h264' && pixelFormats.includes(pix_fmt);
  return (
    hasPlayableFormat &&
    storesPresentationTimes(file) &&
    !isInterlaced(video) &&
    parseFrameRate(video) <= MAX_FPS
  );
}

const canCopyAudio = ({ codec_name }: ProbedStream, file: ProbedFile): boolean =>
  codec_name === 'aac' && storesPresentationTimes(file);

/** Codecs whose frames ffmpeg cannot put in order by decode times and frame types alone. */
const reorderedCodecs = ['h264', 'hevc'];

/** Formats of animated pictures, whose codec no other container has. */
const animationFormats = ['gif', 'apng'];

/**
 * Whether the file must be decoded and encoded in one pass, because its video can't be copied to a temporary file first: only
 * a decoder can tell when its frames are shown, or no other container has its codec.
 */
export function needsOnePass(file: ProbedFile): boolean {
  const codec = findPlayedTracks(file.report).video?.codec_name ?? '';
  return (
    animationFormats.includes(file.container.format) ||
    (!storesPresentationTimes(file) && reorderedCodecs.includes(codec))
  );
}

const isInterlaced = ({ field_order }: ProbedStream): boolean =>
  ['tt', 'bb', 'tb', 'bt'].includes(field_order ?? '');

/**
 * What happens to the colors of a video. `kept`: they are not changed. `rgb`: RGB is converted to BT.709. `wide`: BT.2020 is
 * reduced to BT.709. `pq`, `hlg`: HDR (SMPTE ST 2084, ARIB STD-B67) is tone-mapped to BT.709.
 */
export type VideoColors = 'kept' | 'rgb' | 'wide' | 'pq' | 'hlg';

/** How a video track is encoded. */
export interface VideoConversion {
  readonly rendition: RenditionSpec;
  /** Expected frames per second of the result, for its bitrate and its cost. Sources with a variable rate may have more. */
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

/** Frame rate limit of the result if the rate of the source is unknown or above `MAX_FPS`. */
const MAX_USUAL_FPS = 60;
/** Expected frame rate of a file that does not state its frame rate. */
const ASSUMED_FPS = 30;
/** Maximum pixel aspect ratio; a larger ratio is an error in the file and is ignored. */
const MAX_PIXEL_ASPECT = 4;
/** Constant rate factor: differences from the source are barely visible. */
const CRF = 21;
/** Maximum bits per pixel. x264 needs half of them for most content at this quality. */
const BITS_PER_PIXEL = 0.12;
/** Bits per second. */
const bitrateLimits = { min: 1_000_000, max: 40_000_000 };
/** Cost of tone mapping a pixel, relative to encoding it. */
const TONE_MAP_FACTOR = 3;

/**
 * Chooses how the video of a file is encoded. The displayed size is kept, with square pixels and even sides, and so is a
 * frame rate up to `MAX_FPS`.
 */
export function planVideoConversion(video: ProbedStream): VideoConversion {
  const [width, height] = squarePixelSize(video);
  const frameRateOfFile = parseFrameRate(video);
  const needsFrameRateLimit = frameRateOfFile > MAX_FPS || frameRateOfFile === 0;
  const fps = needsFrameRateLimit ? (frameRateOfFile === 0 ? ASSUMED_FPS : MAX_USUAL_FPS) : frameRateOfFile;
  const colors = colorsOf(video);
  const pixelsPerSecond = width * height * fps;
  const bitrate = Math.round(
    Math.min(bitrateLimits.max, Math.max(bitrateLimits.min, pixelsPerSecond * BITS_PER_PIXEL)),
  );
  return {
    rendition: {
      name: 'source',
      width,
      height,
      bitrate,
      quality: CRF,
      fps: null,
      gopFrames: null,
      profile: 'high',
    },
    fps,
    maxFps: needsFrameRateLimit ? MAX_USUAL_FPS : null,
    deinterlaced: isInterlaced(video),
    colors,
    fullRange: video.color_range === 'pc' || (video.pix_fmt ?? '').startsWith('yuvj'),
    // Decoding and encoding count once each.
    pixelsPerSecond: pixelsPerSecond * (colors === 'pq' || colors === 'hlg' ? 2 + TONE_MAP_FACTOR : 2),
  };
}

/** The displayed size with square pixels. Both sides are even, because H.264 in 4:2:0 has no odd sizes. */
function squarePixelSize(video: ProbedStream): [number, number] {
  const [across = 1, down = 1] = (video.sample_aspect_ratio ?? '').split(':').map(Number);
  const pixelAspect = across / down;
  const { width = 0, height = 0 } = video;
  const isValidAspect =
    pixelAspect >= 1 / MAX_PIXEL_ASPECT &&
    pixelAspect <= MAX_PIXEL_ASPECT &&
    width * height * pixelAspect <= MAX_PIXELS;
  const squareVideo = { ...video, width: width * (isValidAspect ? pixelAspect : 1) };
  const [displayWidth, displayHeight] = displaySize(squareVideo);
  return [evenLength(displayWidth), evenLength(displayHeight)];
}

const evenLength = (length: number): number => Math.max(2, 2 * Math.floor(Math.round(length) / 2));

function colorsOf({ color_transfer, color_space = '', pix_fmt = '' }: ProbedStream): VideoColors {
  if (color_transfer === 'smpte2084') return 'pq';
  if (color_transfer === 'arib-std-b67') return 'hlg';
  if (color_space.startsWith('bt2020')) return 'wide';
  return /^(?:gbr|rgb|bgr|argb|abgr|0rgb|0bgr|pal8|x2rgb|x2bgr)/.test(pix_fmt) ? 'rgb' : 'kept';
}
