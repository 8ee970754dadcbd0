/**
 * Frames per second of a piece of video: what the encoder announces where the frames agree with it, what is counted
 * otherwise. Times are whole milliseconds, so a count that is as near to a usual rate (15, 29.97) as they can tell is
 * that rate: 8 frames in 533.5 ms are 15 a second.
 * @param durationMs above 0
 */
export function frameRateOf(frames: number, durationMs: number, announced: number | undefined): number {
  const counted = (frames * 1000) / durationMs;
  if (announced !== undefined && Math.abs(announced - counted) <= announced / 20) return announced;
  const whole = Math.round(counted);
  const off = (rate: number) => Math.abs(rate - counted);
  const usual = off(whole) <= off((whole * 1000) / 1001) ? whole : (whole * 1000) / 1001;
  return off(usual) <= counted / durationMs ? usual : counted;
}
