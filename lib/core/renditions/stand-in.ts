/** Replacement for a segment that is not encoded yet. */

interface Listed {
  readonly name: string;
  /** In bit/s. */
  readonly bitrate: number;
}

/**
 * The other renditions in the order in which they stand in: with fewer bits first, as the player has no room for more, the
 * nearest first; then those with more.
 */
export function standIns<Rendition extends Listed>(
  renditions: readonly Rendition[],
  rendition: Listed,
): Rendition[] {
  const otherRenditions = renditions.filter(({ name }) => name !== rendition.name);
  const apart = ({ bitrate }: Listed) => Math.abs(bitrate - rendition.bitrate);
  const hasMore = ({ bitrate }: Listed) => Number(bitrate > rendition.bitrate);
  return otherRenditions.toSorted((a, b) => hasMore(a) - hasMore(b) || apart(a) - apart(b));
}

/**
 * Whether the decoder of a player takes the parameter sets in the media, whatever the init segment says. Those of Apple use
 * the init segment alone.
 */
export const takesParameterSets = (userAgent: string | undefined): boolean =>
  /(?:Chrome|Firefox)\/\d/.test(userAgent ?? '');
