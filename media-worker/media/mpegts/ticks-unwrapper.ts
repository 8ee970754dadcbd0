const WRAP_TICKS = 2 ** 33;

/**
 * Creates a function that turns 33-bit times of 90 kHz into ticks that continue past 2^33 (26.5 hours): each time is
 * mapped to the value nearest to the previous one. All tracks of a program use one unwrapper, so that they wrap
 * together.
 */
export function createTicksUnwrapper(): (ticks: number) => number {
  let lastTicks: number | null = null;
  return (ticks) => {
    if (lastTicks === null) return (lastTicks = ticks);
    const ahead = (((ticks - lastTicks) % WRAP_TICKS) + WRAP_TICKS) % WRAP_TICKS;
    return (lastTicks += ahead < WRAP_TICKS / 2 ? ahead : ahead - WRAP_TICKS);
  };
}
