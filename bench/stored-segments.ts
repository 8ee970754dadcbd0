import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createAssetClient } from './lib/asset-client';
import type { Bench, BenchOptions } from './lib/bench';
import { formatNumber, markdownTable, median, formatRatio } from './lib/figures';
import { startHeadwater } from './lib/headwater';
import { runHttpLoad } from './lib/http-load';
import { makeLongClip } from './lib/long-clip';
import { findFreePorts } from './lib/network';
import { cpuSeconds } from './lib/process-tree';
import { type Scope, runInScope } from './lib/scope';
import { startProcess, waitUntilHealthy } from './lib/start-process';

/** CPU time to serve stored HLS segments, compared with an nginx that serves the same bytes as static files. */

const BITRATE = 8_000_000;
const FILE_SECONDS = 120;
const CONNECTIONS = 8;
const READY_TIMEOUT_MS = 300_000;

const createConfiguration = (directory: string, port: number) => `
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

/** A server that sends segments. */
interface MeasuredServer {
  readonly baseUrl: string;
  readonly pid: number;
}

/**
 * Starts an nginx that serves a folder.
 * @returns the server and the folder
 */
async function startNginx(
  scope: Scope,
  parentFolder: string,
): Promise<MeasuredServer & { readonly files: string }> {
  const directory = await mkdtemp(join(parentFolder, 'nginx-'));
  const files = join(directory, 'files');
  await mkdir(files);
  const [port = 0] = await findFreePorts(1);
  await writeFile(join(directory, 'nginx.conf'), createConfiguration(directory, port));
  const baseUrl = `http://127.0.0.1:${port}`;
  const server = startProcess('nginx', ['-c', join(directory, 'nginx.conf')], { scope });
  await waitUntilHealthy(server, `${baseUrl}/healthz`, 10_000);
  return { baseUrl, pid: server.pid, files };
}

/** Starts a minimal Node server for the files of a folder. */
async function startBareServer(scope: Scope, files: string): Promise<MeasuredServer> {
  const [port = 0] = await findFreePorts(1);
  const program = join(import.meta.dirname, 'lib/bare-files.mjs');
  const server = startProcess(process.execPath, [program, files, String(port)], { scope });
  const baseUrl = `http://127.0.0.1:${port}`;
  await waitUntilHealthy(server, baseUrl, 10_000);
  return { baseUrl, pid: server.pid };
}

/** Measures the CPU seconds per GB of a process during `work`. `work` returns the number of sent bytes. */
async function measureCpuPerGb(pid: number, work: () => Promise<number>): Promise<number> {
  const secondsBefore = cpuSeconds([pid]);
  const bytes = await work();
  return (cpuSeconds([pid]) - secondsBefore) / (bytes / 1e9);
}

const fetchSegment = async (url: string): Promise<Buffer> => {
  const response = await fetch(url, { signal: AbortSignal.timeout(60_000) });
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
};

/**
 * Requests one segment on several connections for some seconds.
 * @returns the number of sent bytes
 */
async function requestRepeatedly(url: string, bytes: number, window: number): Promise<number> {
  const { requestsPerSecond } = await runHttpLoad({ url, headers: {} }, window, CONNECTIONS);
  return requestsPerSecond * window * bytes;
}

/**
 * Requests every segment once, one after the other.
 * @returns the number of sent bytes
 */
async function requestEachOnce(baseUrl: string, names: readonly string[]): Promise<number> {
  let bytes = 0;
  for (const name of names) bytes += (await fetchSegment(`${baseUrl}/${name}`)).length;
  return bytes;
}

/** CPU seconds per GB of each run. */
type Costs = Record<'headwater' | 'bare' | 'nginx', number[]>;
const createCosts = (): Costs => ({ headwater: [], bare: [], nginx: [] });

async function measure(scope: Scope, directory: string, { runs, window, progress }: BenchOptions) {
  const service = await startHeadwater(scope, directory);
  const client = createAssetClient(service.baseUrl, await service.createApiKey('segments'));
  const nginx = await startNginx(scope, directory);
  const path = await makeLongClip(directory, { seconds: FILE_SECONDS, bitrate: BITRATE, fastStart: true });
  const [repeatedCosts, onceCosts] = [createCosts(), createCosts()];
  let bytes = 0;
  for (let run = 0; run < runs; run++) {
    progress(`run ${run + 1} of ${runs}`);
    // Each run has a new asset, so that no part of the file is in memory.
    const id = await client.upload(path);
    await client.waitUntilReady(id, READY_TIMEOUT_MS);
    const headwater = {
      baseUrl: `${service.cdnUrl}/asset/${await client.playbackIdOf(id)}/source`,
      pid: service.pidOf('origin'),
    };
    const playlist = (await fetchSegment(`${headwater.baseUrl}/index.m3u8`)).toString();
    const names = playlist.split('\n').filter((line) => line.endsWith('.m4s'));
    onceCosts.headwater.push(
      await measureCpuPerGb(headwater.pid, () => requestEachOnce(headwater.baseUrl, names)),
    );
    for (const name of names)
      await writeFile(join(nginx.files, name), await fetchSegment(`${headwater.baseUrl}/${name}`));
    const [, secondName = ''] = names;
    bytes = (await fetchSegment(`${headwater.baseUrl}/${secondName}`)).length;
    await runInScope(scope, async (inner) => {
      const servers = { headwater, bare: await startBareServer(inner, nginx.files), nginx };
      for (const server of ['bare', 'nginx'] as const)
        onceCosts[server].push(
          await measureCpuPerGb(servers[server].pid, () => requestEachOnce(servers[server].baseUrl, names)),
        );
      for (const server of ['headwater', 'bare', 'nginx'] as const) {
        const url = `${servers[server].baseUrl}/${secondName}`;
        // The second request of a segment loads it into memory.
        for (const _ of [1, 2]) await fetchSegment(url);
        repeatedCosts[server].push(
          await measureCpuPerGb(servers[server].pid, () => requestRepeatedly(url, bytes, window)),
        );
      }
    });
    await client.deleteAsset(id);
  }
  const formatRow = (label: string, { headwater, bare, nginx: reference }: Costs) => [
    label,
    ...[headwater, bare, reference].map((costs) => formatNumber(median(costs), 2)),
    formatRatio(median(bare), median(headwater)),
    formatRatio(median(reference), median(headwater)),
  ];
  const columns = ['segments', 'Headwater (s/GB)', 'bare Node (s/GB)', 'nginx (s/GB)'];
  return [
    markdownTable(
      [...columns, 'bytes per core, to bare Node', 'to nginx'],
      [
        formatRow('one, by eight concurrent viewers', repeatedCosts),
        formatRow('each once, sequentially', onceCosts),
      ],
    ),
    `A segment has ${formatNumber(bytes / 1e6, 1)} MB.`,
  ].join('\n\n');
}

export const storedSegments: Bench = {
  title: 'Stored segments',
  explanation:
    'Viewers request HLS segments of an uploaded MP4 (1080p30, 8 Mbit/s, six seconds) over loopback. Headwater makes the segments ' +
    'from the file and its index when they are requested. nginx sends the same bytes as static files with `sendfile`, from the ' +
    'page cache. The table compares the CPU time for each GB, which other work on the machine changes least. A minimal Node ' +
    'server that sends the same bytes from memory is the lower bound: Node has no `sendfile`. Goals: half of what nginx sends per ' +
    'core, and 0.8 × of the minimal server for segments with several viewers.',
  defaults: { runs: 3, window: 5, warmUp: 1 },
  run: measure,
};
