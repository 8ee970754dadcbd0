import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync, linkSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * A name of a process that no other process has. A process id alone is not unique, because it can be reused, for example
 * after a reboot.
 * @param {number} pid
 * @returns {string | null} null if there is no such process
 */
export function processIdentity(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EPERM') return null;
  }
  if (process.platform !== 'linux') return String(pid);
  try {
    // The name (field 2) may contain spaces, so the fields after it are split: fields[0] is field 3, the state, and fields[19]
    // is field 22, the start time. Z is a zombie, X a dead process.
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
 * Acquires the lock file, even if a dead process still holds it.
 * @param {string} file
 * @param {string} purpose what the lock is for, shown to waiting processes
 * @returns {{ release: () => void } | { holder: { pid: number, purpose: string } }}
 */
export function tryLock(file, purpose) {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const ownFile = `${file}.${process.pid}`;
  writeFileSync(
    ownFile,
    JSON.stringify({ pid: process.pid, purpose, identity: processIdentity(process.pid) }),
  );
  try {
    for (;;) {
      try {
        // Creating a link is atomic, so the lock file never exists without its content.
        linkSync(ownFile, file);
        return { release: () => rmSync(file, { force: true }) };
      } catch (error) {
        if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
      }
      const holder = readHolder(file);
      if (holder && holder.identity === processIdentity(holder.pid)) return { holder };
      removeStaleLock(file, holder);
    }
  } finally {
    rmSync(ownFile, { force: true });
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
 * Removes the lock of a dead process. If another process has acquired it meanwhile, its lock is restored.
 * @param {string} file
 * @param {{ identity: string } | null} dead
 */
function removeStaleLock(file, dead) {
  const movedPath = `${file}.${process.pid}.stale`;
  try {
    renameSync(file, movedPath);
  } catch {
    return;
  }
  const movedHolder = readHolder(movedPath);
  if (movedHolder && movedHolder.identity !== dead?.identity) {
    try {
      linkSync(movedPath, file);
    } catch {
      // A third process has acquired it.
    }
  }
  rmSync(movedPath, { force: true });
}

/**
 * Waits for the lock, then runs `work` while holding it. Prints a line every 5 s while waiting.
 * @template T
 * @param {string} file
 * @param {string} purpose
 * @param {(line: string) => void} say
 * @param {() => Promise<T> | T} work
 * @returns {Promise<T>}
 */
export async function exclusively(file, purpose, say, work) {
  for (let waitCount = 0; ; waitCount += 1) {
    const lock = tryLock(file, purpose);
    if ('release' in lock) {
      try {
        return await work();
      } finally {
        lock.release();
      }
    }
    if (waitCount % 20 === 0) say(`Waiting for process ${lock.holder.pid}: ${lock.holder.purpose}`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}
