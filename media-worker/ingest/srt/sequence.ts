/** Sequence numbers of SRT packets have 31 bits and wrap to 0. */
const MASK = 0x7fff_ffff;
const HALF_RANGE = 2 ** 30;

/** The sequence number `steps` after `sequence`; before it if `steps` is negative. */
export const sequenceAfter = (sequence: number, steps: number): number => (sequence + steps) & MASK;

/** Steps from one number to another, across the wrap; negative if `to` comes first. */
export function sequenceDistance(from: number, to: number): number {
  const stepsAhead = (to - from) & MASK;
  return stepsAhead < HALF_RANGE ? stepsAhead : stepsAhead - 2 * HALF_RANGE;
}
