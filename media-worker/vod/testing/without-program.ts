import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';

/** Programs that the sandbox of ffmpeg and ffprobe may use. */
const tools = ['sh', 'env', 'nice', 'prlimit', 'setpriv', 'unshare', 'bwrap', 'true', 'ffmpeg', 'ffprobe'];

/** Runs `work` with a PATH that lacks one program. */
export async function withoutProgram<T>(missing: string, work: () => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'programs-'));
  for (const tool of tools.filter((name) => name !== missing)) {
    const path = execFileSync('sh', ['-c', `command -v ${tool} || true`])
      .toString()
      .trim();
    if (path.startsWith('/')) symlinkSync(path, join(folder, tool));
  }
  vi.stubEnv('PATH', folder);
  try {
    return await work();
  } finally {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  }
}
