import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench, BenchOptions } from './lib/bench';
import { makeClip } from './lib/clip';
import { formatNumber, markdownTable, type Row } from './lib/figures';
import { startHeadwater } from './lib/headwater';
import { ContinuityCheck, readPlaylist } from './lib/hls-reader';
import { readPlaylists } from './lib/live-load';
import { findFreePorts, waitFor } from './lib/network';
import { cpuSeconds, memoryMegabytes } from './lib/process-tree';
import { runInScope, type Scope } from './lib/scope';
import { startProcess } from './lib/start-process';

/** SRT publishers, with and without encryption: cost per stream in the live process. */

const SEGMENT_SECONDS = 2;
const passphrase = 'only-for-this-run-4711';

const publisherArguments = (clip: string, url: string): string[] => [
  ...'-hide_banner -loglevel error -nostdin -re -stream_loop -1'.split(' '),
  ...['-i', clip, '-c', 'copy', '-f', 'mpegts', url],
];

/** Publishers of one row of the table. */
interface SrtLoad {
  readonly clip: string;
  readonly publishers: number;
  readonly isEncrypted: boolean;
}

async function measure(
  scope: Scope,
  directory: string,
  { clip, publishers, isEncrypted }: SrtLoad,
  options: BenchOptions,
): Promise<Row> {
  const [srtPort = 0] = await findFreePorts(1);
  const service = await startHeadwater(scope, directory, { SRT_PORT: String(srtPort) });
  const pids = [service.pidOf('live')];
  const encryptionFields = isEncrypted ? { srtPassphrase: passphrase } : {};
  const idleMegabytes = memoryMegabytes(pids);
  const checks: ContinuityCheck[] = [];
  for (let index = 0; index < publishers; index += 1) {
    const { publishUrl, playlistUrl } = await service.createStream(`bench ${index}`, encryptionFields);
    const key = publishUrl.split('/').at(-1) ?? '';
    const encryption = isEncrypted ? `&passphrase=${passphrase}&pbkeylen=16` : '';
    const url = `srt://127.0.0.1:${srtPort}?streamid=${key}&latency=120000${encryption}`;
    startProcess('ffmpeg', publisherArguments(clip, url), { scope, graceMs: 2_000 });
    checks.push(new ContinuityCheck(playlistUrl));
    await waitFor('a playlist', () => readPlaylist(playlistUrl), { timeoutMs: 20_000 });
  }
  await sleep(options.warmUp * 1_000);
  const [startedAt, cpuBefore] = [performance.now(), cpuSeconds(pids)];
  await readPlaylists(checks, options.window);
  const streamMinutes = ((performance.now() - startedAt) / 60_000) * publishers;
  const perStreamMinute = (cpuSeconds(pids) - cpuBefore) / streamMinutes;
  const messages = (await Promise.all(checks.map((check) => check.finish(SEGMENT_SECONDS)))).flat();
  for (const reason of new Set(messages)) options.progress(reason);
  return [
    publishers,
    isEncrypted ? 'AES-128' : 'none',
    formatNumber(perStreamMinute, 3),
    formatNumber((memoryMegabytes(pids) - idleMegabytes) / publishers, 1),
    messages.length,
  ];
}

export const srt: Bench = {
  title: 'SRT publishers',
  explanation:
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
        rows.push(await runInScope(scope, (inner) => measure(inner, directory, load, options)));
      }
    }
    return markdownTable(
      ['publishers', 'encryption', 'CPU-s per stream-minute', 'MB per stream over idle', 'missing segments'],
      rows,
    );
  },
};
