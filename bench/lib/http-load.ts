import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';

const autocannonPath = fileURLToPath(import.meta.resolve('autocannon'));
const DEFAULT_CONNECTIONS = 50;

const resultSchema = z.object({
  requests: z.object({ average: z.number(), total: z.number() }),
  latency: z.object({ p50: z.number(), p97_5: z.number(), p99: z.number() }),
  '2xx': z.number(),
  non2xx: z.number(),
  errors: z.number(),
});

/** Result of a load test. */
export interface Throughput {
  readonly requestsPerSecond: number;
  /** Median, 97.5th and 99th percentile of the latency, in milliseconds. */
  readonly latencyP50: number;
  readonly latencyP97: number;
  readonly latencyP99: number;
}

/** The GET request that every connection repeats. */
export interface LoadRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Sends GET requests from a separate process for some seconds.
 * @throws Error if a response is not 2xx, or a request fails
 */
export async function runHttpLoad(
  { url, headers }: LoadRequest,
  seconds: number,
  connections = DEFAULT_CONNECTIONS,
): Promise<Throughput> {
  const headerArgs = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}=${value}`]);
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [autocannonPath, '-j', '-n', '-c', String(connections), '-d', String(seconds), ...headerArgs, url],
    { timeout: (seconds + 30) * 1000, maxBuffer: 16 * 1024 * 1024 },
  );
  const measurement = resultSchema.parse(JSON.parse(stdout));
  if (measurement.non2xx > 0 || measurement.errors > 0 || measurement['2xx'] === 0)
    throw new Error(
      `${new URL(url).pathname}: ${measurement.non2xx} other statuses, ${measurement.errors} errors, ${measurement['2xx']} successes`,
    );
  return {
    requestsPerSecond: measurement.requests.average,
    latencyP50: measurement.latency.p50,
    latencyP97: measurement.latency.p97_5,
    latencyP99: measurement.latency.p99,
  };
}
