import { cpus } from 'node:os';
import { setTimeout as after } from 'node:timers/promises';

interface Times {
  /** Milliseconds of all cores together. */
  readonly free: number;
  readonly all: number;
}

/** A shorter look says nothing: the clocks of the cores tick a hundred times a second. */
const shortestMs = 300;

/** What has low priority gives way to an encoder as an encoder does to everything else: for it that core is free. */
const timesNow = (): Times =>
  cpus().reduce(
    ({ free, all }, { times: { idle, nice, user, sys, irq } }) => ({
      free: free + idle + nice,
      all: all + idle + nice + user + sys + irq,
    }),
    { free: 0, all: 0 },
  );

/** Measures how many cores are busy with what matters more than an encoding. */
export class BusyCores {
  readonly #read: () => Times;
  readonly #cores = cpus().length;
  #before: Times;
  #at: number;

  constructor(read = timesNow) {
    this.#read = read;
    this.#before = read();
    this.#at = performance.now();
  }

  /** On average since it was asked before, or since it began; waits until that is long enough to say something. */
  async lately(): Promise<number> {
    const waitMs = this.#at + shortestMs - performance.now();
    if (waitMs > 0) await after(waitMs);
    const now = this.#read();
    const all = now.all - this.#before.all;
    const free = now.free - this.#before.free;
    this.#before = now;
    this.#at = performance.now();
    return all > 0 ? this.#cores * Math.max(0, 1 - free / all) : 0;
  }
}
