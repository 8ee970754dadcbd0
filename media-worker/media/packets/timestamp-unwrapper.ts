const WRAP = 2 ** 32;

/**
 * Turns 32-bit RTMP timestamps into milliseconds that continue past 2^32 (49.7 days): each timestamp is mapped to
 * the value nearest to its predecessor. One unwrapper serves audio and video of a publish, so that both cross the
 * wrap together.
 */
export function createTimestampUnwrapper(): (timestamp: number) => number {
  let last: number | null = null;
  return (timestamp) => {
    if (last === null) return (last = timestamp);
    // `| 0` reads the difference modulo 2^32 as a signed number.
    const step = (timestamp - (last % WRAP)) | 0;
    return (last += step);
  };
}
