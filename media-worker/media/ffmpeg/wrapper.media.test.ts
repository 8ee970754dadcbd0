import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { detectSandboxSupport, missingProtections, type SandboxSupport } from './sandbox';
import type { ProgramFiles } from './plan';
import { ffmpegWrapper, openSandbox, plainScript, sandboxScript } from './wrapper';

const folder = mkdtempSync(join(tmpdir(), 'wrapper-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const defaultLimits = { memory: 1_500_000_000, fileSize: 1_000_000 };
const noFiles = { read: [], write: [] };
const support = detectSandboxSupport();
const noSupport: SandboxSupport = {
  parentDeath: false,
  dropCapabilities: false,
  limits: false,
  namespaces: null,
  view: null,
};
const pollOptions = { timeout: 20_000, interval: 10 };
const path = (name: string) => join(folder, name);

let scriptCount = 0;
/** Runs `sh -c command` in place of ffmpeg. */
function runInSandbox(
  command: string,
  { limits = defaultLimits, files = noFiles, sandboxSupport = support }: { limits?: Parameters<typeof openSandbox>[1]; files?: Parameters<typeof openSandbox>[2]; sandboxSupport?: SandboxSupport } = {}, // prettier-ignore
) {
  const script = path(`inside-${(scriptCount += 1)}`);
  writeFileSync(script, sandboxScript('sh', limits, files, process.pid, sandboxSupport), { mode: 0o700 });
  const { stdout, signal, status } = spawnSync(script, ['-c', command], { encoding: 'utf8' });
  return { output: stdout.trim(), signal, status };
}

describe('the ffmpeg wrapper', () => {
  test.each([
    ['without a sandbox', ffmpegWrapper()],
    ['in a sandbox', openSandbox('ffmpeg', defaultLimits, noFiles).path],
  ])('starts ffmpeg only for the process that created the wrapper: %s', (_name, wrapper) => {
    expect(spawnSync(wrapper, ['-version']).stdout.toString()).toContain('ffmpeg version');
    const runByOtherParent = spawnSync('sh', ['-c', '"$0" -version; exit $?', wrapper]);
    // Without setpriv, the program outlives its parent.
    expect(runByOtherParent.status === 0).toBe(!support.parentDeath);
    expect(runByOtherParent.stdout.toString() === '').toBe(support.parentDeath);
  });

  test('runs on a system without any sandbox feature', () => {
    expect(missingProtections(noSupport).length).toBeGreaterThanOrEqual(4);
    expect(runInSandbox('echo here', { sandboxSupport: noSupport }).output).toBe('here');
  });

  test('passes no settings of the service to the program', () => {
    vi.stubEnv('APP_SECRET', 'sesame');
    const plain = path('plain');
    writeFileSync(plain, plainScript(process.pid, support).replace(/ffmpeg "\$@"/, 'env'), { mode: 0o700 });
    const environment = spawnSync(plain, [], { encoding: 'utf8' }).stdout;
    expect(environment).toContain('PATH=');
    expect(environment + runInSandbox('env').output).not.toMatch(/APP_SECRET|DATABASE_URL|HOME=/);
    vi.unstubAllEnvs();
  });

  test.runIf(support.limits)('gets no more memory than its limit (needs prlimit)', () => {
    const takeMemory = 'dd if=/dev/urandom bs=200M count=1 status=none 2>&1 >&- | grep -c exhausted';
    expect(runInSandbox(takeMemory, { limits: { ...defaultLimits, memory: 4_000_000_000 } }).output).toBe(
      '0',
    );
    expect(runInSandbox(takeMemory, { limits: { ...defaultLimits, memory: 100_000_000 } }).output).toBe('1');
  });

  test.runIf(support.limits)('is ended by SIGXCPU when it exceeds its CPU time (needs prlimit)', () => {
    const limits = { ...defaultLimits, cpuSeconds: 1 };
    expect(runInSandbox('while :; do :; done', { limits }).signal).toBe('SIGXCPU');
  });
});

describe.runIf(support.view)('the view of a sandboxed program (needs user namespaces)', () => {
  const secret = path('secret');
  writeFileSync(secret, 'sesame');
  mkdirSync(path('in out'));
  const [ownFile, outputFolder] = [path('in out/own'), path('in out')];
  writeFileSync(ownFile, 'input');

  test("contains only the plan's files, and no other processes", () => {
    const files = { read: [ownFile], write: [] };
    expect(runInSandbox(`cat "${ownFile}"`, { files }).output).toBe('input');
    const readSecrets = `cat "${secret}" /proc/self/environ /proc/1/environ; ls ${process.cwd()} ${tmpdir()}/*/secret`;
    expect(runInSandbox(`${readSecrets} 2>&1`, { files }).output).not.toMatch(/sesame|package\.json/);
    expect(runInSandbox(`ls "${folder}"`, { files }).output).toBe('in out');
  });

  test('is writable in the output folder, and read-only in the input folder', () => {
    const files = { read: [ownFile], write: [outputFolder] };
    runInSandbox(
      `echo made >"${outputFolder}/made"; echo changed >"${ownFile}"; rm -f "${ownFile}"; touch /usr/made`,
      {
        files,
      },
    );
    expect(readFileSync(path('in out/made'), 'utf8')).toBe('made\n');
    expect(readFileSync(ownFile, 'utf8')).toBe('input');
    expect(existsSync('/usr/made')).toBe(false);
  });

  test('leaves the program no privilege to escape', () => {
    const tries = `mount -t proc proc /tmp && echo mounted; unshare -r true && echo namespace; chroot / true && echo chroot`;
    expect(runInSandbox(tries).output).toBe('');
  });

  test('ends the program with SIGKILL if it cannot be built, so that the file does not seem invalid', () => {
    const files = { read: [path('nothing here')], write: [path('no folder')] };
    expect(runInSandbox('true', { files })).toMatchObject({ signal: 'SIGKILL' });
  });
});

test.runIf(support.namespaces && support.view)(
  'sockets of other programs are out of reach (needs user namespaces)',
  async () => {
    const attempt = (url: string, files: ProgramFiles = noFiles) =>
      new Promise((resolve) => {
        const sandbox = openSandbox('ffmpeg', defaultLimits, files);
        spawn(sandbox.path, ['-f', 'flv', '-i', url], { stdio: 'ignore' })
          .once('exit', resolve)
          .once('exit', () => sandbox.close());
      });
    let connections = 0;
    const accept = (socket: Socket) => {
      connections += 1;
      socket.destroy();
    };
    const tcp = createServer(accept).listen(0, '127.0.0.1');
    const socket = path('database.sock');
    const unix = createServer(accept).listen(socket);
    await Promise.all([once(tcp, 'listening'), once(unix, 'listening')]);
    const { port } = tcp.address() as { port: number };
    await attempt(`tcp://127.0.0.1:${port}`);
    await attempt(`unix:${socket}`);
    expect(connections).toBe(0);
    await attempt(`unix:${socket}`, { read: [], write: [socket] });
    expect(connections).toBe(1);
    tcp.close();
    unix.close();
  },
);

describe.runIf(support.parentDeath)('the end of the parent process (needs setpriv)', () => {
  const programs = path('programs');
  mkdirSync(programs);
  const writeProgram = (name: string, lines: string) =>
    writeFileSync(join(programs, name), `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
  /** Programs in a view are executable only if they belong to the system. */
  const withPrograms: SandboxSupport = {
    ...support,
    view: support.view && { ...support.view, system: [...support.view.system, programs] },
  };

  /** Starts a script from a parent; the child pauses right before it sets the signal for the death of its parent. */
  const startPausedChild = async (name: string, script: (parent: number) => string) => {
    writeProgram('ffmpeg', `touch "${path(`${name}-ran`)}"`);
    const setprivPath = spawnSync('sh', ['-c', 'command -v setpriv']).stdout.toString().trim();
    const announceScript = `echo $$ >"${path(name)}.new"; mv "${path(name)}.new" "${path(name)}-waits"`;
    const waitScript = `while [ ! -e "${path(`${name}-go`)}" ]; do sleep 0.05; done`;
    writeProgram('setpriv', `${announceScript}; ${waitScript}; exec ${setprivPath} "$@"`);
    const env = { ...process.env, PATH: `${programs}:${process.env.PATH}` };
    const parent = spawn('sh', ['-c', 'read script; "$script"; exit $?'], {
      stdio: ['pipe', 'ignore', 'ignore'],
      env,
    });
    writeProgram(`${name}.sh`, script(parent.pid ?? 0));
    parent.stdin.write(`${join(programs, `${name}.sh`)}\n`);
    await expect.poll(() => existsSync(path(`${name}-waits`)), pollOptions).toBe(true);
    return parent;
  };
  const releaseChild = (name: string) => writeFileSync(path(`${name}-go`), '');
  const files = { read: [], write: [folder] };

  test.each([
    ['plain', (parent: number) => plainScript(parent, support)],
    ['limited', (parent: number) => sandboxScript('ffmpeg', defaultLimits, files, parent, withPrograms)],
  ])('ends ffmpeg even if it comes before the death signal is set: %s', async (name, script) => {
    const survivingParent = await startPausedChild(`${name}-alive`, script);
    releaseChild(`${name}-alive`);
    await once(survivingParent, 'exit');
    expect(existsSync(path(`${name}-alive-ran`))).toBe(true);

    const killedParent = await startPausedChild(name, script);
    killedParent.kill('SIGKILL');
    await once(killedParent, 'exit');
    const child = spawnSync('cat', [path(`${name}-waits`)])
      .stdout.toString()
      .trim();
    releaseChild(name);
    await expect.poll(() => existsSync(`/proc/${child}`), pollOptions).toBe(false);
    expect(existsSync(path(`${name}-ran`))).toBe(false);
  });

  test.each([
    ['plain', (parent: number) => plainScript(parent, support)],
    ['sandboxed', (parent: number) => sandboxScript('ffmpeg', defaultLimits, noFiles, parent, support)],
  ])('ends a running ffmpeg: %s', async (name, script) => {
    const options = '-re -progress pipe:1 -f lavfi -i testsrc2 -f null -';
    const run = `read script; "$script" ${options}; exit $?`;
    const parent = spawn('sh', ['-c', run], { stdio: ['pipe', 'pipe', 'ignore'] });
    writeProgram(`${name}-working`, script(parent.pid ?? 0));
    parent.stdin.write(`${join(programs, `${name}-working`)}\n`);
    await once(parent.stdout, 'data');
    const children = `/proc/${parent.pid}/task/${parent.pid}/children`;
    const child = readFileSync(children, 'utf8').trim();
    expect(readFileSync(`/proc/${child}/cmdline`, 'utf8')).toMatch(/^ffmpeg/);
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    await expect.poll(() => existsSync(`/proc/${child}`), pollOptions).toBe(false);
  });
});
