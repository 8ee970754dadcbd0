/**
 * Loaded into every Node process of a measured service by `--import`; in the live role it writes what its memory is made
 * of: one line of JSON each ten seconds, in bytes.
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
