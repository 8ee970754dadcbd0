import { createLadder, type RequestedRendition, type SourceFormat } from './ladder';

/**
 * A layer (one of several sizes in which a WebRTC publisher sends its video) replaces a profile if their heights differ by at
 * most this fraction of the profile's height.
 */
const MAX_HEIGHT_DIFFERENCE = 0.2;

interface Coverage {
  /** Null if the encoder sends only audio. */
  readonly source: SourceFormat | null;
  /** Sizes of the layers that the encoder sends beside the source. */
  readonly layers: readonly { readonly height: number }[];
  /** Names of profiles that a layer must not replace, because a target or a recording refers to them. */
  readonly required: readonly string[];
}

/** The profiles that have to be transcoded: those without a layer of about the same size. */
export function removeCoveredProfiles<P extends RequestedRendition>(
  profiles: readonly P[],
  { source, layers, required }: Coverage,
): readonly P[] {
  if (!source || layers.length === 0) return profiles;
  return profiles.filter((profile) => {
    const [rendition] = createLadder([profile], source).renditions;
    if (!rendition || required.includes(profile.name)) return true;
    const maxDifference = MAX_HEIGHT_DIFFERENCE * rendition.height;
    return !layers.some(({ height }) => Math.abs(height - rendition.height) <= maxDifference);
  });
}
