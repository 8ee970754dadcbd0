import { HOUR_SECONDS } from '@/lib/core/units';
import {
  type ProbeReport,
  type ProbedStream,
  parseAmount,
  parseFrameRate,
  findPlayedTracks,
  videoDuration,
} from './media-probe';

/**
 * Which files are accepted. `mp4`: MP4 with H.264 and AAC. `any`: every file that ffmpeg can decode, which is then converted
 * to MP4 with H.264 and AAC.
 */
export type AcceptedMedia = 'mp4' | 'any';

export interface MediaRules {
  /**
   * Whether this service made the file, or has accepted it before, such as a recording. It may be audio-only, of any duration,
   * and have any codec of live streams.
   */
  readonly isOwnFile?: true;
  /** Which files are accepted; `mp4` by default. */
  readonly accept?: AcceptedMedia;
  /** Whether every track is encoded, because copied tracks can't be segmented. Has an effect only if `accept` is `any`. */
  readonly encodeAll?: true;
}

/** Maximum pixels per picture, in files and live streams. */
export const MAX_PIXELS = 4_096 * 2_304;
export const MAX_FPS = 120;
export const MAX_SECONDS = 12 * HOUR_SECONDS;
const MAX_CHANNELS = 8;
/** Larger sides do not fit into MP4's 16-bit fields. */
const MAX_SIDE = 16_384;
/** Accepted pixel formats of H.264: 4:2:0 in 8 bits. */
export const pixelFormats = ['yuv420p', 'yuvj420p'];
/** Pixel formats of HEVC and AV1, whose decoders support 10 bits. */
const deepPixelFormats = ['yuv420p', 'yuv420p10le'];
/** Video codecs, besides H.264, that live streams and their recordings may have. */
const liveCodecs = ['hevc', 'av1'];

/** Format of a coded video, before cropping. */
export interface CodedVideo {
  readonly codedWidth: number;
  readonly codedHeight: number;
  /** Codec name of RFC 6381. */
  readonly codec: string;
  /** Name of the pixel format in ffmpeg. */
  readonly pixelFormat: string;
}

/** Display names of codecs; other codecs keep ffprobe's name. */
const codecNames: Readonly<Record<string, string>> = {
  h264: 'H.264',
  hevc: 'HEVC',
  vp8: 'VP8',
  vp9: 'VP9',
  av1: 'AV1',
  mpeg1video: 'MPEG-1',
  mpeg2video: 'MPEG-2',
  mpeg4: 'MPEG-4 Part 2',
  mjpeg: 'Motion JPEG',
  prores: 'ProRes',
  aac: 'AAC',
  mp3: 'MP3',
  ac3: 'AC-3',
  eac3: 'E-AC-3',
  opus: 'Opus',
  alac: 'ALAC',
  flac: 'FLAC',
  vorbis: 'Vorbis',
  mp2: 'MP2',
  pcm_s16le: 'PCM',
  pcm_s16be: 'PCM',
  pcm_s24le: 'PCM',
};

/**
 * Why a file is rejected, as an error message; null if accepted. The played tracks must be H.264 and AAC, and audio is
 * optional. Recordings may also be audio-only, and have the codecs, frame rate and duration of a live stream. The limit on
 * the duration keeps an upload from occupying a worker for days.
 */
export function checkMp4(report: ProbeReport, { isOwnFile }: MediaRules = {}): string | null {
  const { video, audio } = findPlayedTracks(report);
  if (!video && !(audio && isOwnFile)) return 'the file has no video track; H.264 video is needed';
  return (
    (video ? checkVideo(video, report, isOwnFile === true) : null) ?? (audio ? checkMp4Audio(audio) : null)
  );
}

function checkVideo(video: ProbedStream, report: ProbeReport, isOwnFile: boolean): string | null {
  const { width = 0, height = 0, pix_fmt } = video;
  const [fps, duration] = [parseFrameRate(video), videoDuration(report)];
  const hasLiveCodec = isOwnFile && liveCodecs.includes(video.codec_name ?? '');
  if (video.codec_name !== 'h264' && !hasLiveCodec)
    return `video codec is ${codecName(video)}; H.264 is accepted`;
  if (pix_fmt === undefined) return 'the video cannot be decoded';
  const formatRejection = checkPixelFormat(pix_fmt, hasLiveCodec ? deepPixelFormats : pixelFormats);
  if (formatRejection) return formatRejection;
  if (width < 1 || height < 1) return 'the video has no picture size';
  const sizeRejection = checkPictureSize(width, height);
  if (sizeRejection) return sizeRejection;
  if (fps > MAX_FPS && !isOwnFile)
    return `the video has ${fps} frames per second; at most ${MAX_FPS} are accepted`;
  if (duration <= 0) return 'the video has no duration';
  return duration > MAX_SECONDS && !isOwnFile ? tooLongMessage('video', duration) : null;
}

/**
 * The error message for a file that is longer than `MAX_SECONDS`.
 * @param duration duration of the file in seconds
 */
export function tooLongMessage(mediaName: 'video' | 'audio', duration: number): string {
  // 360 seconds are a tenth of an hour, so the hours have one decimal.
  return `the ${mediaName} lasts ${Math.round(duration / 360) / 10} hours; at most 12 are accepted`;
}

/**
 * Why the video of a live encoder is rejected, as an error message; null if accepted. Only its pixel format and its size are
 * checked.
 */
export function checkLiveVideo(video: CodedVideo): string | null {
  const formats = video.codec.startsWith('avc1') ? pixelFormats : deepPixelFormats;
  return (
    checkPixelFormat(video.pixelFormat, formats) ?? checkPictureSize(video.codedWidth, video.codedHeight)
  );
}

function checkPixelFormat(format: string, acceptedFormats = pixelFormats): string | null {
  if (acceptedFormats.includes(format)) return null;
  return `video pixel format is ${format}; ${acceptedFormats.join(' and ')} are accepted`;
}

/** Why a picture of this size in pixels is rejected, as an error message; null if accepted. */
export function checkPictureSize(width: number, height: number): string | null {
  if (width * height <= MAX_PIXELS && Math.max(width, height) <= MAX_SIDE) return null;
  return `the picture has ${width}x${height} pixels; at most 4096x2304 are accepted`;
}

function checkMp4Audio(audio: ProbedStream): string | null {
  if (audio.codec_name !== 'aac') return `audio codec is ${codecName(audio)}; AAC is accepted`;
  return checkAudio(audio);
}

/** Why audio is rejected, whatever its codec, as an error message; null if accepted. */
export function checkAudio(audio: ProbedStream): string | null {
  const { channels = 0 } = audio;
  if (channels < 1 || channels > MAX_CHANNELS) {
    return `the audio has ${channels} channels; 1 to ${MAX_CHANNELS} are accepted`;
  }
  if ((parseAmount(audio.sample_rate) ?? 0) <= 0) return 'the audio has no sample rate';
  return null;
}

/** The display name of the codec of a track, for messages. */
export function codecName({ codec_name = 'unknown' }: ProbedStream): string {
  return codecNames[codec_name] ?? codec_name;
}

/** One top-level box of an MP4 file: its type, and its offset and declared size in bytes. */
export interface TopBox {
  readonly type: string;
  readonly start: number;
  readonly size: number;
}

export interface Mp4Outline {
  /** The major brand of `ftyp`, such as "isom". */
  readonly brand: string;
  readonly boxes: readonly TopBox[];
  /** Size of the whole file in bytes. */
  readonly fileSize: number;
}

/**
 * Why a file is not a complete MP4, as an error message; null if it is one. If `accept` is `any`, it may also be a QuickTime
 * file.
 */
export function mp4OutlineFault(
  { brand, boxes, fileSize }: Mp4Outline,
  accept: AcceptedMedia = 'mp4',
): string | null {
  if (fileSize === 0) return 'the file is empty';
  const [firstBox] = boxes;
  if (accept === 'mp4') {
    if (firstBox?.type !== 'ftyp') return 'the file is not an MP4';
    if (brand === 'qt  ') return 'the container is QuickTime (MOV); MP4 is accepted';
  }
  const lastBox = boxes.at(-1);
  const isCutOff = lastBox && lastBox.start + lastBox.size > fileSize && !isTrailer(lastBox, boxes);
  if (isCutOff && !(accept === 'any' && isLaterFragment(lastBox, boxes))) {
    return `the file is incomplete: it ends after ${fileSize} bytes, in the middle of its ${lastBox.type} box`;
  }
  if (!boxes.some(({ type }) => type === 'moov')) {
    return 'the file is incomplete: its index (the moov box) is missing';
  }
  return null;
}

/** Types of the boxes that must be complete: the index and the media. */
const neededBoxes = ['moov', 'moof', 'mdat'];

/** Whether an incomplete box is camera data or padding after a complete movie. */
function isTrailer({ type }: TopBox, boxes: readonly TopBox[]): boolean {
  const previousTypes = boxes.slice(0, -1).map((box) => box.type);
  return !neededBoxes.includes(type) && previousTypes.includes('moov') && previousTypes.includes('mdat');
}

/**
 * Whether an incomplete box follows a complete fragment. Recorders write fragments so that a crash loses only
 * the last one.
 */
function isLaterFragment({ type }: TopBox, boxes: readonly TopBox[]): boolean {
  const previousTypes = boxes.slice(0, -1).map((box) => box.type);
  return (
    (type === 'moof' || type === 'mdat') && previousTypes.includes('moof') && previousTypes.includes('mdat')
  );
}

/** Whether the file is fragmented: its frames are described in `moof` boxes. */
export const isFragmented = ({ boxes }: Mp4Outline): boolean => boxes.some(({ type }) => type === 'moof');
