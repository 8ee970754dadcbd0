/**
 * A module that every Node process of a measured service loads with `--import`. In the live role it writes the memory usage
 * of the process: one line of JSON every ten seconds, in bytes.
 */
import { appendFile } from 'node:fs';

const file = process.env.BENCH_MEMORY_FILE;
const [, program = '', role] = process.argv;
const everyMs = 10_000;

if (file && program.endsWith('media-worker.js') && role === 'live') {
  setInterval(() => {
    appendFile(file, `${JSON.stringify(process.memoryUsage())}\n`, () => undefined);
  }, everyMs).unref();
}
