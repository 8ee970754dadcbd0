import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { exclusively, processIdentity, tryLock } from './exclusive.mjs';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-lock-'));
  file = join(folder, 'the.lock');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('lock file', () => {
  it('has one holder, whose purpose is shown to others', () => {
    const lock = tryLock(file, 'the first');
    expect(tryLock(file, 'the second')).toMatchObject({ holder: { pid: process.pid, purpose: 'the first' } });
    if ('release' in lock) lock.release();
    expect(tryLock(file, 'the second')).toHaveProperty('release');
  });

  it('leaves no other files', () => {
    const lock = tryLock(file, 'x');
    expect(readdirSync(folder)).toEqual(['the.lock']);
    if ('release' in lock) lock.release();
    expect(readdirSync(folder)).toEqual([]);
  });

  // The first process id is above the maximum of Linux.
  it.each([
    ['a process that has ended', { pid: 2 ** 22 + 1, purpose: 'x', identity: '4194305 1 boot' }],
    ['an earlier process whose id was reused', { pid: process.pid, purpose: 'x', identity: '1 2 boot' }],
    ['a process that wrote an incomplete file', 'half a fi'],
  ])('is taken over from %s', (_, content) => {
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    expect(tryLock(file, 'mine')).toHaveProperty('release');
  });

  it('makes the second process wait for the first', async () => {
    const events: string[] = [];
    let finish: () => void = () => undefined;
    const whenHeld = new Promise<void>((resolve) => (finish = resolve));
    const log = vi.fn();
    const first = exclusively(file, 'the first', log, async () => {
      await whenHeld;
      events.push('first');
    });
    const second = exclusively(file, 'the second', log, () => events.push('second'));
    await expect.poll(() => log).toHaveBeenCalledWith(expect.stringContaining('the first'));
    finish();
    await Promise.all([first, second]);
    expect(events).toEqual(['first', 'second']);
    expect(existsSync(file)).toBe(false);
  });

  it('is released if the work fails', async () => {
    const work = exclusively(file, 'x', vi.fn(), () => Promise.reject(new Error('no')));
    await expect(work).rejects.toThrow('no');
    expect(existsSync(file)).toBe(false);
  });
});

describe('process identity', () => {
  it('is stable while the process runs and null afterwards', async () => {
    const child = spawn('sleep', ['60']);
    const pid = child.pid ?? 0;
    const identity = processIdentity(pid);
    expect(identity).toContain(String(pid));
    expect(processIdentity(pid)).toBe(identity);
    const whenExited = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await whenExited;
    expect(processIdentity(pid)).toBeNull();
  });
});
