import { removeCoveredProfiles } from '@/lib/core/renditions/covered-profiles';
import type { TranscodeInput } from '@/lib/core/renditions/transcode-plan';
import type { Profile } from '@/lib/contract/streams/profile';
import type { LiveSettings } from '@/lib/domain/streams';
import { displaySize, type VideoConfig } from '@/media-worker/media/cmaf/codec-config';
import type { Renditions } from '@/media-worker/media/packaging/rendition';

export type RenditionSettings = Pick<
  LiveSettings,
  'profiles' | 'maxRenditions' | 'targetProfiles' | 'recordedRenditions'
>;

interface RenditionDemand extends Pick<TranscodeInput, 'source' | 'maxRenditions'> {
  readonly profiles: readonly Profile[];
}

/** The profiles of a stream that the transcoder has to make of a video: those that no layer of the encoder replaces. */
export function createRenditionDemand(
  { profiles, maxRenditions, targetProfiles = [], recordedRenditions = [] }: RenditionSettings,
  renditions: Pick<Renditions, 'all'>,
  video: VideoConfig | undefined,
): RenditionDemand {
  const source = video ? { ...displaySize(video), fps: video.fps } : null;
  const layers = renditions.all.flatMap(({ layerSize }) => layerSize ?? []);
  const requiredProfiles = [...targetProfiles, ...recordedRenditions];
  return {
    profiles: removeCoveredProfiles(profiles, { source, layers, required: requiredProfiles }),
    source,
    maxRenditions: maxRenditions ?? null,
  };
}
