import { setTimeout as sleep } from 'node:timers/promises';
import { SignJWT, importPKCS8 } from 'jose';
import { z } from 'zod';
import type { Bench } from './lib/bench';
import { makeClip } from './lib/clip';
import { digits, markdownTable, median, percentile, ratio } from './lib/figures';
import type { Headwater } from './lib/headwater';
import { publishAll } from './lib/live-load';
import { type Measurement, type Server, measure, startCounted } from './low-latency-viewers';

/** Cost for an origin to check the access of viewers. */

const viewers = 1_000;
const signingKey = z.object({ id: z.string(), privateKey: z.string() });

/** Signs a token for each viewer, like the owner's server. */
async function tokensOf({
  baseUrl,
  createKey,
}: Headwater): Promise<(playbackId: string) => Promise<string[]>> {
  const authorization = `Bearer ${await createKey('signing')}`;
  const response = await fetch(`${baseUrl}/api/access-control/signing-key`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: '{}',
  });
  const { id, privateKey } = signingKey.parse(await response.json());
  const key = await importPKCS8(Buffer.from(privateKey, 'base64').toString(), 'ES256');
  return (playbackId) =>
    Promise.all(
      Array.from({ length: viewers }, (_, viewer) =>
        new SignJWT({ action: 'pull', custom: { viewer } })
          .setProtectedHeader({ alg: 'ES256', kid: id })
          .setSubject(playbackId)
          .setExpirationTime('1h')
          .sign(key),
      ),
    );
}

async function gatedServer(
  service: Headwater,
  publishing: (channel: Channel) => Promise<unknown>,
): Promise<Server> {
  const channel = await service.createStream('gated', { playbackPolicy: { type: 'jwt' } });
  const { playlistUrl } = channel;
  const tokens = await (await tokensOf(service))(playlistUrl.split('/').at(-2) ?? '');
  const urlOf = (viewer: number) => `${playlistUrl}?jwt=${tokens[viewer] ?? ''}`;
  await publishing({ ...channel, playlistUrl: urlOf(0) });
  return { name: 'signed tokens', urlOf, pid: service.pidOf('origin') };
}

type Channel = Awaited<ReturnType<Headwater['createStream']>>;

const medianOf = (runs: readonly Measurement[], of: (run: Measurement) => number) => median(runs.map(of));

function row({ name }: Server, runs: readonly Measurement[], open?: readonly Measurement[]) {
  const cpu = (measurements: readonly Measurement[]) =>
    medianOf(measurements, ({ cpuMicroseconds }) => cpuMicroseconds);
  const at = (share: number) =>
    digits(
      medianOf(runs, ({ reloadMs }) => percentile(reloadMs, share)),
      0,
    );
  return [
    ...[
      name,
      viewers,
      digits(
        medianOf(runs, ({ requestRate }) => requestRate),
        1,
      ),
    ],
    ...[medianOf(runs, ({ reloadMs }) => reloadMs.length), at(0.5), at(0.99)],
    ...[digits(cpu(runs), 1), open ? ratio(cpu(runs), cpu(open)) : ''],
    runs.reduce((sum, { failures }) => sum + failures, 0),
  ];
}

export const gatedViewers: Bench = {
  title: 'Viewers with signed tokens',
  explains:
    '1,000 low-latency viewers watch a stream that anyone may watch, and 1,000 watch one that needs a signed token, a ' +
    'different one for each viewer. The two groups take turns at the same service. Viewers reload the playlist as in "Many ' +
    'low-latency viewers of one stream". The values are medians of the runs. Goals: the origin spends at most 1.15 times ' +
    'the CPU, and the live process gets no more requests.',
  defaults: { runs: 5, window: 15, warmUp: 5 },
  async run(scope, directory, options) {
    const clip = await makeClip(directory);
    const { service, file } = await startCounted(scope, directory);
    const publish = (channel: Channel) => publishAll(scope, clip, [channel]);
    const openChannel = await service.createStream('open');
    await publish(openChannel);
    const open: Server = {
      name: 'anyone',
      urlOf: () => openChannel.playlistUrl,
      pid: service.pidOf('origin'),
    };
    const gated = await gatedServer(service, publish);
    await sleep(options.warmUp * 1_000);
    const runs: { readonly open: Measurement; readonly gated: Measurement }[] = [];
    for (let run = 1; run <= options.runs; run += 1) {
      options.progress(`run ${run} of ${options.runs}`);
      runs.push({
        open: await measure(open, viewers, file, options.window),
        gated: await measure(gated, viewers, file, options.window),
      });
    }
    const ofOpen = runs.map((run) => run.open);
    return markdownTable(
      [
        ...['who may watch', 'viewers', 'requests per second to live', 'reloads', 'p50 (ms)', 'p99 (ms)'],
        ...['CPU of the origin per reload (µs)', '÷ anyone', 'failed'],
      ],
      [
        row(open, ofOpen),
        row(
          gated,
          runs.map((run) => run.gated),
          ofOpen,
        ),
      ],
    );
  },
};
