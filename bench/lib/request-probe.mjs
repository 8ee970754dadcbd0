/**
 * A module that every Node process of a measured service loads with `--import`. In the live role it writes the number of
 * HTTP requests of each second, one number per line.
 */
import { subscribe } from 'node:diagnostics_channel';
import { appendFile } from 'node:fs';

const file = process.env.BENCH_REQUESTS_FILE;
const [, program = '', role] = process.argv;

if (file && program.endsWith('media-worker.js') && role === 'live') {
  let requests = 0;
  subscribe('http.server.request.start', () => (requests += 1));
  setInterval(() => {
    appendFile(file, `${requests}\n`, () => undefined);
    requests = 0;
  }, 1_000).unref();
}
