/** What a player gets instead of a segment that is not encoded yet. */

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
  wanted: Listed,
): Rendition[] {
  const others = renditions.filter(({ name }) => name !== wanted.name);
  const apart = ({ bitrate }: Listed) => Math.abs(bitrate - wanted.bitrate);
  const hasMore = ({ bitrate }: Listed) => Number(bitrate > wanted.bitrate);
  return others.toSorted((one, other) => hasMore(one) - hasMore(other) || apart(one) - apart(other));
}

/**
 * Whether the decoder of a player takes the parameter sets in the media, whatever the init segment says. Those of Apple use
 * the init segment alone.
 */
export const takesParameterSets = (userAgent: string | undefined): boolean =>
  /(?:Chrome|Firefox)\/\d/.test(userAgent ?? '');
