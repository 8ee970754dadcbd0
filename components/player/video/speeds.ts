/** Selectable playback speeds. */
export const speeds = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2] as const;

/** The next speed in a direction; the current speed at either end. */
export function nextSpeed(speed: number, direction: 1 | -1): number {
  const orderedSpeeds = direction === 1 ? speeds : speeds.toReversed();
  return orderedSpeeds.find((candidate) => (candidate - speed) * direction > 0) ?? speed;
}
