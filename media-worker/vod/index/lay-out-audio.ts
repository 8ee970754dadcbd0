import { type AudioTimeline, createAudioTimeline } from '@/lib/core/media/audio-timeline';
import type { PresentedRange } from '@/lib/core/media/presented-ranges';
import { type AudioConfig, parseAacConfig } from '@/media-worker/media/cmaf/codec-config';
import { SILENT_UNITS } from '@/media-worker/media/packets/silent-units';
import { NeedsConversion } from './needs-conversion';
import type { MovieTrack } from './read-movie';
import { SampleList, MAX_SAMPLES } from './sample-list';
import { sampleEntries } from './lay-out-video';

/**
 * The audio frames of the HLS: times in the timescale of the configuration; `entry` is the location of their
 * bytes.
 */
export interface AudioLayout {
  readonly config: AudioConfig;
  readonly samples: SampleList;
  /** A silent frame, stored after the index; undefined if there is none. */
  readonly silence: Buffer | undefined;
  /** Start and end of the audio in the presentation. */
  readonly startSeconds: number;
  readonly endSeconds: number;
}

/**
 * Lays out the audio frames of the presented ranges, with silence in gaps.
 * @param silenceAt position of the silent frame after the index
 * @throws NeedsConversion if there are too many frames, or a gap in a format without a known silent frame;
 * CodecDataError
 */
export function layOutAudio(
  track: MovieTrack,
  ranges: readonly PresentedRange[],
  { bounds, silenceAt }: { readonly bounds: { from: number; to: number }; readonly silenceAt: number },
): AudioLayout {
  const config = parseAacConfig(track.entries[0]?.record ?? Buffer.alloc(0));
  const frameSeconds = config.samplesPerFrame / config.timescale;
  const { samples: fileSamples, timescale } = track;
  const frames = {
    count: fileSamples.count,
    pts: (frame: number) => fileSamples.pts(frame),
    timescale,
    frameSeconds,
  };
  const timeline = createAudioTimeline(ranges, frames, bounds, MAX_SAMPLES);
  if (!timeline) throw new NeedsConversion('its audio has too many frames');
  const silence = timeline.frames.includes(null) ? SILENT_UNITS.get(config.channelConfiguration) : undefined;
  if (timeline.frames.includes(null) && !silence) throw new NeedsConversion('its audio has gaps');
  const samples = placeSamples(timeline, { fileSamples, config, silence, silenceAt });
  const endSeconds = timeline.startSeconds + timeline.frames.length * frameSeconds;
  return { config, samples, silence, startSeconds: timeline.startSeconds, endSeconds };
}

interface AudioSamples {
  readonly fileSamples: SampleList;
  readonly config: AudioConfig;
  readonly silence: Buffer | undefined;
  readonly silenceAt: number;
}

/** Samples for the frames of the timeline; null frames are silent. */
function placeSamples(
  { startSeconds, frames }: AudioTimeline,
  { fileSamples, config, silence, silenceAt }: AudioSamples,
): SampleList {
  const samples = new SampleList({ samples: MAX_SAMPLES, fileSize: Infinity });
  samples.reserve(frames.length);
  const duration = config.samplesPerFrame;
  let dts = Math.round(startSeconds * config.timescale);
  for (const frame of frames) {
    const location =
      frame === null
        ? { offset: silenceAt, size: silence?.length ?? 0, entry: sampleEntries.index }
        : {
            offset: fileSamples.offset[frame] ?? 0,
            size: fileSamples.size[frame] ?? 0,
            entry: sampleEntries.source,
          };
    samples.push({ ...location, dts, duration, shift: 0, key: true });
    dts += duration;
  }
  return samples;
}
