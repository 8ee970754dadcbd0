import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { demuxFlv } from '@/media-worker/media/packaging/testing/flv-file';
import { Packaging } from '@/media-worker/media/packaging/testing/packaging';
import { emitChangedConfigs } from './announce-parameter-sets';
import type { MediaPacket } from './media-packet';

const execFileAsync = promisify(execFile);
let dir = '';
beforeAll(async () => void (dir = await mkdtemp(join(tmpdir(), 'parameter-sets-'))));
afterAll(() => rm(dir, { recursive: true, force: true }));

const ffmpeg = (...args: string[]) => execFileAsync('ffmpeg', ['-v', 'error', ...args]);

/**
 * Packets of an FLV file that ffmpeg copied from a transport stream. The video size changes after 4 s, but ffmpeg writes the
 * decoder configuration only once, at the start.
 */
async function remuxedPackets(): Promise<MediaPacket[]> {
  const files = await Promise.all(
    ['320x180', '180x320'].map(async (size) => {
      const tsPath = join(dir, `${size}.ts`);
      const inputArgs = ['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=25`, '-t', '4'];
      await ffmpeg(
        ...inputArgs,
        '-c:v',
        'libx264',
        '-preset',
        'ultrafast',
        '-g',
        '50',
        '-pix_fmt',
        'yuv420p',
        tsPath,
      );
      return tsPath;
    }),
  );
  const flv = join(dir, 'rotated.flv');
  await ffmpeg('-i', `concat:${files.join('|')}`, '-c', 'copy', '-f', 'flv', flv);
  return demuxFlv(await readFile(flv));
}

it('a new video size without a new decoder configuration starts a new period', async () => {
  const packets: MediaPacket[] = [];
  const sink = emitChangedConfigs({
    push: (packet) => packets.push(packet),
    end: () => undefined,
  });
  for (const packet of await remuxedPackets()) sink.push(packet);
  const packaging = new Packaging({ minListedCount: 100 });
  packaging.run(packets);
  const sizes = packaging.events.flatMap((event) =>
    event.type === 'init' ? [`${event.tracks.video?.width}x${event.tracks.video?.height}`] : [],
  );
  expect(sizes).toEqual(['320x180', '180x320']);
});
