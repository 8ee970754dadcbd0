import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { reasonOf } from '@/lib/core/reasons/reason';
import type { MediaPacket } from '@/media-worker/media/packets/media-packet';
import { demuxFlv } from './testing/flv-file';
import { Packaging } from './testing/packaging';

const run = promisify(execFile);
let folder = '';
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'picture-order-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));

let fileCount = 0;
async function encode(options: string): Promise<MediaPacket[]> {
  const path = join(folder, `${++fileCount}.flv`);
  const input = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25', '-t', '4', '-pix_fmt', 'yuv420p'];
  await run('ffmpeg', ['-v', 'error', ...input, '-c:v', 'libx264', '-g', '50', ...options.split(' '), path]);
  return demuxFlv(await readFile(path));
}

/** The packets of an encoder that sends its decode times as presentation times. */
const withDecodeTimes = (packets: readonly MediaPacket[]) =>
  packets.map((packet) => ({ ...packet, pts: packet.dts }));

function issuesOf(packets: readonly MediaPacket[]): string[] {
  const packaging = new Packaging({ minListedCount: 100 });
  packaging.run(packets);
  return packaging.events.flatMap((event) =>
    event.type === 'issue' && event.code === 'unordered_frames' ? [event.message] : [],
  );
}

it.each([
  ['B-frames', '-preset ultrafast -bf 2'],
  ['B-frames as references', '-preset fast -bf 3 -x264-params b-pyramid=normal'],
  ['B-frames and open GOPs', '-preset ultrafast -bf 2 -x264-params open-gop=1'],
  ['B-frames of interlaced video', '-preset ultrafast -bf 2 -x264-params interlaced=1'],
])(
  '%s with wrong presentation times are reported once; with correct ones they are not',
  async (_name, options) => {
    const packets = await encode(options);
    expect(issuesOf(packets)).toEqual([]);
    const issues = issuesOf(withDecodeTimes(packets));
    expect(issues.map((issue) => reasonOf(issue)?.code)).toEqual(['b_frames_with_wrong_times']);
  },
);

it.each([
  '-preset ultrafast -bf 0',
  '-preset ultrafast -bf 0 -x264-params interlaced=1',
  '-preset fast -bf 0 -refs 4',
])('video without B-frames is not reported: %s', async (options) => {
  expect(issuesOf(withDecodeTimes(await encode(options)))).toEqual([]);
});
