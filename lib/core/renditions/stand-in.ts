/** Replacement for a segment that is not encoded yet. */

interface ListedRendition {
  readonly name: string;
  /** Bitrate, bit/s. */
  readonly bitrate: number;
}

/**
 * The other renditions in the order of replacement: lower bitrates first, because the player's bandwidth fits no more, the
 * nearest first; then higher bitrates.
 */
export function standIns<Rendition extends ListedRendition>(
  renditions: readonly Rendition[],
  rendition: ListedRendition,
): Rendition[] {
  const otherRenditions = renditions.filter(({ name }) => name !== rendition.name);
  const apart = ({ bitrate }: ListedRendition) => Math.abs(bitrate - rendition.bitrate);
  const hasMore = ({ bitrate }: ListedRendition) => Number(bitrate > rendition.bitrate);
  return otherRenditions.toSorted((a, b) => hasMore(a) - hasMore(b) || apart(a) - apart(b));
}

/**
 * Whether the player decodes with parameter sets in the media, even if the init segment differs. Apple's decoders use only
 * those of the init segment.
 */
export const takesParameterSets = (userAgent: string | undefined): boolean =>
  /(?:Chrome|Firefox)\/\d/.test(userAgent ?? '');
