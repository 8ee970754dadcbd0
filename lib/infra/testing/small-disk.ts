import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SmallDisk {
  readonly path: string;
  remove(): void;
}

/** Mounts a small file system; null if this user may not mount one. */
export function mountSmallDisk(bytes: number): SmallDisk | null {
  const path = mkdtempSync(join(tmpdir(), 'small-disk-'));
  const remove = () => rmSync(path, { recursive: true, force: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', path], { stdio: 'ignore' });
  } catch {
    remove();
    return null;
  }
  return {
    path,
    remove() {
      // A lazy unmount, because a file below may still be open.
      execFileSync('umount', ['--lazy', path]);
      remove();
    },
  };
}
