import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

const memoryDisk = '/dev/shm';
const NEEDED_BYTES = 6 * 2 ** 30;

/**
 * A new folder in memory, so that tests do not wait for a disk; on disk if memory has no room, as in a container with
 * 64 MB, or does not allow executables.
 */
export function createTestFolder(prefix: string): string {
  if (!hasRoom()) return mkdtempSync(join(tmpdir(), prefix));
  const folder = mkdtempSync(join(memoryDisk, prefix));
  if (startsPrograms(folder)) return folder;
  rmSync(folder, { recursive: true });
  return mkdtempSync(join(tmpdir(), prefix));
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memoryDisk);
    return Math.min(bavail * bsize, freemem() / 2) >= NEEDED_BYTES;
  } catch {
    return false;
  }
}

function startsPrograms(folder: string): boolean {
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
