/** The used fields of ffprobe's report. Numbers are strings, as in ffprobe's JSON. */
export interface ProbeReport {
  readonly streams: readonly ProbedStream[];
  readonly chapters?: readonly ProbedChapter[] | undefined;
  readonly format: ProbedFormat;
}

/** A chapter; times in seconds from the beginning of the file. */
export interface ProbedChapter {
  readonly start_time?: string | undefined;
  readonly tags?: { readonly title?: string | undefined } | undefined;
}

interface ProbedFormat {
  readonly start_time?: string | undefined;
  readonly format_name?: string | undefined;
  readonly duration?: string | undefined;
  readonly bit_rate?: string | undefined;
}

export interface ProbedStream {
  /** Index of the stream in the file, from 0. */
  readonly index?: number | undefined;
  readonly codec_type?: string | undefined;
  readonly codec_name?: string | undefined;
  readonly codec_tag_string?: string | undefined;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly pix_fmt?: string | undefined;
  /** Ratio of pixel width to height, such as "64:45". */
  readonly sample_aspect_ratio?: string | undefined;
  /** "progressive", or the order of the fields of an interlaced picture, such as "tt". */
  readonly field_order?: string | undefined;
  readonly color_range?: string | undefined;
  readonly color_space?: string | undefined;
  readonly color_transfer?: string | undefined;
  readonly avg_frame_rate?: string | undefined;
  readonly r_frame_rate?: string | undefined;
  readonly bit_rate?: string | undefined;
  readonly duration?: string | undefined;
  /** Seconds. */
  readonly start_time?: string | undefined;
  /** Seconds per tick, such as "1/12800". */
  readonly time_base?: string | undefined;
  readonly channels?: number | undefined;
  readonly sample_rate?: string | undefined;
  readonly disposition?:
    | {
        readonly attached_pic?: number | undefined;
        readonly default?: number | undefined;
        readonly forced?: number | undefined;
        readonly hearing_impaired?: number | undefined;
      }
    | undefined;
  readonly tags?:
    | {
        readonly BPS?: string | undefined;
        readonly language?: string | undefined;
        readonly title?: string | undefined;
      }
    | undefined;
  readonly side_data_list?: readonly { readonly rotation?: number | undefined }[] | undefined;
}

/** The played tracks of a file. Other tracks, such as data of cameras and phones, are ignored. */
interface PlayedTracks {
  readonly video: ProbedStream | null;
  readonly audio: ProbedStream | null;
}

/** Codecs of still pictures. Cover pictures have them, but also the videos of some cameras. */
const pictureCodecs = ['mjpeg', 'png', 'bmp', 'gif'];

/**
 * The tracks that players get: the first video track that is not a cover picture, and the default audio track, or the first
 * audio track. Some files don't mark their cover picture, so tracks with a still-picture codec come last.
 */
export function findPlayedTracks({ streams }: ProbeReport): PlayedTracks {
  const videos = streams.filter(
    ({ codec_type, disposition }) => codec_type === 'video' && disposition?.attached_pic !== 1,
  );
  const audios = streams.filter(({ codec_type }) => codec_type === 'audio');
  return {
    video: videos.find(({ codec_name = '' }) => !pictureCodecs.includes(codec_name)) ?? videos[0] ?? null,
    audio: audios.find(({ disposition }) => disposition?.default === 1) ?? audios[0] ?? null,
  };
}

/** Indexes of the played tracks in the file, video first. */
export function playedTrackIndexes(report: ProbeReport): number[] {
  const { video, audio } = findPlayedTracks(report);
  return [video, audio].flatMap((track) => (track?.index === undefined ? [] : [track.index]));
}

/** Seconds from the beginning of the file to the first frame of its video, which may be later than the first audio. */
export function videoDelayOf(report: ProbeReport): number {
  const { video } = findPlayedTracks(report);
  const delaySeconds = Number(video?.start_time ?? 0) - Number(report.format.start_time ?? 0);
  return Number.isFinite(delaySeconds) ? Math.max(0, delaySeconds) : 0;
}

/** Names in ffprobe of the containers that state how long their last frame is shown. */
const formatsWithFrameDurations = /(?:^|,)(?:mp4|gif|apng)(?:,|$)/;

/** The end of the last frame of a video. */
export interface VideoEnd {
  /** Seconds from the beginning of the file. */
  readonly seconds: number;
  /** Ticks per second of the video. */
  readonly timescale: number;
}

/**
 * The end of the last frame; null if the container does not state it. ffmpeg gives the last frame of its output the duration
 * of other frames.
 */
export function videoEndOf(report: ProbeReport): VideoEnd | null {
  const { video } = findPlayedTracks(report);
  const seconds = video && parseAmount(video.duration) !== null ? trackDuration(video, report) : null;
  const timescale = Number(/^1\/(\d+)$/.exec(video?.time_base ?? '')?.[1] ?? 0);
  if (seconds === null || timescale === 0 || !formatsWithFrameDurations.test(report.format.format_name ?? ''))
    return null;
  return { seconds: videoDelayOf(report) + seconds, timescale };
}

/** The report of a file with one track, whose duration is known but not reported. */
export function withProbedSeconds(report: ProbeReport, seconds: number): ProbeReport {
  const duration = seconds.toFixed(6);
  return {
    ...report,
    streams: report.streams.map((stream) => ({ ...stream, duration })),
    format: { ...report.format, duration },
  };
}

/** Whether the played tracks are the first video track and the first audio track of the file, which players choose. */
export function playsFirstTracks(report: ProbeReport): boolean {
  const { video, audio } = findPlayedTracks(report);
  const firstOf = (kind: string) => report.streams.find(({ codec_type }) => codec_type === kind) ?? null;
  return firstOf('video') === video && firstOf('audio') === audio;
}

/** Parses a number of ffprobe's report; null for "N/A", a missing value and negative or infinite numbers. */
export function parseAmount(text: string | undefined): number | null {
  const value = Number(text ?? Number.NaN);
  return Number.isFinite(value) && value >= 0 ? value : null;
}

/** Reads the frame rate of a track from a fraction such as "30000/1001", rounded to three decimals; 0 if there is none. */
export function parseFrameRate({ avg_frame_rate, r_frame_rate }: ProbedStream): number {
  for (const fraction of [avg_frame_rate, r_frame_rate]) {
    const [frames = Number.NaN, seconds = 1] = (fraction ?? '').split('/').map(Number);
    const rate = frames / seconds;
    if (Number.isFinite(rate) && rate > 0) return Math.round(rate * 1_000) / 1_000;
  }
  return 0;
}

/** Shortest start of a file, in seconds, that is the clock of a broadcast and no delay. */
const MIN_BROADCAST_CLOCK_SECONDS = 60;

/**
 * Duration of a track in seconds, or of the file if that of the track is missing; null if both are unknown. Of a saved live
 * stream (fragmented MP4 or Matroska), ffprobe reports the end instead, which includes the time of the broadcast before its
 * start.
 */
export function trackDuration(track: ProbedStream | null, { format }: ProbeReport): number | null {
  const { duration, start_time } = track && parseAmount(track.duration) !== null ? track : format;
  const [seconds, start] = [parseAmount(duration), parseAmount(start_time) ?? 0];
  if (seconds === null || !/mp4|matroska/.test(format.format_name ?? '')) return seconds;
  const isEnd = start >= MIN_BROADCAST_CLOCK_SECONDS && start > seconds / 2 && start < seconds;
  return isEnd ? Math.round((seconds - start) * 1_000_000) / 1_000_000 : seconds;
}

/** Duration of the video track in seconds, or of the file if that of the track is missing; 0 if both are unknown. */
export const videoDuration = (report: ProbeReport): number =>
  trackDuration(findPlayedTracks(report).video, report) ?? 0;

/**
 * Frames per second of a section of video: the announced rate if it is within 5 % of the counted rate, otherwise the counted
 * rate. Durations are whole milliseconds, so a counted rate that differs from a standard rate (15, 29.97) by no more than
 * this precision is replaced by the standard rate.
 * @param frames number of frames of the section
 * @param durationMs duration of the section in milliseconds, above 0
 * @param announcedRate frame rate that the publisher announced
 */
export function measuredFrameRate(
  frames: number,
  durationMs: number,
  announcedRate: number | undefined,
): number {
  const countedRate = (frames * 1000) / durationMs;
  if (announcedRate !== undefined && Math.abs(announcedRate - countedRate) <= announcedRate / 20)
    return announcedRate;
  const roundedRate = Math.round(countedRate);
  const distanceTo = (rate: number) => Math.abs(rate - countedRate);
  const standardRate =
    distanceTo(roundedRate) <= distanceTo((roundedRate * 1000) / 1001)
      ? roundedRate
      : (roundedRate * 1000) / 1001;
  return distanceTo(standardRate) <= countedRate / durationMs ? standardRate : countedRate;
}
