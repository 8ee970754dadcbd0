import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { findFreePorts } from './network';
import { commandLine, processTree } from './process-tree';
import type { StreamUrls, RtmpService } from './rtmp-service';
import type { Scope } from './scope';
import { startProcess, waitUntilHealthy } from './start-process';

const root = join(import.meta.dirname, '../..');
const bootstrap = join(root, 'scripts/bootstrap.mjs');
/** The only account of the service. */
export const benchAccount = { email: 'bench@example.com', password: 'only-for-this-run-4711' };
const createdStreamSchema = z.object({ streamKey: z.string(), playbackId: z.string() });

/** The complete service, with its own ports and data folder. */
export interface Headwater extends RtmpService {
  /** URL of the API and the dashboard. */
  readonly baseUrl: string;
  /** URL of playlists, segments and files. */
  readonly cdnUrl: string;
  readonly dataDir: string;
  /**
   * Creates an API key with full access.
   * @returns the secret of the key
   */
  readonly createApiKey: (name: string) => Promise<string>;
  /** Finds the process id of a role. */
  readonly pidOf: (role: string) => number;
  /**
   * Creates a stream.
   * @param fields other fields of `POST /api/stream`
   */
  readonly createStream: (name: string, fields?: object) => Promise<StreamUrls>;
}

/** Starts the service like `npm start`. The first start also builds, which can take minutes. */
export async function startHeadwater(
  scope: Scope,
  parentFolder: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Headwater> {
  const directory = await mkdtemp(join(parentFolder, 'headwater-'));
  const [port = 0, mediaPort = 0, rtmpPort = 0] = await findFreePorts(3);
  const env = {
    PORT: String(port),
    MEDIA_PORT: String(mediaPort),
    RTMP_PORT: String(rtmpPort),
    HOST: '127.0.0.1',
    BASE_URL: `http://127.0.0.1:${port}`,
    DATA_DIR: directory,
    API_RATE_LIMIT: '10000000',
    LOG_LEVEL: 'warn',
    // One process for each role, so that results of different machines are comparable.
    LIVE_PROCESSES: '1',
    ORIGIN_PROCESSES: '1',
    WEB_PROCESSES: '1',
    ...settings,
  };
  const server = startProcess(process.execPath, [bootstrap, 'start'], {
    scope,
    env,
    cwd: root,
    graceMs: 30_000,
  });
  await waitUntilHealthy(server, `${env.BASE_URL}/api/healthz`, 300_000);
  const runCommand = (...args: string[]) => runCli(env, args);
  await runCommand('account:create', '--email', benchAccount.email, '--password', benchAccount.password);
  const createApiKey = (name: string) =>
    runCommand('key:create', '--email', benchAccount.email, '--name', name, '--full-access');
  const apiKey = await createApiKey('bench');
  const createStream = (name: string, fields: object = {}) =>
    postStream(env.BASE_URL, apiKey, { name, ...fields }).then(({ streamKey, playbackId }) => ({
      publishUrl: `rtmp://127.0.0.1:${rtmpPort}/live/${streamKey}`,
      playlistUrl: `http://127.0.0.1:${mediaPort}/hls/${playbackId}/index.m3u8`,
    }));
  const livePid = findRolePid(server.pid, 'live');
  const originPid = findRolePid(server.pid, 'origin');
  return {
    name: 'Headwater',
    measuredProcesses: [
      { subject: 'live', pids: [livePid] },
      { subject: 'live + origin', pids: [livePid, originPid] },
    ],
    baseUrl: env.BASE_URL,
    cdnUrl: `http://127.0.0.1:${mediaPort}`,
    dataDir: directory,
    createApiKey,
    pidOf: (role) => findRolePid(server.pid, role),
    createStream,
    openStreams: async (count) => {
      const streams: StreamUrls[] = [];
      for (let index = 0; index < count; index += 1) streams.push(await createStream(`bench ${index}`));
      return streams;
    },
  };
}

async function runCli(env: Readonly<Record<string, string>>, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [bootstrap, 'cli', ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    timeout: 60_000,
  });
  return stdout.trim();
}

async function postStream(baseUrl: string, apiKey: string, stream: object) {
  const response = await fetch(`${baseUrl}/api/stream`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(stream),
    signal: AbortSignal.timeout(10_000),
  });
  if (response.status !== 201)
    throw new Error(`POST /api/stream: ${response.status} ${await response.text()}`);
  return createdStreamSchema.parse(await response.json());
}

/**
 * Finds the process id of a role among the descendants of the supervisor, by the command line. If a role has several
 * processes, this is the process that starts them.
 */
function findRolePid(supervisor: number, role: string): number {
  const pids = processTree([supervisor]).filter((candidate) =>
    new RegExp(`media-worker\\S* ${role}$`).test(commandLine(candidate)),
  );
  const pid = pids.find((candidate) =>
    pids.every((descendant) => processTree([candidate]).includes(descendant)),
  );
  if (pid === undefined) throw new Error(`no process of the role ${role} below the supervisor`);
  return pid;
}
