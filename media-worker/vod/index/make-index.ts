import { HOUR_SECONDS } from '@/lib/core/units';
import type { PresentedRange } from '@/lib/core/media/presented-ranges';
import { type VideoCodingName, codingOf } from '@/media-worker/media/cmaf/codec-config';
import { VIDEO_TIMESCALE } from '@/media-worker/media/cmaf/init-segment';
import type { ByteSource } from './byte-source';
import { type VideoLayout, MAX_START_DELAY_SECONDS, layOutVideo, sampleEntries } from './lay-out-video';
import { type AudioLayout, layOutAudio } from './lay-out-audio';
import { NeedsConversion } from './needs-conversion';
import { planVideo, splitEncoded } from './plan-video';
import { playedTracksOf, rangesOf } from './played-tracks';
import { type MovieTrack, readMovie } from './read-movie';
import { type ReencoderOptions, Reencoder } from './reencode';
import { MAX_REORDERED, isShownLast } from './reordering';
import { periodSegments, startOfPeriod } from './period-segments';
import type { SegmentSpan } from './segment-spans';
import { type MoviePart, splitMovie } from './split-movie';
import type { SampleList } from './sample-list';

/** The data from which the HLS of an asset is generated, in addition to its file. */
export interface MovieIndex {
  /** Parts of the movie, each with its own configuration. */
  readonly periods: readonly IndexedPeriod[];
  /** Frames that are not in the file (`sampleEntries.index`). */
  readonly encodedFrames: readonly Buffer[];
}

export interface IndexedPeriod {
  readonly video: IndexedVideo | undefined;
  readonly audio: { readonly record: Buffer; readonly samples: SampleList } | undefined;
  readonly segments: readonly SegmentSpan[];
}

export interface IndexedVideo {
  readonly coding: VideoCodingName;
  readonly record: Buffer;
  readonly pixelAspect: { readonly num: number; readonly den: number };
  /** Display matrix, nine numbers (ISO/IEC 14496-12 §8.3.2). */
  readonly matrix: readonly number[];
  readonly samples: SampleList;
}

/** Longest presentation; accepted files are shorter. */
const MAX_PRESENTED_SECONDS = 48 * HOUR_SECONDS;

/**
 * Reads a file and lays out its presentation: edit lists applied, audio gaps filled with silence, frames held while
 * there is only audio.
 * @throws MovieError, NeedsConversion, FfmpegFailed, FfmpegKilled, StorageError `full`
 */
export async function makeIndex(source: ByteSource, encoding: ReencoderOptions): Promise<MovieIndex> {
  const movie = await readMovie(source);
  const { video, audio } = playedTracksOf(movie);
  for (const track of [video, audio])
    if (track && !track.isSelfContained) throw new NeedsConversion('its media is in other files');
  const videoRanges = video ? rangesOf(video, movie.timescale) : [];
  const audioRanges = audio ? rangesOf(audio, movie.timescale) : [];
  const ranges = [...videoRanges, ...audioRanges];
  if (ranges.length === 0) throw new NeedsConversion('nothing of it is presented');
  const bounds = {
    from: Math.min(...ranges.map(({ startSeconds }) => startSeconds)),
    to: Math.max(...ranges.map(({ startSeconds, durationSeconds }) => startSeconds + durationSeconds)),
  };
  if (bounds.to - bounds.from > MAX_PRESENTED_SECONDS)
    throw new NeedsConversion('its edit list lasts for days');
  const parts = splitMovie(
    {
      video: video && videoRanges.length > 0 ? { track: video, ranges: videoRanges } : undefined,
      audio: audio && audioRanges.length > 0 ? { track: audio, ranges: audioRanges } : undefined,
    },
    bounds,
  );
  return layOutParts(source, await splitEncoded(source, parts), encoding);
}

/** Lays out the samples of all parts, and cuts them into segments. */
async function layOutParts(
  source: ByteSource,
  parts: readonly MoviePart[],
  encoding: ReencoderOptions,
): Promise<MovieIndex> {
  const encodedFrames: Buffer[] = [];
  let encodedAt = 0;
  const laidOutParts: LaidOutPart[] = [];
  for (const [index, { video, audio, bounds }] of parts.entries()) {
    const laidOutVideo = video && (await layOutVideoOf(source, { ...video, bounds, encoding, encodedAt }));
    if (laidOutVideo && index > 0) await addParameterSets(source, laidOutVideo, encodedAt);
    const silenceAt = encodedAt + bytesOf(laidOutVideo?.layout.encodedFrames ?? []);
    const laidOutAudio = audio && layOutAudio(audio.track, audio.ranges, { bounds, silenceAt });
    if (laidOutVideo) delayFirstFrames(laidOutVideo.layout);
    if (laidOutVideo && laidOutAudio && index === 0) advanceFirstFrame(laidOutVideo.layout, laidOutAudio);
    if (laidOutVideo)
      setDurations(
        laidOutVideo.layout,
        Math.max(laidOutVideo.layout.endSeconds, laidOutAudio?.endSeconds ?? 0),
      );
    const addedFrames = [
      ...(laidOutVideo?.layout.encodedFrames ?? []),
      ...(laidOutAudio?.silence ? [laidOutAudio.silence] : []),
    ];
    encodedFrames.push(...addedFrames);
    encodedAt += bytesOf(addedFrames);
    laidOutParts.push({ video: laidOutVideo, audio: laidOutAudio });
  }
  startAtZero(laidOutParts);
  const starts = laidOutParts.map(({ video, audio }) => startOfPeriod({ video: video?.layout, audio }));
  const periods = laidOutParts.map(({ video, audio }, index): IndexedPeriod => {
    const periodBounds = {
      startSeconds: index === 0 ? undefined : starts[index],
      endSeconds: starts[index + 1],
    };
    return {
      video: video && { ...video.facts, samples: video.layout.samples },
      audio: audio && { record: audio.config.record, samples: audio.samples },
      segments: periodSegments({ video: video?.layout, audio }, periodBounds),
    };
  });
  return { periods, encodedFrames };
}

interface LaidOutPart {
  readonly video: { readonly layout: VideoLayout; readonly facts: Omit<IndexedVideo, 'samples'> } | undefined;
  readonly audio: AudioLayout | undefined;
}

const bytesOf = (buffers: readonly Buffer[]): number => buffers.reduce((sum, { length }) => sum + length, 0);

interface VideoContext {
  readonly track: MovieTrack;
  readonly ranges: readonly PresentedRange[];
  readonly bounds: { readonly from: number; readonly to: number };
  readonly encoding: ReencoderOptions;
  /** Bytes of encoded frames of earlier parts. */
  readonly encodedAt: number;
}

async function layOutVideoOf(
  source: ByteSource,
  { track, ranges, bounds, encoding, encodedAt }: VideoContext,
) {
  const plannedVideo = await planVideo(source, { track, ranges });
  const { video } = plannedVideo;
  const reencoder = new Reencoder(encoding, video);
  const layout = await layOutVideo(plannedVideo.plan, { ...plannedVideo, reencoder, encodedAt }, bounds);
  if (layout.samples.count === 0) throw new NeedsConversion('no frame of it is shown');
  const { coding, sar } = video.config;
  const pixelAspect = track.entries[0]?.pixelAspect ?? sar;
  const { matrix } = track;
  return { layout, facts: { coding, record: reencoder.record, pixelAspect, matrix } };
}

/**
 * Adds the parameter sets of a later period to its first frame: ffmpeg reads the init segments of a playlist as one
 * file and keeps the first configuration.
 */
async function addParameterSets(
  source: ByteSource,
  { layout: { samples, encodedFrames }, facts: { coding, record } }: NonNullable<LaidOutPart['video']>,
  encodedAt: number,
): Promise<void> {
  const [offset = 0, size = 0] = [samples.offset[0], samples.size[0]];
  const isEncoded = samples.entry[0] === sampleEntries.index;
  const frame = isEncoded ? encodedFrames[0] : await source.read(offset, size);
  const completeFrame = frame && codingOf(coding).addParameterSets(frame, record);
  if (!completeFrame || completeFrame.equals(frame)) return;
  samples.offset[0] = encodedAt + bytesOf(encodedFrames);
  samples.size[0] = completeFrame.length;
  samples.entry[0] = sampleEntries.index;
  encodedFrames.push(completeFrame);
}

/** Shifts all tracks equally, so that decode times begin at zero, because players compare them with the playlist. */
function startAtZero(parts: readonly LaidOutPart[]): void {
  const [first] = parts;
  const starts = [
    ...(first?.video ? [(first.video.layout.samples.dts[0] ?? 0) / VIDEO_TIMESCALE] : []),
    ...(first?.audio ? [(first.audio.samples.dts[0] ?? 0) / first.audio.config.timescale] : []),
  ];
  const startSeconds = Math.min(...starts);
  for (const { video, audio } of parts) {
    if (video) shiftDecodeTimes(video.layout.samples, -Math.round(startSeconds * VIDEO_TIMESCALE));
    if (audio) shiftDecodeTimes(audio.samples, -Math.round(startSeconds * audio.config.timescale));
  }
}

function shiftDecodeTimes({ dts, count }: SampleList, ticks: number): void {
  for (let sample = 0; sample < count; sample++) dts[sample] = Math.max(0, (dts[sample] ?? 0) + ticks);
}

/**
 * Delays the decode times of the first frames, because players do not wait long for video. In a slide show, these
 * frames are decoded many seconds before the first one is shown.
 */
function delayFirstFrames({ samples }: VideoLayout): void {
  const reorderedCount = Math.min(MAX_REORDERED, samples.count);
  let firstShownTicks = Infinity;
  for (let frame = 0; frame < reorderedCount; frame++)
    firstShownTicks = Math.min(firstShownTicks, samples.pts(frame));
  for (let frame = 0; frame < reorderedCount; frame++) {
    const earlyTicks = MAX_START_DELAY_SECONDS * VIDEO_TIMESCALE * (1 - frame / MAX_REORDERED);
    const delayTicks = Math.floor(firstShownTicks - earlyTicks) - (samples.dts[frame] ?? 0);
    if (delayTicks <= 0) return;
    samples.dts[frame] = (samples.dts[frame] ?? 0) + delayTicks;
    samples.shift[frame] = (samples.shift[frame] ?? 0) - delayTicks;
  }
}

/**
 * Moves the decode time of the first video frame forward to the start of the audio. The first segment of the
 * playlist starts with that audio, and Shaka Player shifts each segment by the difference between its decode time
 * and its time in the playlist.
 */
function advanceFirstFrame({ samples }: VideoLayout, audio: AudioLayout): void {
  const audioStartSeconds = (audio.samples.dts[0] ?? 0) / audio.config.timescale;
  const periodStartSeconds = startOfPeriod({ video: { samples }, audio });
  const earlyTicks = Math.round((periodStartSeconds - audioStartSeconds) * VIDEO_TIMESCALE);
  if (earlyTicks <= 0) return;
  samples.dts[0] = (samples.dts[0] ?? 0) - earlyTicks;
  samples.shift[0] = (samples.shift[0] ?? 0) + earlyTicks;
}

/**
 * Sets durations: each frame lasts until the next one is decoded, and the last one until the end of the
 * presentation. No frame lasts beyond that end: frames out of order before a pause are decoded after it.
 */
function setDurations({ samples }: VideoLayout, endSeconds: number): void {
  const { dts, shift, duration, count } = samples;
  const last = count - 1;
  const ticksLeft = (frame: number) =>
    Math.max(1, Math.round(endSeconds * VIDEO_TIMESCALE) - samples.pts(frame));
  for (let frame = last - 1; frame >= 0; frame--) {
    const nextDts = dts[frame + 1] ?? 0;
    const delayTicks = nextDts - ticksLeft(frame) - (dts[frame] ?? 0);
    if (delayTicks > 0) {
      dts[frame] = (dts[frame] ?? 0) + delayTicks;
      shift[frame] = (shift[frame] ?? 0) - delayTicks;
    }
    duration[frame] = nextDts - (dts[frame] ?? 0);
  }
  const maxTicks = isShownLast(samples) ? Infinity : (duration[last - 1] ?? 1);
  duration[last] = Math.min(ticksLeft(last), maxTicks);
}
