import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The program that fluent-ffmpeg takes for ffmpeg: the child dies with this process even when that is killed -9
 * (reliability §0 row 11). Where util-linux is missing (macOS), ffmpeg itself. `exec` keeps one process, so that
 * signals reach ffmpeg.
 */
const script = `#!/bin/sh
command -v setpriv >/dev/null 2>&1 && exec setpriv --pdeathsig KILL ffmpeg "$@"
exec ffmpeg "$@"
`;

let path: string | null = null;

/** Writes the wrapper once per process, readable by nobody else, and returns its path. */
export function ffmpegWrapper(): string {
  if (!path) {
    path = join(mkdtempSync(join(tmpdir(), 'headwater-')), 'ffmpeg');
    writeFileSync(path, script, { mode: 0o700 });
  }
  return path;
}
