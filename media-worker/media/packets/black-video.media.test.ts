import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { BlackVideo } from './black-video';
import { writeFlvHeader, writeFlvTag } from './flv-writer';

it('ffmpeg decodes every frame, and all of them are black', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'black-'));
  try {
    const file = join(dir, 'black.flv');
    const tags = [writeFlvHeader({ video: true, audio: false })];
    new BlackVideo(0, (packet) => tags.push(writeFlvTag(packet))).fillUntil(1_000);
    await writeFile(file, Buffer.concat(tags));
    const filter = ['-vf', 'signalstats,metadata=print:file=-'];
    const { stdout, stderr } = await promisify(execFile)('ffmpeg', [
      ...['-v', 'error', '-i', file, ...filter, '-fps_mode', 'passthrough', '-f', 'null', '-'],
    ]);
    const brightest = [...stdout.matchAll(/YMAX=(\d+)/g)].map(([, value]) => Number(value));
    expect(brightest).toEqual(Array.from({ length: 10 }, () => 16));
    expect(stderr).toBe('');
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
});
