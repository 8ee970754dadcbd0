const WRAP_MS = 2 ** 32;

/**
 * Creates a function that turns 32-bit RTMP timestamps into milliseconds that continue past 2^32 (49.7 days): each
 * timestamp is mapped to the value nearest to the previous one. Audio and video of a publish use one unwrapper, so
 * that both wrap together.
 */
export function createTimestampUnwrapper(): (timestamp: number) => number {
  let lastMs: number | null = null;
  return (timestamp) => {
    if (lastMs === null) return (lastMs = timestamp);
    // `| 0` reads the difference modulo 2^32 as a signed number.
    const step = (timestamp - (lastMs % WRAP_MS)) | 0;
    return (lastMs += step);
  };
}
