import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

const memoryDisk = '/dev/shm';
/** Free space for the database and the sample videos of a full run: 6 GiB. */
const NEEDED_BYTES = 6 * 2 ** 30;

/**
 * A new folder in memory, so that tests do not wait for a disk; on disk if memory has no room, as in a container with
 * 64 MB, or does not allow executables.
 */
export function createTestFolder(prefix: string): string {
  if (!hasRoom()) return mkdtempSync(join(tmpdir(), prefix));
  const folder = mkdtempSync(join(memoryDisk, prefix));
  if (allowsExecutables(folder)) return folder;
  rmSync(folder, { recursive: true });
  return mkdtempSync(join(tmpdir(), prefix));
}

/** Whether /dev/shm has enough space, and would leave half of the free memory to programs. */
function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memoryDisk);
    return Math.min(bavail * bsize, freemem() / 2) >= NEEDED_BYTES;
  } catch {
    return false;
  }
}

function allowsExecutables(folder: string): boolean {
  const program = join(folder, 'program');
  try {
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 });
    execFileSync(program);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(program, { force: true });
  }
}
