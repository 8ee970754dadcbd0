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
const limits = { memory: 1_500_000_000, fileSize: 1_000_000 };
const noFiles = { read: [], write: [] };
const means = detectSandboxSupport();
const bare: SandboxSupport = {
  parentDeath: false,
  dropCapabilities: false,
  limits: false,
  namespaces: null,
  view: null,
};
const bounds = { timeout: 20_000, interval: 10 };
const path = (name: string) => join(folder, name);

let scripts = 0;
/** Runs `sh -c command` in place of ffmpeg. */
function inside(
  command: string,
  { use = limits, files = noFiles, as = means }: { use?: Parameters<typeof openSandbox>[1]; files?: Parameters<typeof openSandbox>[2]; as?: SandboxSupport } = {}, // prettier-ignore
) {
  const script = path(`inside-${(scripts += 1)}`);
  writeFileSync(script, sandboxScript('sh', use, files, process.pid, as), { mode: 0o700 });
  const { stdout, signal, status } = spawnSync(script, ['-c', command], { encoding: 'utf8' });
  return { said: stdout.trim(), signal, status };
}

describe('the ffmpeg wrapper', () => {
  test.each([
    ['plain', ffmpegWrapper()],
    ['within limits', openSandbox('ffmpeg', limits, noFiles).path],
  ])('starts only as a child of the process that created it: %s', (_name, wrapper) => {
    expect(spawnSync(wrapper, ['-version']).stdout.toString()).toContain('ffmpeg version');
    const ofAnother = spawnSync('sh', ['-c', '"$0" -version; exit $?', wrapper]);
    // Without setpriv, the program outlives its parent.
    expect(ofAnother.status === 0).toBe(!means.parentDeath);
    expect(ofAnother.stdout.toString() === '').toBe(means.parentDeath);
  });

  test('runs on a system without any sandbox feature', () => {
    expect(missingProtections(bare).length).toBeGreaterThanOrEqual(4);
    expect(inside('echo here', { as: bare }).said).toBe('here');
  });

  test('has no settings of the service in its environment', () => {
    vi.stubEnv('APP_SECRET', 'sesame');
    const plain = path('plain');
    writeFileSync(plain, plainScript(process.pid, means).replace(/ffmpeg "\$@"/, 'env'), { mode: 0o700 });
    const environment = spawnSync(plain, [], { encoding: 'utf8' }).stdout;
    expect(environment).toContain('PATH=');
    expect(environment + inside('env').said).not.toMatch(/APP_SECRET|DATABASE_URL|HOME=/);
    vi.unstubAllEnvs();
  });

  test.runIf(means.limits)('gets no more memory than its limit (needs prlimit)', () => {
    const take = 'dd if=/dev/urandom bs=200M count=1 status=none 2>&1 >&- | grep -c exhausted';
    expect(inside(take, { use: { ...limits, memory: 4_000_000_000 } }).said).toBe('0');
    expect(inside(take, { use: { ...limits, memory: 100_000_000 } }).said).toBe('1');
  });

  test.runIf(means.limits)('is killed when it exceeds its CPU time (needs prlimit)', () => {
    expect(inside('while :; do :; done', { use: { ...limits, cpuSeconds: 1 } }).status).not.toBe(0);
  });
});

describe.runIf(means.view)('the view of a sandboxed program (needs user namespaces)', () => {
  const secret = path('secret');
  writeFileSync(secret, 'sesame');
  mkdirSync(path('in out'));
  const [ownFile, out] = [path('in out/own'), path('in out')];
  writeFileSync(ownFile, 'input');

  test("contains only the plan's files, and no other processes", () => {
    const files = { read: [ownFile], write: [] };
    expect(inside(`cat "${ownFile}"`, { files }).said).toBe('input');
    const look = `cat "${secret}" /proc/self/environ /proc/1/environ; ls ${process.cwd()} ${tmpdir()}/*/secret`;
    expect(inside(`${look} 2>&1`, { files }).said).not.toMatch(/sesame|package\.json/);
    expect(inside(`ls "${folder}"`, { files }).said).toBe('in out');
  });

  test('is writable in the output folder, and read-only in the input folder', () => {
    const files = { read: [ownFile], write: [out] };
    inside(`echo made >"${out}/made"; echo changed >"${ownFile}"; rm -f "${ownFile}"; touch /usr/made`, {
      files,
    });
    expect(readFileSync(path('in out/made'), 'utf8')).toBe('made\n');
    expect(readFileSync(ownFile, 'utf8')).toBe('input');
    expect(existsSync('/usr/made')).toBe(false);
  });

  test('leaves the program no privilege to escape', () => {
    const tries = `mount -t proc proc /tmp && echo mounted; unshare -r true && echo namespace; chroot / true && echo chroot`;
    expect(inside(tries).said).toBe('');
  });

  test('a view that cannot be built looks like a killed program, not like a broken file', () => {
    const files = { read: [path('nothing here')], write: [path('no folder')] };
    expect(inside('true', { files })).toMatchObject({ signal: 'SIGKILL' });
  });
});

test.runIf(means.namespaces && means.view)(
  'sockets of other programs are out of reach (needs user namespaces)',
  async () => {
    const attempt = (url: string, files: ProgramFiles = noFiles) =>
      new Promise((resolve) => {
        const sandbox = openSandbox('ffmpeg', limits, files);
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

describe.runIf(means.parentDeath)('the end of the parent process (needs setpriv)', () => {
  const programs = path('programs');
  mkdirSync(programs);
  const program = (name: string, lines: string) =>
    writeFileSync(join(programs, name), `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
  /** Programs in a view are executable only if they belong to the system. */
  const withPrograms: SandboxSupport = {
    ...means,
    view: means.view && { ...means.view, system: [...means.view.system, programs] },
  };

  /** Starts the program from a parent; both pause right before the child is bound to the life of its parent. */
  const startedBy = async (name: string, script: (parent: number) => string) => {
    program('ffmpeg', `touch "${path(`${name}-ran`)}"`);
    const real = spawnSync('sh', ['-c', 'command -v setpriv']).stdout.toString().trim();
    const gate = `echo $$ >"${path(name)}.new"; mv "${path(name)}.new" "${path(name)}-waits"`;
    const open = `while [ ! -e "${path(`${name}-go`)}" ]; do sleep 0.05; done`;
    program('setpriv', `${gate}; ${open}; exec ${real} "$@"`);
    const env = { ...process.env, PATH: `${programs}:${process.env.PATH}` };
    const parent = spawn('sh', ['-c', 'read script; "$script"; exit $?'], {
      stdio: ['pipe', 'ignore', 'ignore'],
      env,
    });
    program(`${name}.sh`, script(parent.pid ?? 0));
    parent.stdin.write(`${join(programs, `${name}.sh`)}\n`);
    await expect.poll(() => existsSync(path(`${name}-waits`)), bounds).toBe(true);
    return parent;
  };
  const letGo = (name: string) => writeFileSync(path(`${name}-go`), '');
  const files = { read: [], write: [folder] };

  test.each([
    ['plain', (parent: number) => plainScript(parent, means)],
    ['limited', (parent: number) => sandboxScript('ffmpeg', limits, files, parent, withPrograms)],
  ])('is detected before the child is bound to it: %s', async (name, script) => {
    const alive = await startedBy(`${name}-alive`, script);
    letGo(`${name}-alive`);
    await once(alive, 'exit');
    expect(existsSync(path(`${name}-alive-ran`))).toBe(true);

    const killedProcess = await startedBy(name, script);
    killedProcess.kill('SIGKILL');
    await once(killedProcess, 'exit');
    const child = spawnSync('cat', [path(`${name}-waits`)])
      .stdout.toString()
      .trim();
    letGo(name);
    await expect.poll(() => existsSync(`/proc/${child}`), bounds).toBe(false);
    expect(existsSync(path(`${name}-ran`))).toBe(false);
  });

  test.each([
    ['plain', (parent: number) => plainScript(parent, means)],
    ['sandboxed', (parent: number) => sandboxScript('ffmpeg', limits, noFiles, parent, means)],
  ])('ends ffmpeg while it works: %s', async (name, script) => {
    const options = '-re -progress pipe:1 -f lavfi -i testsrc2 -f null -';
    const run = `read script; "$script" ${options}; exit $?`;
    const parent = spawn('sh', ['-c', run], { stdio: ['pipe', 'pipe', 'ignore'] });
    program(`${name}-working`, script(parent.pid ?? 0));
    parent.stdin.write(`${join(programs, `${name}-working`)}\n`);
    await once(parent.stdout, 'data');
    const children = `/proc/${parent.pid}/task/${parent.pid}/children`;
    const child = readFileSync(children, 'utf8').trim();
    expect(readFileSync(`/proc/${child}/cmdline`, 'utf8')).toMatch(/^ffmpeg/);
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    await expect.poll(() => existsSync(`/proc/${child}`), bounds).toBe(false);
  });
});
