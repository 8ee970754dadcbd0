import { languageTag } from '../captions/track-language';
import {
  amount,
  frameRate,
  playedTracks,
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

/** The `videoSpec` of an asset. A type alias, because it is stored as JSON. */
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
 * The played tracks of a file, in the units of the API. Every field is present; unknown values are 0.
 * @param format of the container, if it is known better than ffprobe reports it
 */
export function videoSpecOf(report: ProbeReport, format?: string): FileSpec {
  const playedStreams = playedTracks(report);
  const audio = playedStreams.audio ? [audioTrack(playedStreams.audio, report)] : [];
  const bitrateOfVideo = (amount(report.format.bit_rate) ?? 0) - (audio[0]?.bitrate ?? 0);
  const video = playedStreams.video
    ? [videoTrack(playedStreams.video, report, Math.max(0, bitrateOfVideo))]
    : [];
  const bitrate = amount(report.format.bit_rate);
  return {
    format: format ?? formatOf(report.format.format_name ?? ''),
    duration: videoDuration(report),
    ...(bitrate === null ? {} : { bitrate }),
    tracks: [...video, ...audio],
    ...otherAudioOf(report, playedStreams.audio),
  };
}

/** Languages matter only if the file has audio in several languages. */
function otherAudioOf({ streams }: ProbeReport, playedAudio: ProbedStream | null) {
  const otherStreams = streams.filter((stream) => stream.codec_type === 'audio' && stream !== playedAudio);
  return otherStreams.length === 0
    ? {}
    : { otherAudio: otherStreams.slice(0, maxOtherAudio).map(languageOf) };
}

/** Longer lists are an error in the file. */
const maxOtherAudio = 50;

/** Files with an unknown language say "und". */
function languageOf({ tags }: ProbedStream): { readonly language?: string } {
  const tag = languageTag(tags?.language ?? '');
  return tag === null || tag === 'und' ? {} : { language: tag };
}

function videoTrack(stream: ProbedStream, report: ProbeReport, restBitrate: number): VideoTrack {
  const [width, height] = displaySize(stream);
  return {
    type: 'video',
    codec: stream.codec_name ?? 'unknown',
    fps: frameRate(stream),
    width,
    height,
    bitrate: bitrateOf(stream) ?? restBitrate,
    duration: amount(stream.duration) ?? videoDuration(report),
    pixelFormat: stream.pix_fmt ?? 'unknown',
  };
}

function audioTrack(stream: ProbedStream, report: ProbeReport): AudioTrack {
  return {
    type: 'audio',
    codec: stream.codec_name ?? 'unknown',
    bitrate: bitrateOf(stream) ?? 0,
    channels: stream.channels ?? 0,
    duration: amount(stream.duration) ?? amount(report.format.duration) ?? 0,
    sampleRate: amount(stream.sample_rate) ?? 0,
    ...languageOf(stream),
  };
}

/** Whether the tracks of an MP4 are played unchanged: then the asset's MP4 has the size and bitrates of the file. */
export const isPlainMp4 = ({
  format,
  tracks,
}: {
  readonly format: string;
  readonly tracks: readonly { readonly codec: string }[];
}): boolean => format === 'mp4' && tracks.every(({ codec }) => codec === 'h264' || codec === 'aac');

/** The spec of a file whose duration was measured during conversion, for files that lack it. */
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

/** Tracks end a few frames apart in most files. */
const usualDifference = 0.5;

/**
 * The spec of a file that plays longer than its video, because audio starts earlier or ends later, or shorter than
 * announced, because an edit list starts with an empty edit or ends after the media.
 * @param seconds played duration; null if unknown
 */
export function withPlayedSeconds(spec: FileSpec, seconds: number | null): FileSpec {
  if (seconds === null || Math.abs(seconds - spec.duration) < usualDifference) return spec;
  return { ...spec, duration: Math.round(seconds * 1_000) / 1_000 };
}

/** The displayed size: phones store portrait video in landscape with a rotation for the player. */
export function displaySize({ width = 0, height = 0, side_data_list = [] }: ProbedStream): [number, number] {
  const isRotated = side_data_list.some(({ rotation = 0 }) => Math.abs(rotation) % 180 === 90);
  return isRotated ? [height, width] : [width, height];
}

function bitrateOf({ bit_rate, tags }: ProbedStream): number | null {
  return amount(bit_rate) ?? amount(tags?.BPS);
}

/** ffprobe names the whole family of a container, such as "mov,mp4,m4a,3gp,3g2,mj2". */
function formatOf(names: string): string {
  const family = names.split(',');
  return family.includes('mp4') ? 'mp4' : (family[0] ?? '');
}
