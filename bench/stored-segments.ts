import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { assetClient } from './lib/asset-client';
import type { Bench, BenchOptions } from './lib/bench';
import { digits, markdownTable, median, ratio } from './lib/figures';
import { startHeadwater } from './lib/headwater';
import { loadHttp } from './lib/http-load';
import { makeLongClip } from './lib/long-clip';
import { freePorts } from './lib/network';
import { cpuSeconds } from './lib/process-tree';
import { type Scope, within } from './lib/scope';
import { startProcess, untilHealthy } from './lib/start-process';

/** CPU time of stored HLS segments, compared with nginx serving the same bytes as static files. */

const bitrate = 8_000_000;
const seconds = 120;
const connections = 8;
const readyMs = 300_000;

const configuration = (directory: string, port: number) => `
daemon off;
worker_processes 1;
${process.getuid?.() === 0 ? 'user root;' : ''}
pid ${directory}/nginx.pid;
error_log ${directory}/error.log warn;
events { worker_connections 1024; }
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  client_body_temp_path ${directory}/body;
  proxy_temp_path ${directory}/proxy;
  fastcgi_temp_path ${directory}/fastcgi;
  uwsgi_temp_path ${directory}/uwsgi;
  scgi_temp_path ${directory}/scgi;
  server {
    listen 127.0.0.1:${port};
    location /healthz { return 200; }
    location / { root ${directory}/files; }
  }
}
`;

interface Server {
  readonly base: string;
  readonly pid: number;
}

/** @returns the server and the folder that it serves */
async function startNginx(scope: Scope, parent: string): Promise<Server & { readonly files: string }> {
  const directory = await mkdtemp(join(parent, 'nginx-'));
  const files = join(directory, 'files');
  await mkdir(files);
  const [port = 0] = await freePorts(1);
  await writeFile(join(directory, 'nginx.conf'), configuration(directory, port));
  const base = `http://127.0.0.1:${port}`;
  const server = startProcess('nginx', ['-c', join(directory, 'nginx.conf')], { scope });
  await untilHealthy(server, `${base}/healthz`, 10_000);
  return { base, pid: server.pid, files };
}

/** Starts the minimal Node server for the files of a folder. */
async function startBare(scope: Scope, files: string): Promise<Server> {
  const [port = 0] = await freePorts(1);
  const program = join(import.meta.dirname, 'lib/bare-files.mjs');
  const server = startProcess(process.execPath, [program, files, String(port)], { scope });
  const base = `http://127.0.0.1:${port}`;
  await untilHealthy(server, base, 10_000);
  return { base, pid: server.pid };
}

/** CPU seconds per GB during `work`, which returns the number of sent bytes. */
async function costOf(pid: number, work: () => Promise<number>): Promise<number> {
  const secondsBefore = cpuSeconds([pid]);
  const bytes = await work();
  return (cpuSeconds([pid]) - secondsBefore) / (bytes / 1e9);
}

const body = async (url: string): Promise<Buffer> => {
  const response = await fetch(url, { signal: AbortSignal.timeout(60_000) });
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
};

/** One segment that all viewers request. */
async function popular(url: string, bytes: number, window: number): Promise<number> {
  const { requestsPerSecond } = await loadHttp({ url, headers: {} }, window, connections);
  return requestsPerSecond * window * bytes;
}

/** Every segment once, like the first viewer of a film. */
async function once(base: string, names: readonly string[]): Promise<number> {
  let bytes = 0;
  for (const name of names) bytes += (await body(`${base}/${name}`)).length;
  return bytes;
}

/** CPU seconds per GB of each run. */
type Costs = Record<'headwater' | 'bare' | 'nginx', number[]>;
const noCosts = (): Costs => ({ headwater: [], bare: [], nginx: [] });

async function measure(scope: Scope, directory: string, { runs, window, progress }: BenchOptions) {
  const service = await startHeadwater(scope, directory);
  const client = assetClient(service.baseUrl, await service.createKey('segments'));
  const nginx = await startNginx(scope, directory);
  const path = await makeLongClip(directory, { seconds, bitrate, fastStart: true });
  const [popularCosts, onceCosts] = [noCosts(), noCosts()];
  let bytes = 0;
  for (let run = 0; run < runs; run++) {
    progress(`run ${run + 1} of ${runs}`);
    // A new asset for each run, so that no part of it is in memory.
    const id = await client.upload(path);
    await client.untilReady(id, readyMs);
    const headwater = {
      base: `${service.cdnUrl}/asset/${await client.playbackIdOf(id)}/source`,
      pid: service.pidOf('origin'),
    };
    const playlist = (await body(`${headwater.base}/index.m3u8`)).toString();
    const names = playlist.split('\n').filter((line) => line.endsWith('.m4s'));
    onceCosts.headwater.push(await costOf(headwater.pid, () => once(headwater.base, names)));
    for (const name of names)
      await writeFile(join(nginx.files, name), await body(`${headwater.base}/${name}`));
    const [, name = ''] = names;
    bytes = (await body(`${headwater.base}/${name}`)).length;
    await within(scope, async (inner) => {
      const servers = { headwater, bare: await startBare(inner, nginx.files), nginx };
      for (const server of ['bare', 'nginx'] as const)
        onceCosts[server].push(await costOf(servers[server].pid, () => once(servers[server].base, names)));
      for (const server of ['headwater', 'bare', 'nginx'] as const) {
        const url = `${servers[server].base}/${name}`;
        // The second request of a segment loads it into memory.
        for (const _ of [1, 2]) await body(url);
        popularCosts[server].push(await costOf(servers[server].pid, () => popular(url, bytes, window)));
      }
    });
    await client.remove(id);
  }
  const row = (label: string, { headwater, bare, nginx: reference }: Costs) => [
    label,
    ...[headwater, bare, reference].map((costs) => digits(median(costs), 2)),
    ratio(median(bare), median(headwater)),
    ratio(median(reference), median(headwater)),
  ];
  const columns = ['segments', 'Headwater (s/GB)', 'bare Node (s/GB)', 'nginx (s/GB)'];
  return [
    markdownTable(
      [...columns, 'bytes per core, to bare Node', 'to nginx'],
      [row('one, by eight concurrent viewers', popularCosts), row('each once, sequentially', onceCosts)],
    ),
    `A segment has ${digits(bytes / 1e6, 1)} MB.`,
  ].join('\n\n');
}

export const storedSegments: Bench = {
  title: 'Stored segments',
  explains:
    'Viewers request HLS segments of an uploaded MP4 (1080p30, 8 Mbit/s, six seconds) over loopback. Headwater makes the segments ' +
    'from the file and its index when they are requested. nginx sends the same bytes as static files with `sendfile`, from the ' +
    'page cache. The table compares the processor time for each GB, which other work on the machine changes least. A minimal Node ' +
    'server that sends the same bytes from memory is the lower bound: Node has no `sendfile`. Goals: half of what nginx sends per ' +
    'core, and 0.8 × of the minimal server for segments with several viewers.',
  defaults: { runs: 3, window: 5, warmUp: 1 },
  run: measure,
};
