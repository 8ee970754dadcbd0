/** A rendition of the ladder that can replace another rendition whose segment is not encoded yet. */
interface ListedRendition {
  readonly name: string;
  /** Bitrate in bit/s. */
  readonly bitrate: number;
}

/**
 * The renditions that can replace a rendition, in the order in which they are tried: first those with lower bitrates, which
 * fit the bandwidth of the player, then those with higher bitrates, each with the nearest bitrate first.
 */
export function replacementsOf<Rendition extends ListedRendition>(
  renditions: readonly Rendition[],
  rendition: ListedRendition,
): Rendition[] {
  const otherRenditions = renditions.filter(({ name }) => name !== rendition.name);
  const bitrateDifference = ({ bitrate }: ListedRendition) => Math.abs(bitrate - rendition.bitrate);
  const exceedsBitrate = ({ bitrate }: ListedRendition) => Number(bitrate > rendition.bitrate);
  return otherRenditions.toSorted(
    (a, b) => exceedsBitrate(a) - exceedsBitrate(b) || bitrateDifference(a) - bitrateDifference(b),
  );
}

/**
 * Whether a player uses the parameter sets in the media if those of the init segment differ. Apple's decoders use only the
 * parameter sets of the init segment.
 */
export const supportsInBandParameterSets = (userAgent: string | undefined): boolean =>
  /(?:Chrome|Firefox)\/\d/.test(userAgent ?? '');
