import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withParameterSets } from '@/media-worker/media/cmaf/avc-parameter-sets';
import { demuxFlv } from '@/media-worker/media/packaging/testing/flv-file';
import { encodeFlvHeader, encodeFlvTag } from './flv-writer';
import { createParameterSetInserter } from './keyframe-parameter-sets';
import type { MediaPacket } from './media-packet';

const execFileAsync = promisify(execFile);
let dir = '';
beforeAll(async () => void (dir = await mkdtemp(join(tmpdir(), 'sets-'))));
afterAll(() => rm(dir, { recursive: true, force: true }));

/** Two seconds of video as encoders send it: parameter sets in the configuration only. */
async function encodeTestVideo(size: string): Promise<MediaPacket[]> {
  const file = join(dir, `${size}.flv`);
  const source = ['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=25`, '-t', '2'];
  const codecArgs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '25', '-pix_fmt', 'yuv420p'];
  await execFileAsync('ffmpeg', ['-v', 'error', ...source, ...codecArgs, '-flags', '+global_header', file]);
  return demuxFlv(await readFile(file));
}

/**
 * Copies the packets to a transport stream and decodes it. ffmpeg's muxer writes only the first configuration, so a new size
 * can be decoded only if its keyframes have parameter sets.
 * @returns the width of each frame, the number of frames of the first size, and the number of errors
 */
async function decode(packets: readonly MediaPacket[]) {
  const [flv, ts] = [join(dir, 'joined.flv'), join(dir, 'joined.ts')];
  const tags = packets.map((packet) => encodeFlvTag(packet));
  await writeFile(flv, Buffer.concat([encodeFlvHeader({ video: true, audio: false }), ...tags]));
  await execFileAsync('ffmpeg', ['-v', 'error', '-y', '-i', flv, '-c', 'copy', '-f', 'mpegts', ts]);
  const entriesArgs = ['-show_entries', 'frame=width', '-of', 'csv=p=0'];
  const { stdout, stderr } = await execFileAsync('ffprobe', [
    '-v',
    'error',
    '-select_streams',
    'v',
    ...entriesArgs,
    ts,
  ]);
  const widths = stdout.split('\n').filter(Boolean);
  const decoderErrors = stderr
    .split('\n')
    .filter((line) => /error while decoding|concealing|non-existing/.test(line));
  return {
    smallFrameCount: widths.filter((width) => width.startsWith('320')).length,
    errorCount: decoderErrors.length,
    widths,
  };
}

describe('a transport stream of video that changes its size', () => {
  test('decodes completely only with parameter sets in its keyframes', async () => {
    const [small, large] = [await encodeTestVideo('320x180'), await encodeTestVideo('640x360')];
    const laterPackets = large.map((packet) => ({
      ...packet,
      dts: packet.dts + 2_000,
      pts: packet.pts + 2_000,
    }));
    const packets = [...small, ...laterPackets].filter(({ kind }) => kind === 'video');
    const withoutSets = await decode(packets);
    // Each of the two sizes has 50 frames.
    expect(withoutSets.smallFrameCount).not.toBe(50);
    const withSets = await decode(packets.map(createParameterSetInserter()));
    expect(withSets).toMatchObject({ smallFrameCount: 50, errorCount: 0 });
    expect(withSets.widths).toHaveLength(100);
  });
});

test('withParameterSets adds only missing parameter sets, after the delimiter', () => {
  const unit = (type: number, ...bytes: number[]) => Buffer.from([0, 0, 0, bytes.length + 1, type, ...bytes]);
  const sets = { sps: [Buffer.from([0x67, 1])], pps: [Buffer.from([0x68, 2])] };
  const [delimiter, picture] = [unit(9, 0x10), unit(0x65, 5, 5)];
  const [sps, pps] = [unit(0x67, 1), unit(0x68, 2)];
  const concat = (...units: Buffer[]) => Buffer.concat(units);
  expect(withParameterSets(concat(delimiter, picture), sets, 4)).toEqual(
    concat(delimiter, sps, pps, picture),
  );
  const ownSets = concat(unit(0x67, 9), picture);
  expect(withParameterSets(ownSets, sets, 4)).toBe(ownSets);
  expect(withParameterSets(concat(pps, picture), sets, 4)).toEqual(concat(sps, pps, picture));
  const wholeFrame = concat(sps, pps, picture);
  expect(withParameterSets(wholeFrame, sets, 4)).toBe(wholeFrame);
  expect(withParameterSets(Buffer.from([0, 0]), sets, 4)).toEqual(concat(sps, pps, Buffer.from([0, 0])));
});
