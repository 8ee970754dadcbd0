import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { audience } from './audience';
import { encoderLoss } from './encoder-loss';
import { endpoints } from './endpoints';
import { ingestPackaging } from './ingest-packaging';
import { filePlayback } from './file-playback';
import { gatedViewers } from './gated-viewers';
import { glassToGlass } from './glass-to-glass';
import { ladder } from './ladder';
import type { Bench, BenchOptions } from './lib/bench';
import { writeSection } from './lib/benchmarks-document';
import { Scope } from './lib/scope';
import { longList } from './long-list';
import { lowLatencyViewers } from './low-latency-viewers';
import { pageSpeed } from './page-speed';
import { processes } from './processes';
import { recording } from './recording';
import { srt } from './srt';
import { storedSegments } from './stored-segments';
import { publishToPlayable } from './publish-to-playable';
import { webhooks } from './webhooks';
import { renditions } from './renditions';
import { thirtyStreams } from './thirty-streams';
import { thumbnails } from './thumbnails';
import { transcode } from './transcode';
import { upload } from './upload';
import { whep } from './whep';
import { whip } from './whip';

/**
 * npm run bench -- <name> [options]
 *
 * Runs a bench on the loopback interface, prints its results in Markdown and writes them to docs/benchmarks.md. With `--dry`
 * the results are only printed. Benches are not part of the tests, because timings on a shared machine are not reliable.
 */

const benches: Readonly<Record<string, Bench>> = {
  audience,
  'ingest-packaging': ingestPackaging,
  'publish-to-playable': publishToPlayable,
  endpoints,
  webhooks,
  ladder,
  recording,
  'thirty-streams': thirtyStreams,
  processes,
  thumbnails,
  upload,
  'stored-segments': storedSegments,
  'file-playback': filePlayback,
  transcode,
  renditions,
  'low-latency-viewers': lowLatencyViewers,
  'gated-viewers': gatedViewers,
  'glass-to-glass': glassToGlass,
  whep,
  srt,
  'encoder-loss': encoderLoss,
  'long-list': longList,
  'page-speed': pageSpeed,
  whip,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    publishers: { type: 'string', default: '1,10,30' },
    servers: { type: 'string', default: 'headwater,nginx,ffmpeg' },
    runs: { type: 'string' },
    window: { type: 'string' },
    'warm-up': { type: 'string' },
    megabytes: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '600' },
    dry: { type: 'boolean', default: false },
  },
});

const createOptions = ({ defaults }: Bench): BenchOptions => ({
  publishers: values.publishers.split(',').map((text) => parseWholeNumber('--publishers', text)),
  servers: values.servers.split(','),
  runs: values.runs === undefined ? defaults.runs : parseWholeNumber('--runs', values.runs),
  window: values.window === undefined ? defaults.window : parseWholeNumber('--window', values.window),
  warmUp:
    values['warm-up'] === undefined ? defaults.warmUp : parseWholeNumber('--warm-up', values['warm-up']),
  megabytes: parseWholeNumber('--megabytes', values.megabytes, 20_000),
  seconds: parseWholeNumber('--seconds', values.seconds, 20_000),
  progress: (message) => console.error(`· ${message}`),
});

function parseWholeNumber(name: string, text: string, max = 600): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > max) throw new Error(`${name}: expected 1 to ${max}`);
  return value;
}

/** Describes the machine, because absolute figures of different machines cannot be compared. */
const describeMachine = () =>
  `${availableParallelism()} cores shared by servers and load, ${Math.round(totalmem() / 1024 ** 3)} GB, Node ${process.versions.node.split('.')[0]}`;

async function main(): Promise<void> {
  const [name = ''] = positionals;
  const bench = benches[name];
  if (!bench) throw new Error(`npm run bench -- <${Object.keys(benches).join(' | ')}>`);
  const scope = new Scope();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void scope.close().finally(() => process.exit(1)));
  try {
    const directory = await mkdtemp(join(tmpdir(), 'headwater-bench-'));
    scope.defer(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));
    const results = await bench.run(scope, directory, createOptions(bench));
    const command = ['npm run bench --', ...process.argv.slice(2)].join(' ');
    const section = `${bench.explanation}\n\n${results}\n\n\`${command}\` on ${describeMachine()}.`;
    console.log(section);
    if (!values.dry) await writeSection(name, section);
  } finally {
    await scope.close();
  }
}

await main();
