import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench, BenchOptions } from './lib/bench';
import { makeClip } from './lib/clip';
import { digits, markdownTable, type Row } from './lib/figures';
import { startHeadwater } from './lib/headwater';
import { ContinuityCheck, readPlaylist } from './lib/hls-reader';
import { watch } from './lib/live-load';
import { freePorts, waitFor } from './lib/network';
import { cpuSeconds, memoryMegabytes } from './lib/process-tree';
import { within, type Scope } from './lib/scope';
import { startProcess } from './lib/start-process';

/** SRT publishers, with and without encryption: cost per stream in the live process. */

const segmentSeconds = 2;
const passphrase = 'only-for-this-run-4711';

const publisherArguments = (clip: string, url: string): string[] => [
  ...'-hide_banner -loglevel error -nostdin -re -stream_loop -1'.split(' '),
  ...['-i', clip, '-c', 'copy', '-f', 'mpegts', url],
];

interface Load {
  readonly clip: string;
  readonly publishers: number;
  readonly isEncrypted: boolean;
}

async function measure(
  scope: Scope,
  directory: string,
  { clip, publishers, isEncrypted }: Load,
  options: BenchOptions,
): Promise<Row> {
  const [srtPort = 0] = await freePorts(1);
  const service = await startHeadwater(scope, directory, { SRT_PORT: String(srtPort) });
  const pids = [service.pidOf('live')];
  const secret = isEncrypted ? { srtPassphrase: passphrase } : {};
  const idle = memoryMegabytes(pids);
  const checks: ContinuityCheck[] = [];
  for (let index = 0; index < publishers; index += 1) {
    const { publishUrl, playlistUrl } = await service.createStream(`bench ${index}`, secret);
    const key = publishUrl.split('/').at(-1) ?? '';
    const encryption = isEncrypted ? `&passphrase=${passphrase}&pbkeylen=16` : '';
    const url = `srt://127.0.0.1:${srtPort}?streamid=${key}&latency=120000${encryption}`;
    startProcess('ffmpeg', publisherArguments(clip, url), { scope, graceMs: 2_000 });
    checks.push(new ContinuityCheck(playlistUrl));
    await waitFor('a playlist', () => readPlaylist(playlistUrl), { timeoutMs: 20_000 });
  }
  await sleep(options.warmUp * 1_000);
  const [from, before] = [performance.now(), cpuSeconds(pids)];
  await watch(checks, options.window);
  const streamMinutes = ((performance.now() - from) / 60_000) * publishers;
  const perStreamMinute = (cpuSeconds(pids) - before) / streamMinutes;
  const missing = (await Promise.all(checks.map((check) => check.finish(segmentSeconds)))).flat();
  for (const reason of new Set(missing)) options.progress(reason);
  return [
    publishers,
    isEncrypted ? 'AES-128' : 'none',
    digits(perStreamMinute, 3),
    digits((memoryMegabytes(pids) - idle) / publishers, 1),
    missing.length,
  ];
}

export const srt: Bench = {
  title: 'SRT publishers',
  explains:
    'The publishers of "Ingest and packaging" send their clip over SRT, with and without encryption. Goal at ten publishers: at ' +
    'most 0.40 CPU-s per stream-minute in the live process.',
  defaults: { runs: 1, window: 40, warmUp: 15 },
  async run(scope, directory, options) {
    const clip = await makeClip(directory);
    const rows: Row[] = [];
    for (const publishers of options.publishers) {
      for (const isEncrypted of [false, true]) {
        options.progress(`${publishers} publishers${isEncrypted ? ', encrypted' : ''}`);
        const load = { clip, publishers, isEncrypted };
        rows.push(await within(scope, (inner) => measure(inner, directory, load, options)));
      }
    }
    return markdownTable(
      ['publishers', 'encryption', 'CPU-s per stream-minute', 'MB per stream over idle', 'missing segments'],
      rows,
    );
  },
};
