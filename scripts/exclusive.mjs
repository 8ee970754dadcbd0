import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync, linkSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * A name for this process that no later one can have, also after a reboot or a restart of a container:
 * process ids are used again.
 * @param {number} pid
 * @returns {string | null} null when there is no such process
 */
export function processIdentity(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EPERM') return null;
  }
  if (process.platform !== 'linux') return String(pid);
  try {
    // Field 22 of /proc/<pid>/stat, counted after the name, which may hold spaces; field 3 is the state.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return null;
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${pid} ${fields[19]} ${boot}`;
  } catch {
    return null;
  }
}

/**
 * Takes the lock file for this process, also from a process that died with it.
 * @param {string} file
 * @param {string} purpose what the lock is held for
 * @returns {{ release: () => void } | { holder: { pid: number, purpose: string } }}
 */
export function tryLock(file, purpose) {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const mine = `${file}.${process.pid}`;
  writeFileSync(mine, JSON.stringify({ pid: process.pid, purpose, identity: processIdentity(process.pid) }));
  try {
    for (;;) {
      try {
        // A link appears with its content, or not at all.
        linkSync(mine, file);
        return { release: () => rmSync(file, { force: true }) };
      } catch (error) {
        if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
      }
      const holder = readHolder(file);
      if (holder && holder.identity === processIdentity(holder.pid)) return { holder };
      takeAway(file, holder);
    }
  } finally {
    rmSync(mine, { force: true });
  }
}

/**
 * @param {string} file
 * @returns {{ pid: number, purpose: string, identity: string } | null}
 */
function readHolder(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

/**
 * Removes a dead holder's lock; when another process took it meanwhile, gives it back.
 * @param {string} file
 * @param {{ identity: string } | null} dead
 */
function takeAway(file, dead) {
  const aside = `${file}.${process.pid}.stale`;
  try {
    renameSync(file, aside);
  } catch {
    return;
  }
  const taken = readHolder(aside);
  if (taken && taken.identity !== dead?.identity) {
    try {
      linkSync(aside, file);
    } catch {
      // A third process holds it now.
    }
  }
  rmSync(aside, { force: true });
}

/**
 * Runs `work` while no other process holds the lock, waiting for it with a line now and then.
 * @template T
 * @param {string} file
 * @param {string} purpose
 * @param {(line: string) => void} say
 * @param {() => Promise<T> | T} work
 * @returns {Promise<T>}
 */
export async function exclusively(file, purpose, say, work) {
  for (let waited = 0; ; waited += 1) {
    const lock = tryLock(file, purpose);
    if ('release' in lock) {
      try {
        return await work();
      } finally {
        lock.release();
      }
    }
    if (waited % 20 === 0) say(`Waiting for process ${lock.holder.pid}: ${lock.holder.purpose}`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}
