import { HOUR_MS } from '@/lib/core/units';
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { within } from '@/lib/infra/within';
import { findFreePort } from '../service/ports';
import { ignoredPaths, readDockerfile, type DockerInstruction, type Stage } from './dockerfile';
import { root } from './step';

/**
 * `npm run test:image`: executes deploy/Dockerfile without a container engine, as root on Debian. Each stage is a folder
 * that debootstrap fills (the base of the `node` image) plus Node from npm; every RUN, COPY, ENV and USER is applied
 * there with chroot. Then it starts the result as its user, runs its HEALTHCHECK and plays a stream that it publishes.
 * It does not test the registry's image, layers, or limits that an engine sets (seccomp, read-only root).
 */

const print = (line: string) => console.log(line);
const workFolder = process.env['IMAGE_FOLDER'] ?? mkdtempSync(join(tmpdir(), 'headwater-image-'));
const base = join(workFolder, 'base');
const run = (command: string, args: readonly string[]) =>
  execFileSync(command, [...args], { stdio: ['ignore', 'ignore', 'inherit'], timeout: 1_800_000 });

/** Creates a clean Debian with the Node version of the image. Node comes from an npm package with its binary. */
function createBase(image: string): void {
  const [, major = '', release = ''] = /^node:(\d+)-(\w+)-slim$/.exec(image) ?? [];
  if (release === '') throw new Error(`FROM ${image}: expected node:<major>-<Debian release>-slim`);
  if (!existsSync(join(base, 'usr', 'local', 'bin', 'node'))) {
    print(`Making ${image} with debootstrap …`);
    if (!existsSync(join(base, 'etc', 'passwd'))) {
      run('debootstrap', ['--variant=minbase', release, base, 'http://deb.debian.org/debian']);
    }
    const packages = join(workFolder, 'npm');
    const node = `node-linux-${process.arch}@${major}`;
    mkdirSync(packages, { recursive: true });
    run('npm', ['install', '--prefix', packages, '--ignore-scripts', '--no-audit', node, 'npm@10']);
    const bin = join(base, 'usr', 'local', 'bin');
    cpSync(join(packages, 'node_modules', `node-linux-${process.arch}`, 'bin', 'node'), join(bin, 'node'));
    const modules = join(base, 'usr', 'local', 'lib', 'node_modules');
    cpSync(join(packages, 'node_modules', 'npm'), join(modules, 'npm'), { recursive: true });
    run('ln', ['-sf', '../lib/node_modules/npm/bin/npm-cli.js', join(bin, 'npm')]);
    run('chroot', [base, 'useradd', '--uid', '1000', '--user-group', '--create-home', 'node']);
  }
}

/**
 * On a network with a custom certificate authority, makes builds trust it while they run.
 * @returns environment variables for Node
 */
function addNetworkCa(folder: string): Record<string, string> {
  const file = process.env['NODE_EXTRA_CA_CERTS'];
  if (file === undefined) return {};
  cpSync(realpathSync(file), join(folder, 'tmp', 'network-ca.crt'));
  return { NODE_EXTRA_CA_CERTS: '/tmp/network-ca.crt' };
}

/** Working directory, user and variables after the instructions so far. */
interface StageState {
  readonly folder: string;
  readonly environment: Record<string, string>;
  workdir: string;
  user: string;
}

/** Arguments of `unshare` that run a command in new namespaces, so that its mounts and processes end with it. */
function unshareArguments(
  state: StageState,
  commandWords: readonly string[],
  environment: Record<string, string> = {},
): string[] {
  const shell = [
    'mount --bind /dev "$0/dev"',
    'mount -t proc proc "$0/proc"',
    'folder="$1"; user="$2"; shift 2',
    'cp /etc/resolv.conf "$0/etc/resolv.conf"',
    `exec chroot --userspec="$user" "$0" sh -c 'cd "$0" && exec "$@"' "$folder" "$@"`,
  ].join(' && ');
  const variables = {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: state.user === '0:0' ? '/root' : '/home/node',
    ...state.environment,
    ...environment,
  };
  return [
    ...['--mount', '--pid', '--fork', '--kill-child', 'env', '-i'],
    ...Object.entries(variables).map(([name, value]) => `${name}=${value}`),
    ...['sh', '-c', shell, state.folder, state.workdir, state.user, ...commandWords],
  ];
}

function copyFromContext(state: StageState, copyWords: readonly string[]): void {
  const target = join(state.folder, state.workdir, copyWords.at(-1) ?? '');
  const ignoredFiles = ignoredPaths();
  const trackedFiles = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((path) => path !== '' && existsSync(join(root, path)))
    .filter((path) => !ignoredFiles.some((name) => path === name || path.startsWith(`${name}/`)));
  for (const source of copyWords.slice(0, -1)) {
    const matches = source === '.' ? trackedFiles : trackedFiles.filter((path) => path === source);
    if (matches.length === 0) throw new Error(`COPY ${source}: no such file in the context`);
    for (const path of matches) {
      mkdirSync(dirname(join(target, path)), { recursive: true });
      cpSync(join(root, path), join(target, path));
    }
  }
}

function applyInstruction(
  state: StageState,
  { keyword, words, text, from }: DockerInstruction,
  folders: ReadonlyMap<string, string>,
): void {
  if (keyword === 'WORKDIR') {
    state.workdir = words[0] ?? '/';
    mkdirSync(join(state.folder, state.workdir), { recursive: true });
  } else if (keyword === 'ENV') {
    for (const word of words) {
      const equalsIndex = word.indexOf('=');
      state.environment[word.slice(0, equalsIndex)] = word.slice(equalsIndex + 1);
    }
  } else if (keyword === 'USER') {
    state.user = words[0] ?? '0:0';
  } else if (keyword === 'COPY') {
    if (from === null) copyFromContext(state, words);
    else {
      const [source = '', target = ''] = words;
      run('cp', ['-a', join(folders.get(from) ?? '', source), join(state.folder, target)]);
    }
  } else if (keyword === 'RUN') {
    print(`RUN ${text.replaceAll(/\\\s+/g, '')}`);
    const trustVariables = addNetworkCa(state.folder);
    const result = spawnSync('unshare', unshareArguments(state, ['sh', '-c', text], trustVariables), {
      stdio: ['ignore', 'inherit', 'inherit'],
      timeout: HOUR_MS,
    });
    rmSync(join(state.folder, 'tmp', 'network-ca.crt'), { force: true });
    if (result.status !== 0) throw new Error(`RUN failed (${result.status ?? result.signal})`);
  } else if (!['VOLUME', 'EXPOSE', 'HEALTHCHECK', 'ENTRYPOINT', 'CMD'].includes(keyword)) {
    throw new Error(`${keyword} is not supported by this check`);
  }
}

function buildStage(stage: Stage, index: number, folders: Map<string, string>): StageState {
  const folder = join(workFolder, `stage-${index}`);
  rmSync(folder, { recursive: true, force: true });
  run('cp', ['-a', base, folder]);
  folders.set(stage.name ?? String(index), folder);
  const state: StageState = { folder, environment: {}, workdir: '/', user: '0:0' };
  for (const instruction of stage.instructions) applyInstruction(state, instruction, folders);
  return state;
}

/**
 * Starts the image and publishes to it.
 * @throws Error naming what did not work
 */
async function tryImage(state: StageState, stage: Stage): Promise<void> {
  const wordsOf = (keyword: string) =>
    stage.instructions.find((instruction) => instruction.keyword === keyword)?.words ?? [];
  const healthcheck = stage.instructions.find(({ keyword }) => keyword === 'HEALTHCHECK')?.text ?? '';
  const [port, mediaPort] = [await findFreePort(), await findFreePort()];
  const rtmpPort = await findFreePort([port, mediaPort]);
  const settings = {
    PORT: String(port),
    MEDIA_PORT: String(mediaPort),
    RTMP_PORT: String(rtmpPort),
    LIVE_PROCESSES: '1',
    ORIGIN_PROCESSES: '1',
    WEB_PROCESSES: '1',
  };
  const start = [...wordsOf('ENTRYPOINT'), ...wordsOf('CMD')];
  print(`Starting ${start.join(' ')} as ${state.user} …`);
  const service = spawn('unshare', unshareArguments(state, start, settings), {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  for (const output of [service.stdout, service.stderr])
    output.on('data', (chunk: Buffer) => (log = (log + chunk.toString()).slice(-20_000)));
  try {
    await waitUntilHealthy(service, port);
    const [, command = '[]'] = /^CMD (\[.*\])$/.exec(healthcheck) ?? [];
    const check = JSON.parse(command) as string[];
    const health = spawnSync('unshare', unshareArguments(state, check, settings), {
      encoding: 'utf8',
      timeout: 60_000,
    });
    if (health.status !== 0) throw new Error(`HEALTHCHECK failed: ${health.stderr}`);
    print('✓ healthy');
    await publish(state, settings);
  } catch (error) {
    console.error(log);
    throw error;
  } finally {
    await stop(service);
  }
}

async function waitUntilHealthy(service: ChildProcess, port: number): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    if (service.exitCode !== null) throw new Error(`the service exited with ${service.exitCode}`);
    // Connections are not kept alive, because this process is blocked for seconds before later requests.
    const requestOptions = { headers: { connection: 'close' } };
    const response = await fetch(`http://127.0.0.1:${port}/api/healthz`, requestOptions).catch(() => null);
    if (response?.ok) {
      print(`/api/healthz: ${await response.text()}`);
      return;
    }
    await sleep(500);
  }
  throw new Error('the service did not become healthy in 5 minutes');
}

async function publish(state: StageState, settings: Record<string, string>): Promise<void> {
  const cli = (args: readonly string[], input = '') => {
    const command = ['node', 'scripts/bootstrap.mjs', 'cli', ...args];
    const options = { encoding: 'utf8', input, timeout: 120_000 } as const;
    const { status, stdout, stderr } = spawnSync(
      'unshare',
      unshareArguments(state, command, settings),
      options,
    );
    if (status !== 0) throw new Error(`cli ${args.join(' ')}: ${stderr}`);
    return stdout.trim();
  };
  const email = 'operator@example.com';
  cli(['account:create', '--email', email, '--password-stdin'], `${crypto.randomUUID()}\n`);
  const key = cli(['key:create', '--email', email, '--name', 'check']);
  const response = await fetch(`http://127.0.0.1:${settings['PORT']}/api/stream`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      name: 'Image',
      profiles: [{ name: '180p', width: 320, height: 180, bitrate: 200_000, fps: 15 }],
    }),
  });
  const stream = (await response.json()) as { streamKey: string; playbackId: string };
  const source =
    '-re -f lavfi -i testsrc2=s=640x360:r=15 -f lavfi -i sine -c:v libx264 -preset ultrafast -g 30 -c:a aac';
  const target = `rtmp://127.0.0.1:${settings['RTMP_PORT']}/live/${stream.streamKey}`;
  const encoder = spawn('ffmpeg', ['-v', 'error', ...source.split(' '), '-f', 'flv', target], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    const url = `http://127.0.0.1:${settings['MEDIA_PORT']}/hls/${stream.playbackId}/index.m3u8`;
    for (let tries = 0; tries < 240; tries += 1) {
      const playlist = await fetch(url).then(
        (answer) => (answer.ok ? answer.text() : ''),
        () => '',
      );
      // The rendition proves that the image's ffmpeg works.
      if (playlist.includes('320x180')) {
        const probe = spawnSync(
          'ffprobe',
          ['-v', 'error', '-show_entries', 'stream=codec_name', '-of', 'csv=p=0', url],
          { encoding: 'utf8', timeout: 60_000 },
        );
        if (!probe.stdout.includes('h264')) throw new Error(`the stream does not play: ${probe.stderr}`);
        print('✓ a published stream plays, with a rendition of the ffmpeg in the image');
        return;
      }
      await sleep(500);
    }
    throw new Error(`nothing plays at ${url}`);
  } finally {
    encoder.kill('SIGKILL');
  }
}

/** Stops the service. The signal is sent to the supervisor, as a container engine does, because unshare does not forward it. */
async function stop(service: ChildProcess): Promise<void> {
  const whenExited = new Promise((resolve) => service.once('exit', resolve));
  const children = await readFile(`/proc/${service.pid}/task/${service.pid}/children`, 'utf8').catch(
    () => '',
  );
  const [supervisorPid] = children.trim().split(' ');
  if (service.exitCode !== null) return;
  if (supervisorPid) process.kill(Number(supervisorPid), 'SIGTERM');
  await within(60_000, whenExited, () => service.kill('SIGKILL'));
}

const stages = readDockerfile();
const [firstStage] = stages;
if (process.getuid?.() !== 0 || !firstStage)
  throw new Error('Run it as root on Debian, with debootstrap installed.');
try {
  createBase(firstStage.image);
  const folders = new Map<string, string>();
  const builtStages = stages.map((stage, index) => buildStage(stage, index, folders));
  const [lastState, lastStage] = [builtStages.at(-1), stages.at(-1)];
  if (lastState && lastStage) await tryImage(lastState, lastStage);
  print('✓ deploy/Dockerfile');
} finally {
  if (process.env['IMAGE_FOLDER'] === undefined) rmSync(workFolder, { recursive: true, force: true });
}
