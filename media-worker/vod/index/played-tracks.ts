import { type PresentedRange, applyEditList } from '@/lib/core/media/presented-ranges';
import { type ByteSource, MovieError } from './byte-source';
import { NeedsConversion } from './needs-conversion';
import { type Movie, type MovieTrack, readMovie } from './read-movie';
import { hasSeveralConfigs } from './split-movie';

/**
 * The tracks that are played: the first video of a supported codec, and the first enabled AAC track, or else the
 * first AAC track.
 */
export function playedTracksOf({ tracks }: Movie): { video?: MovieTrack; audio?: MovieTrack } {
  const usableTracks = (handler: string) =>
    tracks.filter((track) => track.handler === handler && hasUsableSamples(track));
  const [videos, audios] = [usableTracks('vide'), usableTracks('soun')];
  const [video, audio] = [videos[0], audios.find(({ isEnabled }) => isEnabled) ?? audios[0]];
  return { ...(video && { video }), ...(audio && { audio }) };
}

/** Whether a track has samples whose codec is packaged unchanged. */
function hasUsableSamples({ samples, entries }: MovieTrack): boolean {
  for (let sample = 0; sample < samples.count; sample++)
    if (entries[samples.entry[sample] ?? 0]?.record) return true;
  return false;
}

/**
 * The presented ranges of a track.
 * @throws NeedsConversion if the track is played at another speed
 */
export function rangesOf(
  { edits, samples, timescale }: MovieTrack,
  movieTimescale: number,
): PresentedRange[] {
  let [mediaStart, mediaEnd] = [Infinity, 0];
  for (let sample = 0; sample < samples.count; sample++) {
    mediaStart = Math.min(mediaStart, samples.pts(sample));
    mediaEnd = Math.max(mediaEnd, samples.pts(sample) + (samples.duration[sample] ?? 0));
  }
  const ranges = applyEditList(edits, { timescale, movieTimescale, mediaStart, mediaEnd });
  if (!ranges) throw new NeedsConversion('its edit list plays it at another speed');
  return ranges;
}

/** Whether the configuration of a played track changes. */
export async function changesConfig(source: ByteSource): Promise<boolean> {
  const { video, audio } = playedTracksOf(await readMovie(source));
  return [video, audio].some((track) => track !== undefined && hasSeveralConfigs(track));
}

/** Whether the edit list of a file hides all of its video, and whether it then still plays audio. */
export async function findHiddenVideo(source: ByteSource): Promise<'none' | 'with-audio' | 'all'> {
  try {
    const movie = await readMovie(source);
    const { video, audio } = playedTracksOf(movie);
    const isHidden = (track: MovieTrack) => rangesOf(track, movie.timescale).length === 0;
    if (!video || !isHidden(video)) return 'none';
    return audio && !isHidden(audio) ? 'with-audio' : 'all';
  } catch (error) {
    if (error instanceof MovieError || error instanceof NeedsConversion) return 'none';
    throw error;
  }
}
