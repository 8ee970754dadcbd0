import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { BlackVideo } from './black-video';
import { encodeFlvHeader, encodeFlvTag } from './flv-writer';

/** Black in video with limited range: luma from 16 to 235, and chroma with the neutral value 128 (ITU-R BT.709). */
const blackFrame = { YMAX: 16, UMIN: 128, UMAX: 128, VMIN: 128, VMAX: 128 };

it('ffmpeg decodes every frame, and all of them are black', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'black-'));
  try {
    const file = join(dir, 'black.flv');
    const flvChunks = [encodeFlvHeader({ video: true, audio: false })];
    const [startMs, endMs] = [0, 1_000];
    new BlackVideo(startMs, (packet) => flvChunks.push(encodeFlvTag(packet))).fillUntil(endMs);
    await writeFile(file, Buffer.concat(flvChunks));
    const filterArgs = ['-vf', 'signalstats,metadata=print:file=-'];
    const { stdout, stderr } = await promisify(execFile)('ffmpeg', [
      ...['-v', 'error', '-i', file, ...filterArgs, '-fps_mode', 'passthrough', '-f', 'null', '-'],
    ]);
    // 1,000 ms at 10 frames per second.
    for (const [statistic, level] of Object.entries(blackFrame)) {
      const pattern = new RegExp(String.raw`\.${statistic}=(\d+)`, 'g');
      const levels = [...stdout.matchAll(pattern)].map(([, value]) => Number(value));
      expect(levels, statistic).toEqual(Array.from({ length: 10 }, () => level));
    }
    expect(stderr).toBe('');
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
});
