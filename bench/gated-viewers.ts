import { setTimeout as sleep } from 'node:timers/promises';
import { SignJWT, importPKCS8 } from 'jose';
import { z } from 'zod';
import type { Bench } from './lib/bench';
import { makeClip } from './lib/clip';
import { formatNumber, markdownTable, median, percentile, formatRatio } from './lib/figures';
import type { Headwater } from './lib/headwater';
import { publishAll } from './lib/live-load';
import {
  type Measurement,
  type MeasuredServer,
  measureViewers,
  startCountedService,
} from './low-latency-viewers';

/** CPU time that an origin spends to check the signed tokens of viewers. */

const VIEWER_COUNT = 1_000;
const signingKeySchema = z.object({ id: z.string(), privateKey: z.string() });

/**
 * Creates a signing key.
 * @returns a function that signs a token for each viewer of a stream
 */
async function createTokenSigner({
  baseUrl,
  createApiKey: createKey,
}: Headwater): Promise<(playbackId: string) => Promise<string[]>> {
  const authorization = `Bearer ${await createKey('signing')}`;
  const response = await fetch(`${baseUrl}/api/access-control/signing-key`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: '{}',
  });
  const { id, privateKey } = signingKeySchema.parse(await response.json());
  const key = await importPKCS8(Buffer.from(privateKey, 'base64').toString(), 'ES256');
  return (playbackId) =>
    Promise.all(
      Array.from({ length: VIEWER_COUNT }, (_, viewer) =>
        new SignJWT({ action: 'pull', custom: { viewer } })
          .setProtectedHeader({ alg: 'ES256', kid: id })
          .setSubject(playbackId)
          .setExpirationTime('1h')
          .sign(key),
      ),
    );
}

async function startGatedStream(
  service: Headwater,
  publish: (stream: StreamUrls) => Promise<unknown>,
): Promise<MeasuredServer> {
  const stream = await service.createStream('gated', { playbackPolicy: { type: 'jwt' } });
  const { playlistUrl } = stream;
  const tokens = await (await createTokenSigner(service))(playlistUrl.split('/').at(-2) ?? '');
  const urlOf = (viewer: number) => `${playlistUrl}?jwt=${tokens[viewer] ?? ''}`;
  await publish({ ...stream, playlistUrl: urlOf(0) });
  return { name: 'signed tokens', urlOf, pid: service.pidOf('origin') };
}

type StreamUrls = Awaited<ReturnType<Headwater['createStream']>>;

const medianOf = (runs: readonly Measurement[], read: (run: Measurement) => number) => median(runs.map(read));

function formatRow(
  { name }: MeasuredServer,
  runs: readonly Measurement[],
  openRuns?: readonly Measurement[],
) {
  const medianCpu = (measurements: readonly Measurement[]) =>
    medianOf(measurements, ({ cpuMicroseconds }) => cpuMicroseconds);
  const formatPercentile = (fraction: number) =>
    formatNumber(
      medianOf(runs, ({ reloadMs }) => percentile(reloadMs, fraction)),
      0,
    );
  return [
    ...[
      name,
      VIEWER_COUNT,
      formatNumber(
        medianOf(runs, ({ requestRate }) => requestRate),
        1,
      ),
    ],
    ...[medianOf(runs, ({ reloadMs }) => reloadMs.length), formatPercentile(0.5), formatPercentile(0.99)],
    ...[formatNumber(medianCpu(runs), 1), openRuns ? formatRatio(medianCpu(runs), medianCpu(openRuns)) : ''],
    runs.reduce((sum, { failures }) => sum + failures, 0),
  ];
}

export const gatedViewers: Bench = {
  title: 'Viewers with signed tokens',
  explanation:
    '1,000 low-latency viewers watch a stream that anyone may watch, and 1,000 watch one that needs a signed token, a ' +
    'different one for each viewer. The two groups take turns at the same service. Viewers reload the playlist as in "Many ' +
    'low-latency viewers of one stream". The values are medians of the runs. Goals: the origin spends at most 1.15 times ' +
    'the CPU, and the live process gets no more requests.',
  defaults: { runs: 5, window: 15, warmUp: 5 },
  async run(scope, directory, options) {
    const clip = await makeClip(directory);
    const { service, file: requestCountFile } = await startCountedService(scope, directory);
    const publish = (stream: StreamUrls) => publishAll(scope, clip, [stream]);
    const openStream = await service.createStream('open');
    await publish(openStream);
    const open: MeasuredServer = {
      name: 'anyone',
      urlOf: () => openStream.playlistUrl,
      pid: service.pidOf('origin'),
    };
    const gated = await startGatedStream(service, publish);
    await sleep(options.warmUp * 1_000);
    const runs: { readonly open: Measurement; readonly gated: Measurement }[] = [];
    for (let run = 1; run <= options.runs; run += 1) {
      options.progress(`run ${run} of ${options.runs}`);
      runs.push({
        open: await measureViewers(open, VIEWER_COUNT, requestCountFile, options.window),
        gated: await measureViewers(gated, VIEWER_COUNT, requestCountFile, options.window),
      });
    }
    const openRuns = runs.map((run) => run.open);
    return markdownTable(
      [
        ...['who may watch', 'viewers', 'requests per second to live', 'reloads', 'p50 (ms)', 'p99 (ms)'],
        ...['CPU of the origin per reload (µs)', '÷ anyone', 'failed'],
      ],
      [
        formatRow(open, openRuns),
        formatRow(
          gated,
          runs.map((run) => run.gated),
          openRuns,
        ),
      ],
    );
  },
};
