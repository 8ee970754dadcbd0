import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { containerOfFormat, mp4 } from '@/lib/core/media/container';
import { createSampleFiles } from '@/media-worker/vod/testing/sample-files';
import { probe } from './probe';
import { runFfmpegJob } from './run-ffmpeg-job';
import { planFastStart, planStraightening } from './vod-args';

const samples = createSampleFiles();
afterAll(() => samples.remove());

/**
 * Bytes of an FLV file before its first tag: 9 of the header, 4 of PreviousTagSize0. Bytes of a tag besides its data: 11 of the
 * header, 4 of the PreviousTagSize after it (Adobe FLV 10.1, annex E).
 */
const [FILE_HEADER_BYTES, TAG_OVERHEAD_BYTES] = [13, 15];

/** Subtracts `fromMs` from all timestamps of an FLV file that are at least `fromMs`, as if two recordings were joined. */
function restartTimestamps(path: string, fromMs: number): void {
  const bytes = readFileSync(path);
  for (let offset = FILE_HEADER_BYTES; offset + TAG_OVERHEAD_BYTES < bytes.length;) {
    // A tag header has its data size at offset 1 and the lower 24 bits of its timestamp at offset 4.
    const timestamp = bytes.readUIntBE(offset + 4, 3);
    if (timestamp >= fromMs) bytes.writeUIntBE(timestamp - fromMs, offset + 4, 3);
    offset += bytes.readUIntBE(offset + 1, 3) + TAG_OVERHEAD_BYTES;
  }
  writeFileSync(path, bytes);
}

test.each([
  ['an MP4', planFastStart, mp4],
  ['a file for encoding', planStraightening, containerOfFormat('matroska')],
] as const)(
  'an FLV file whose timestamps restart becomes %s with the duration of both parts',
  async (_what, plan, container) => {
    const input = samples.make('joined.flv', { seconds: 4 });
    restartTimestamps(input, 2_000);
    const output = samples.path('output');
    await runFfmpegJob(plan({ input, demuxer: 'flv', playedTracks: [0, 1] }, output), {
      signal: new AbortController().signal,
      durationSeconds: 4,
    });
    const result = await probe(output, { container });
    expect(result.ok && Number(result.report.format.duration)).toBeCloseTo(4, 0);
  },
);
