/** One rendition as the master playlist offers it. */
export interface PlaylistRendition {
  /** Relative URI of its media playlist. */
  readonly uri: string;
  /** Bit/s of the busiest segment, measured. */
  readonly bandwidth: number;
  readonly averageBandwidth: number;
  /** RFC 6381 names, video first. */
  readonly codecs: readonly string[];
  /** Absent for sound alone. */
  readonly resolution: { readonly width: number; readonly height: number } | undefined;
  readonly frameRate: number | undefined;
  readonly independent: boolean;
}

/** The master playlist of the given renditions, best to offer first (RFC 8216 §4.3.4). */
export function masterPlaylist(renditions: readonly PlaylistRendition[]): string {
  const lines = ['#EXTM3U', '#EXT-X-VERSION:7'];
  if (renditions.every((rendition) => rendition.independent)) lines.push('#EXT-X-INDEPENDENT-SEGMENTS');
  for (const rendition of renditions) lines.push(`#EXT-X-STREAM-INF:${attributes(rendition)}`, rendition.uri);
  return `${lines.join('\n')}\n`;
}

function attributes({
  bandwidth,
  averageBandwidth,
  codecs,
  resolution,
  frameRate,
}: PlaylistRendition): string {
  const list = [
    // The first segments of a stream may say little of its peak: short ones count for the average alone.
    `BANDWIDTH=${Math.ceil(Math.max(bandwidth, averageBandwidth))}`,
    `AVERAGE-BANDWIDTH=${Math.ceil(averageBandwidth)}`,
    `CODECS="${codecs.join(',')}"`,
  ];
  if (resolution) list.push(`RESOLUTION=${resolution.width}x${resolution.height}`);
  if (resolution && frameRate !== undefined) list.push(`FRAME-RATE=${frameRate.toFixed(3)}`);
  return list.join(',');
}
