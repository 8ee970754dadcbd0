/**
 * A module that every Node process of a measured service loads with `--import`. In each process that has live streams it
 * writes the delay of the event loop: one line of JSON per second with the delay of each 10 ms timer in milliseconds.
 */
import { appendFile } from 'node:fs';

const file = process.env.BENCH_EVENT_LOOP_FILE;
const [, program = '', role] = process.argv;
const everyMs = 10;
/** With several live processes, the first process of the role only starts the others and has no streams. */
const startsOthers = Number(process.env.LIVE_PROCESSES) > 1 && process.env.PROCESS_SLOT === undefined;

if (file && program.endsWith('media-worker.js') && role === 'live' && !startsOthers) {
  let previousTickAt = performance.now();
  let delaysMs = [];
  setInterval(() => {
    const now = performance.now();
    delaysMs.push(Math.round(Math.max(0, now - previousTickAt - everyMs) * 10) / 10);
    previousTickAt = now;
  }, everyMs).unref();
  setInterval(() => {
    appendFile(file, `${JSON.stringify(delaysMs)}\n`, () => undefined);
    delaysMs = [];
  }, 1_000).unref();
}
