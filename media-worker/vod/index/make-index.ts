import { hourSeconds } from '@/lib/core/units';
import { picturePlan } from '@/lib/core/media/picture-plan';
import { type PresentedRange, presentedRanges } from '@/lib/core/media/presented-ranges';
import { segmentCuts } from '@/lib/core/media/segment-cuts';
import {
  CodecConfigError,
  type VideoCodingName,
  type VideoConfig,
  codingOf,
} from '@/media-worker/media/cmaf/codec-config';
import { VIDEO_TIMESCALE } from '@/media-worker/media/cmaf/init-segment';
import type { ByteSource } from './byte-source';
import { findIdr, sizeName } from './find-idr';
import {
  type LaidOutPicture,
  isShownLast,
  latestStartSeconds,
  layOutPicture,
  maxReordered,
} from './lay-out-picture';
import { type LaidOutSound, layOutSound } from './lay-out-sound';
import { NeedsConversion } from './needs-conversion';
import { type Movie, type MovieTrack, readMovie } from './read-movie';
import { type EncodingPlace, Reencoder } from './reencode';
import { type SegmentSpan, segmentSpans } from './segment-spans';
import type { SampleList } from './sample-list';

/** Everything that the HLS of an asset is made from besides its file. */
export interface MovieIndex {
  readonly video: IndexedVideo | undefined;
  readonly audio: { readonly record: Buffer; readonly samples: SampleList } | undefined;
  readonly segments: readonly SegmentSpan[];
  /** Frames that are not in the file. */
  readonly encodedFrames: readonly Buffer[];
}

export interface IndexedVideo {
  readonly coding: VideoCodingName;
  readonly record: Buffer;
  readonly pixelAspect: { readonly num: number; readonly den: number };
  /** Nine numbers (ISO/IEC 14496-12 §8.3.2). */
  readonly matrix: readonly number[];
  readonly samples: SampleList;
}

/** Longer than any accepted file. */
const maxPresentedSeconds = 48 * hourSeconds;

/** The played tracks: the first video with a supported codec, and the first enabled AAC track, or else the first one. */
function playedTracksOf({ tracks }: Movie): { video?: MovieTrack; audio?: MovieTrack } {
  const kind = (handler: string) =>
    tracks.filter(
      (track) => track.handler === handler && track.samples.count > 0 && track.entries[0]?.record,
    );
  const [videos, audios] = [kind('vide'), kind('soun')];
  const [video, audio] = [videos[0], audios.find(({ enabled }) => enabled) ?? audios[0]];
  return { ...(video && { video }), ...(audio && { audio }) };
}

/**
 * The presented ranges of a track.
 * @throws NeedsConversion if it is played at another speed
 */
function rangesOf({ edits, samples, timescale }: MovieTrack, movieTimescale: number): PresentedRange[] {
  let [mediaStart, mediaEnd] = [Infinity, 0];
  for (let sample = 0; sample < samples.count; sample++) {
    mediaStart = Math.min(mediaStart, samples.pts(sample));
    mediaEnd = Math.max(mediaEnd, samples.pts(sample) + (samples.duration[sample] ?? 0));
  }
  const ranges = presentedRanges(edits, { timescale, movieTimescale, mediaStart, mediaEnd });
  if (!ranges) throw new NeedsConversion('its edit list plays it at another speed');
  return ranges;
}

/**
 * Reads a file and lays out its presentation: edit lists applied, gaps of sound filled with silence, pictures held where
 * there is only sound.
 * @throws MovieError, NeedsConversion, FfmpegFailed, FfmpegKilled, StorageError `full`
 */
export async function makeIndex(source: ByteSource, encoding: EncodingPlace): Promise<MovieIndex> {
  const movie = await readMovie(source);
  const { video, audio } = playedTracksOf(movie);
  for (const track of [video, audio]) if (track) refuseUnplayable(track);
  const pictureRanges = video ? rangesOf(video, movie.timescale) : [];
  const soundRanges = audio ? rangesOf(audio, movie.timescale) : [];
  const ranges = [...pictureRanges, ...soundRanges];
  if (ranges.length === 0) throw new NeedsConversion('nothing of it is presented');
  const bounds = {
    from: Math.min(...ranges.map(({ at }) => at)),
    to: Math.max(...ranges.map(({ at, length }) => at + length)),
  };
  if (bounds.to - bounds.from > maxPresentedSeconds)
    throw new NeedsConversion('its edit list lasts for days');
  const picture =
    video && (await pictureOf(source, { track: video, ranges: pictureRanges, bounds, encoding }));
  const silenceAt = picture?.layout.encodedFrames.reduce((sum, { length }) => sum + length, 0) ?? 0;
  const sound = audio && layOutSound(audio, soundRanges, { bounds, silenceAt });
  if (picture) decodeLate(picture.layout);
  if (picture) setDurations(picture.layout, Math.max(picture.layout.end, sound?.end ?? 0));
  startAtZero(picture?.layout, sound);
  const encodedFrames = [
    ...(picture?.layout.encodedFrames ?? []),
    ...(sound?.silence ? [sound.silence] : []),
  ];
  const { segments, video: samples } = segmentsOf(picture?.layout, sound);
  return {
    video: picture && samples && { ...picture.facts, samples },
    audio: sound && { record: sound.config.record, samples: sound.samples },
    segments,
    encodedFrames,
  };
}

function refuseUnplayable({ entries, samples, selfContained }: MovieTrack): void {
  if (!selfContained) throw new NeedsConversion('its media is in other files');
  const [first] = entries;
  for (let sample = 0; sample < samples.count; sample++) {
    const entry = entries[samples.entry[sample] ?? 0];
    if (entry === first) continue;
    if (!entry?.record || !first?.record?.equals(entry.record))
      throw new NeedsConversion('its coding changes');
  }
}

interface PictureContext {
  readonly track: MovieTrack;
  readonly ranges: readonly PresentedRange[];
  readonly bounds: { readonly from: number; readonly to: number };
  readonly encoding: EncodingPlace;
}

async function pictureOf(source: ByteSource, { track, ranges, bounds, encoding }: PictureContext) {
  const { samples, timescale, entries, matrix } = track;
  const config = configOf(track);
  const { idr, keys, sizes } = await findIdr(source, samples, {
    ...{ coding: config.coding, nalLengthSize: config.nalLengthSize, timescale },
  });
  if (new Set([...sizes, sizeName(config)]).size > 1) throw new NeedsConversion('its picture size changes');
  const mediaEnd = Math.max(0, ...ranges.map(({ to }) => to));
  const frames = {
    count: samples.count,
    pts: (frame: number) => samples.pts(frame),
    isIdr: (frame: number) => idr[frame] === 1,
    mediaEnd,
    timescale,
  };
  const video = { source, samples, timescale, config };
  const reencoder = new Reencoder(encoding, video);
  const layout = await layOutPicture(picturePlan(ranges, frames), { video, idr, keys, reencoder }, bounds);
  if (layout.samples.count === 0) throw new NeedsConversion('no frame of it is shown');
  const pixelAspect = entries[0]?.pixelAspect ?? config.sar;
  return { layout, facts: { coding: config.coding, record: reencoder.record, pixelAspect, matrix } };
}

function configOf({ entries }: MovieTrack): VideoConfig {
  try {
    const { coding = 'avc', record = Buffer.alloc(0) } = entries[0] ?? {};
    return codingOf(coding).parse(record);
  } catch (error) {
    if (error instanceof CodecConfigError) throw new NeedsConversion(error.message);
    throw error;
  }
}

/** Shifts all tracks alike: decode times begin at zero, because players compare them with the playlist. */
function startAtZero(picture: LaidOutPicture | undefined, sound: LaidOutSound | undefined): void {
  const starts = [
    ...(picture ? [(picture.samples.dts[0] ?? 0) / VIDEO_TIMESCALE] : []),
    ...(sound ? [(sound.samples.dts[0] ?? 0) / sound.config.timescale] : []),
  ];
  const zero = Math.min(...starts);
  if (picture) moveBy(picture.samples, -Math.round(zero * VIDEO_TIMESCALE));
  if (sound) moveBy(sound.samples, -Math.round(zero * sound.config.timescale));
}

function moveBy({ dts, count }: SampleList, ticks: number): void {
  for (let sample = 0; sample < count; sample++) dts[sample] = Math.max(0, (dts[sample] ?? 0) + ticks);
}

/** Segments are cut at pictures; without video every six seconds. */
function segmentsOf(picture: LaidOutPicture | undefined, sound: LaidOutSound | undefined) {
  const soundTrack = sound && { samples: sound.samples, timescale: sound.config.timescale };
  if (!picture) {
    const list = sound?.samples;
    const cuts = segmentCuts({
      count: list?.count ?? 0,
      shownAt: (frame) => (list?.dts[frame] ?? 0) / (sound?.config.timescale ?? 1),
      isKey: () => true,
    });
    return { video: undefined, segments: segmentSpans(cuts, { audio: soundTrack }) };
  }
  const { samples } = picture;
  const cuts = segmentCuts({
    count: samples.count,
    shownAt: (frame) => samples.pts(frame) / VIDEO_TIMESCALE,
    isKey: (frame) => samples.key[frame] === 1,
  });
  const videoTrack = { samples, timescale: VIDEO_TIMESCALE };
  return { video: samples, segments: segmentSpans(cuts, { video: videoTrack, audio: soundTrack }) };
}

/** Decodes the first frames shortly before they are shown. A slide show has them in the file many seconds earlier. */
function decodeLate({ samples }: LaidOutPicture): void {
  const first = Math.min(maxReordered, samples.count);
  let firstShown = Infinity;
  for (let frame = 0; frame < first; frame++) firstShown = Math.min(firstShown, samples.pts(frame));
  for (let frame = 0; frame < first; frame++) {
    const early = latestStartSeconds * VIDEO_TIMESCALE * (1 - frame / maxReordered);
    const late = Math.floor(firstShown - early) - (samples.dts[frame] ?? 0);
    if (late <= 0) return;
    samples.dts[frame] = (samples.dts[frame] ?? 0) + late;
    samples.shift[frame] = (samples.shift[frame] ?? 0) - late;
  }
}

/**
 * Each frame lasts until the next one is decoded, the last one until the end of the presentation. No frame lasts longer:
 * where frames are out of order at a pause, they are decoded after it.
 */
function setDurations({ samples }: LaidOutPicture, end: number): void {
  const { dts, shift, duration, count } = samples;
  const last = count - 1;
  const ticksLeft = (frame: number) => Math.max(1, Math.round(end * VIDEO_TIMESCALE) - samples.pts(frame));
  for (let frame = last - 1; frame >= 0; frame--) {
    const next = dts[frame + 1] ?? 0;
    const late = next - ticksLeft(frame) - (dts[frame] ?? 0);
    if (late > 0) {
      dts[frame] = (dts[frame] ?? 0) + late;
      shift[frame] = (shift[frame] ?? 0) - late;
    }
    duration[frame] = next - (dts[frame] ?? 0);
  }
  const usual = isShownLast(samples) ? Infinity : (duration[last - 1] ?? 1);
  duration[last] = Math.min(ticksLeft(last), usual);
}
