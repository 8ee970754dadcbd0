import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { packetsOfFlv } from '@/media-worker/media/packaging/testing/flv-file';
import { Packaging } from '@/media-worker/media/packaging/testing/packaging';
import { withAnnouncedParameterSets } from './announce-parameter-sets';
import type { MediaPacket } from './media-packet';

const run = promisify(execFile);
let dir = '';
beforeAll(async () => void (dir = await mkdtemp(join(tmpdir(), 'sizes-'))));
afterAll(() => rm(dir, { recursive: true, force: true }));

const ffmpeg = (...args: string[]) => run('ffmpeg', ['-v', 'error', ...args]);

/** Packets of an encoder that copies a transport stream with rotating video: one configuration, two video sizes. */
async function copiedPackets(): Promise<MediaPacket[]> {
  const files = await Promise.all(
    ['320x180', '180x320'].map(async (size) => {
      const file = join(dir, `${size}.ts`);
      const source = ['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=25`, '-t', '4'];
      await ffmpeg(
        ...source,
        '-c:v',
        'libx264',
        '-preset',
        'ultrafast',
        '-g',
        '50',
        '-pix_fmt',
        'yuv420p',
        file,
      );
      return file;
    }),
  );
  const flv = join(dir, 'turned.flv');
  await ffmpeg('-i', `concat:${files.join('|')}`, '-c', 'copy', '-f', 'flv', flv);
  return packetsOfFlv(await readFile(flv));
}

it('video that rotates without a new configuration gets a period of its new size', async () => {
  const packets: MediaPacket[] = [];
  const sink = withAnnouncedParameterSets({ push: (packet) => packets.push(packet), end: () => undefined });
  for (const packet of await copiedPackets()) sink.push(packet);
  const packaging = new Packaging({ listedCount: 100 });
  packaging.run(packets);
  const sizes = packaging.events.flatMap((event) =>
    event.type === 'init' ? [`${event.tracks.video?.width}x${event.tracks.video?.height}`] : [],
  );
  expect(sizes).toEqual(['320x180', '180x320']);
});
