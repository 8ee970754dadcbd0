import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { ffmpegWrapper, plainScript, sandboxScript, sandboxWrapper } from './wrapper';

const folder = mkdtempSync(join(tmpdir(), 'wrapper-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const limits = { memory: 1_500_000_000, fileSize: 1_000_000 };
const hasSetpriv = spawnSync('setpriv', ['--version']).status === 0;
const bounds = { timeout: 20_000, interval: 10 };

describe('a program that is ffmpeg', () => {
  test.each([
    ['plain', ffmpegWrapper()],
    ['within limits', sandboxWrapper('ffmpeg', limits)],
  ])('starts for the process that asked for it, and for nobody else: %s', (_name, wrapper) => {
    expect(spawnSync(wrapper, ['-version']).stdout.toString()).toContain('ffmpeg version');
    const ofAnother = spawnSync('sh', ['-c', '"$0" -version; exit $?', wrapper]);
    // Where the system has no setpriv, nothing binds it to anybody.
    expect(ofAnother.status === 0).toBe(!hasSetpriv);
    expect(ofAnother.stdout.toString() === '').toBe(hasSetpriv);
  });

  const program = (name: string, lines: string) =>
    writeFileSync(join(folder, name), `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
  const path = (name: string) => join(folder, name);

  /** A parent that starts it; both wait at the moment before the child is bound to the life of its parent. */
  const startedBy = async (name: string, script: (parent: number) => string) => {
    program('ffmpeg', `touch "${path(`${name}-ran`)}"`);
    const real = spawnSync('sh', ['-c', 'command -v setpriv']).stdout.toString().trim();
    const gate = `echo $$ >"${path(name)}.new"; mv "${path(name)}.new" "${path(name)}-waits"`;
    const open = `while [ ! -e "${path(`${name}-go`)}" ]; do sleep 0.05; done`;
    program('setpriv', `${gate}; ${open}; exec ${real} "$@"`);
    const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
    const parent = spawn('sh', ['-c', 'read script; "$script"; exit $?'], {
      stdio: ['pipe', 'ignore', 'ignore'],
      env,
    });
    program(`${name}.sh`, script(parent.pid ?? 0));
    parent.stdin.write(`${path(`${name}.sh`)}\n`);
    await vi.waitFor(() => expect(existsSync(path(`${name}-waits`))).toBe(true), bounds);
    return parent;
  };
  const letGo = (name: string) => writeFileSync(path(`${name}-go`), '');

  test.runIf(hasSetpriv).each([
    ['plain', plainScript],
    ['limited', (parent: number) => sandboxScript('ffmpeg', limits, parent)],
  ])('does not outlive one that dies before it is bound to its life: %s', async (name, script) => {
    const alive = await startedBy(`${name}-alive`, script);
    letGo(`${name}-alive`);
    await once(alive, 'exit');
    expect(existsSync(path(`${name}-alive-ran`))).toBe(true);

    const killed = await startedBy(name, script);
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    const child = spawnSync('cat', [path(`${name}-waits`)])
      .stdout.toString()
      .trim();
    letGo(name);
    await vi.waitFor(() => expect(existsSync(`/proc/${child}`)).toBe(false), bounds);
    expect(existsSync(path(`${name}-ran`))).toBe(false);
  });
});
