import { canonicalizeLanguageTag } from '../captions/track-language';
import {
  parseAmount,
  parseFrameRate,
  findPlayedTracks,
  trackDuration,
  videoDuration,
  type ProbedStream,
  type ProbeReport,
} from './media-probe';

interface VideoTrack {
  readonly type: 'video';
  readonly codec: string;
  readonly fps: number;
  readonly width: number;
  readonly height: number;
  /** Bits per second. */
  readonly bitrate: number;
  /** Seconds. */
  readonly duration: number;
  readonly pixelFormat: string;
}

interface AudioTrack {
  readonly type: 'audio';
  readonly codec: string;
  readonly bitrate: number;
  readonly channels: number;
  readonly duration: number;
  readonly sampleRate: number;
  /** Language tag of the file. */
  readonly language?: string;
}

/**
 * The `videoSpec` of an asset. A type alias, because interfaces cannot be assigned to the JSON type of the database client.
 * Durations are in seconds, bitrates in bits per second.
 */
export type FileSpec = {
  readonly format: string;
  readonly duration: number;
  readonly bitrate?: number;
  readonly tracks: (
    | { [K in keyof VideoTrack]: VideoTrack[K] }
    | { [K in keyof AudioTrack]: AudioTrack[K] }
  )[];
  /** Audio tracks of the file that are not played; absent without any. */
  readonly otherAudio?: { readonly language?: string }[];
};

/**
 * Describes a file by its played tracks, in the units of the API. Unknown numbers of tracks are 0, and unknown names
 * "unknown"; the bitrate of the file and the languages are absent if unknown.
 * @param format name of the container, if it is known more exactly than from ffprobe
 */
export function createVideoSpec(report: ProbeReport, format?: string): FileSpec {
  const playedStreams = findPlayedTracks(report);
  const audio = playedStreams.audio ? [createAudioTrack(playedStreams.audio, report)] : [];
  const remainingBitrate = (parseAmount(report.format.bit_rate) ?? 0) - (audio[0]?.bitrate ?? 0);
  const video = playedStreams.video
    ? [createVideoTrack(playedStreams.video, report, Math.max(0, remainingBitrate))]
    : [];
  const bitrate = parseAmount(report.format.bit_rate);
  return {
    format: format ?? formatOf(report.format.format_name ?? ''),
    duration: videoDuration(report),
    ...(bitrate === null ? {} : { bitrate }),
    tracks: [...video, ...audio],
    ...otherAudioOf(report, playedStreams.audio),
  };
}

/** The languages of the audio tracks that are not played; no field if there are no such tracks. */
function otherAudioOf({ streams }: ProbeReport, playedAudio: ProbedStream | null) {
  const otherStreams = streams.filter((stream) => stream.codec_type === 'audio' && stream !== playedAudio);
  return otherStreams.length === 0
    ? {}
    : { otherAudio: otherStreams.slice(0, MAX_OTHER_AUDIO).map(languageOf) };
}

/** Maximum number of listed audio tracks. */
const MAX_OTHER_AUDIO = 50;

/** The language of a track; no field for an invalid language or "und", which means unknown. */
function languageOf({ tags }: ProbedStream): { readonly language?: string } {
  const tag = canonicalizeLanguageTag(tags?.language ?? '');
  return tag === null || tag === 'und' ? {} : { language: tag };
}

function createVideoTrack(stream: ProbedStream, report: ProbeReport, remainingBitrate: number): VideoTrack {
  const [width, height] = displaySize(stream);
  return {
    type: 'video',
    codec: stream.codec_name ?? 'unknown',
    fps: parseFrameRate(stream),
    width,
    height,
    bitrate: bitrateOf(stream) ?? remainingBitrate,
    duration: trackDuration(stream, report) ?? 0,
    pixelFormat: stream.pix_fmt ?? 'unknown',
  };
}

function createAudioTrack(stream: ProbedStream, report: ProbeReport): AudioTrack {
  return {
    type: 'audio',
    codec: stream.codec_name ?? 'unknown',
    bitrate: bitrateOf(stream) ?? 0,
    channels: stream.channels ?? 0,
    duration: trackDuration(stream, report) ?? 0,
    sampleRate: parseAmount(stream.sample_rate) ?? 0,
    ...languageOf(stream),
  };
}

/**
 * Whether a file is an MP4 whose tracks are played unchanged, so that the MP4 of the asset has its size and its
 * bitrates.
 */
export const isPlainMp4 = ({
  format,
  tracks,
}: {
  readonly format: string;
  readonly tracks: readonly { readonly codec: string }[];
}): boolean => format === 'mp4' && tracks.every(({ codec }) => codec === 'h264' || codec === 'aac');

/**
 * Completes the spec of a file without a duration with the duration that was measured during its conversion.
 * @param duration measured duration in seconds
 * @param bytes size of the file
 */
export function withDuration(spec: FileSpec, duration: number, bytes: number): FileSpec {
  const bitrate = spec.bitrate ?? Math.round((bytes * 8) / Math.max(duration, 0.001));
  const knownBitrate = spec.tracks.reduce((sum, track) => sum + track.bitrate, 0);
  const tracks = spec.tracks.map((track) => ({
    ...track,
    duration: track.duration || duration,
    bitrate: track.bitrate || (track.type === 'video' ? Math.max(0, bitrate - knownBitrate) : 0),
  }));
  return { ...spec, duration, bitrate, tracks };
}

/** Maximum difference in seconds that is ignored: tracks end a few frames apart in most files. */
const MAX_TRACK_DIFFERENCE_SECONDS = 0.5;

/**
 * Replaces the duration of a spec by the duration that is played, if they differ. A file plays longer than its video if its
 * audio starts earlier or ends later, and shorter than announced if its edit list starts with an empty edit or ends after
 * the media.
 * @param seconds played duration; null if unknown
 */
export function withPlayedSeconds(spec: FileSpec, seconds: number | null): FileSpec {
  if (seconds === null || Math.abs(seconds - spec.duration) < MAX_TRACK_DIFFERENCE_SECONDS) return spec;
  return { ...spec, duration: Math.round(seconds * 1_000) / 1_000 };
}

/** Width and height as displayed. Phones store portrait video in landscape with a rotation, which players apply. */
export function displaySize({ width = 0, height = 0, side_data_list = [] }: ProbedStream): [number, number] {
  const isRotated = side_data_list.some(({ rotation = 0 }) => Math.abs(rotation) % 180 === 90);
  return isRotated ? [height, width] : [width, height];
}

function bitrateOf({ bit_rate, tags }: ProbedStream): number | null {
  return parseAmount(bit_rate) ?? parseAmount(tags?.BPS);
}

/** The format of a container from the names that ffprobe reports for its family, such as "mov,mp4,m4a,3gp,3g2,mj2". */
function formatOf(names: string): string {
  const family = names.split(',');
  return family.includes('mp4') ? 'mp4' : (family[0] ?? '');
}
