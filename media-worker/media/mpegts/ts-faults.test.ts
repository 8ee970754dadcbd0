import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codingOf } from '@/media-worker/media/cmaf/codec-config';
import { writeSizedObu } from '@/media-worker/media/cmaf/obu';
import { CONFIG_RECORDS, withEmulationPrevention } from '@/media-worker/media/cmaf/testing/codec-records';
import type { MediaPacket } from '@/media-worker/media/packets/media-packet';
import { adtsFrame, AUDIO_PID, TsMuxer, VIDEO_PID } from './testing/ts-muxer';
import { TsDemuxer } from './ts-demuxer';

/** Streams of real encoders that differ from those of ffmpeg, and streams with lost parts. */

/** Stream types of the program map (ISO/IEC 13818-1 table 2-34). */
const AVC = 0x1b;
const AAC = 0x0f;
const AC3 = 0x81;
const PRIVATE = 0x06;
/** Duration of a frame at 25 frames per second, 90 kHz ticks. */
const FRAME_TICKS = 3_600;
const START_CODE = Buffer.from([0, 0, 1]);
const sliceUnit = (type: number, fill: number, size = 500) =>
  Buffer.concat([START_CODE, Buffer.from([type]), Buffer.alloc(size, fill)]);
const parameterSets = Buffer.concat([
  START_CODE,
  Buffer.from([0x67, 0x42, 0xc0, 0x1f]),
  START_CODE,
  Buffer.from([0x68, 0xce]),
]);

function openDemuxer() {
  const packets: MediaPacket[] = [];
  const demuxer = new TsDemuxer({ onPacket: (packet) => packets.push(packet), onTracks: () => undefined });
  return { demuxer, packets, dts: () => packets.map(({ dts }) => dts) };
}

function demux(stream: Buffer, size = 1_316): MediaPacket[] {
  const { demuxer, packets } = openDemuxer();
  for (let offset = 0; offset < stream.length; offset += size)
    demuxer.push(Buffer.from(stream.subarray(offset, offset + size)));
  demuxer.end();
  return packets;
}

describe('PES packets without time stamps', () => {
  /** Units of one track, of which one in `stampInterval` has time stamps. */
  const createUnits = (
    pid: number,
    stampInterval: number,
    data: (n: number) => Buffer,
    ticks = FRAME_TICKS,
  ) => {
    const muxer = new TsMuxer();
    const units = Array.from({ length: 40 }, (_, n) =>
      muxer.pes({ pid, data: data(n), pts: n % stampInterval === 0 ? 9_000 + n * ticks : undefined }),
    );
    return { muxer, units };
  };

  it.each([2, 7, 12])('of video follow the previous frame: one in %d has a time stamp', (stampInterval) => {
    const data = (n: number) =>
      n === 0 ? Buffer.concat([parameterSets, sliceUnit(0x65, 1)]) : sliceUnit(0x41, n + 1);
    const { muxer, units } = createUnits(VIDEO_PID, stampInterval, data);
    const packets = demux(Buffer.concat([muxer.tables({ video: AVC }), ...units]));
    expect(packets.map(({ dts, pts }) => [dts, pts])).toEqual(
      Array.from({ length: 40 }, (_, n) => [100 + n * 40, 100 + n * 40]),
    );
  });

  it('of video learn the frame duration from the first two time stamps', () => {
    const { muxer, units } = createUnits(VIDEO_PID, 5, (n) => sliceUnit(0x41, n + 1), 1_500);
    const packets = demux(Buffer.concat([muxer.tables({ video: AVC }), ...units]));
    expect(packets).toHaveLength(40);
    for (const [n, { dts }] of packets.entries())
      if (n >= 5) expect(Math.abs(dts - 100 - (n * 1_500) / 90)).toBeLessThanOrEqual(1);
  });

  it.each([
    ['AC-3', AC3, (n: number) => Buffer.alloc(300, n + 1), 2_880],
    ['AAC', AAC, (n: number) => adtsFrame(Buffer.alloc(200, n + 1)), 1_920],
  ])('of %s follow the previous ones', (_name, type, data, ticks) => {
    const { muxer, units } = createUnits(AUDIO_PID, 4, data, ticks);
    const packets = demux(Buffer.concat([muxer.tables({ audio: type }), ...units]));
    const frames = packets.filter(({ role }) => role === 'frame');
    expect(frames).toHaveLength(40);
    for (const [n, { dts }] of frames.entries())
      expect(Math.abs(dts - 100 - (n * ticks) / 90)).toBeLessThanOrEqual(1);
  });

  it('before the first time stamp are dropped', () => {
    const muxer = new TsMuxer();
    const units = [undefined, 9_000].map((pts) =>
      muxer.pes({ pid: VIDEO_PID, data: sliceUnit(0x41, 1), pts }),
    );
    expect(demux(Buffer.concat([muxer.tables({ video: AVC }), ...units]))).toMatchObject([{ dts: 100 }]);
  });
});

it.each([
  ['AC-3', '6a0100', 'ac3'],
  ['E-AC-3', '7a0100', 'eac3'],
  ['DTS', '7b0100', 'unknown'],
  ['AC-3 behind a language', '0a04656e67006a0100', 'ac3'],
])('DVB audio is found by its descriptor: %s', (_name, descriptors, codec) => {
  const muxer = new TsMuxer();
  const tables = muxer.tables({ audio: PRIVATE, descriptors: Buffer.from(descriptors, 'hex') });
  const pes = muxer.pes({ pid: AUDIO_PID, data: Buffer.alloc(50, 1), pts: 0 });
  expect(demux(Buffer.concat([tables, pes]))).toMatchObject([{ kind: 'audio', codec }]);
});

it('AAC in ADTS that is announced as LATM is read', () => {
  const muxer = new TsMuxer();
  const pes = muxer.pes({ pid: AUDIO_PID, data: adtsFrame(Buffer.alloc(9, 5)), pts: 0 });
  const packets = demux(Buffer.concat([muxer.tables({ audio: 0x11 }), pes]));
  expect(packets.map(({ role, payload }) => [role, payload.length])).toEqual([
    ['config', 2],
    ['frame', 9],
  ]);
});

it('private data without an audio descriptor is not audio', () => {
  const muxer = new TsMuxer();
  const teletext = muxer.tables({ audio: PRIVATE, descriptors: Buffer.from('5605656e670900', 'hex') });
  const pes = muxer.pes({ pid: AUDIO_PID, data: Buffer.alloc(50, 1), pts: 0 });
  expect(demux(Buffer.concat([teletext, pes]))).toEqual([]);
});

function videoStream(count = 30, size = 900): { readonly stream: Buffer; readonly muxer: TsMuxer } {
  const muxer = new TsMuxer();
  const frames = Array.from({ length: count }, (_, n) =>
    muxer.pes({ pid: VIDEO_PID, data: sliceUnit(0x41, n + 1, size), pts: n * FRAME_TICKS, isOpen: true }),
  );
  return { stream: Buffer.concat([muxer.tables({ video: AVC }), ...frames]), muxer };
}

describe('packets with extra bytes', () => {
  const spaceOut = (stream: Buffer, before: number, after: number) =>
    Buffer.concat(
      Array.from({ length: stream.length / 188 }, (_, n) => [
        Buffer.alloc(before, n),
        stream.subarray(n * 188, (n + 1) * 188),
        Buffer.alloc(after, 0xa0 + (n % 16)),
      ]).flat(),
    );

  it.each([
    ['192 bytes, as in M2TS', 4, 0],
    ['204 bytes, with error correction', 0, 16],
  ])('of %s are read, whatever pieces they arrive in', (_name, before, after) => {
    const { stream } = videoStream();
    const wholePackets = demux(stream);
    expect(wholePackets).toHaveLength(30);
    fc.assert(
      fc.property(fc.integer({ min: 700, max: 3_000 }), (size) => {
        const packets = demux(spaceOut(stream, before, after), size);
        expect(packets.map(({ payload }) => payload.toString('latin1'))).toEqual(
          wholePackets.map(({ payload }) => payload.toString('latin1')),
        );
      }),
      { numRuns: 50 },
    );
  });

  it('are read again after a lost part', () => {
    const stream = spaceOut(videoStream(60).stream, 4, 0);
    const { demuxer, packets } = openDemuxer();
    for (let offset = 0; offset < stream.length; offset += 1_316) {
      if (offset === 13_160) demuxer.markLoss(1_316);
      else demuxer.push(stream.subarray(offset, offset + 1_316));
    }
    demuxer.end();
    expect(packets.length).toBeGreaterThan(50);
    for (const { payload } of packets) expect(new Set(payload.subarray(5)).size).toBe(1);
  });
});

describe('a lost part of the stream', () => {
  it('of 16 packets, which the continuity counter cannot show, does not join frames', () => {
    // Each frame has 40 packets, so that 16 lost packets are within one.
    const { stream } = videoStream(10, 7_200);
    const { demuxer, packets } = openDemuxer();
    const [start, end] = [188 * 60, 188 * (60 + 16)];
    demuxer.push(stream.subarray(0, start));
    demuxer.markLoss(end - start);
    demuxer.push(stream.subarray(end));
    demuxer.end();
    expect(packets).toHaveLength(9);
    for (const { payload } of packets) expect(payload).toHaveLength(4 + 1 + 7_200);
  });

  it('whatever its place and size, leaves only whole frames', () => {
    const { stream } = videoStream(20, 3_000);
    const summaryOf = (packets: readonly MediaPacket[]) =>
      packets.map(
        ({ dts, payload }) =>
          `${dts} ms, ${payload.length} bytes, ${new Set(payload.subarray(5)).size} values`,
      );
    const wholeFrames = summaryOf(demux(stream));
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 300 }), fc.integer({ min: 1, max: 100 }), (from, count) => {
        const { demuxer, packets } = openDemuxer();
        demuxer.push(stream.subarray(0, from * 188));
        demuxer.markLoss(count * 188);
        demuxer.push(stream.subarray((from + count) * 188));
        demuxer.end();
        expect(wholeFrames).toEqual(expect.arrayContaining(summaryOf(packets)));
      }),
      { examples: [[3, 15]] },
    );
  });
});

describe('AV1', () => {
  const header = CONFIG_RECORDS.av1320.subarray(6);
  const delimiter = writeSizedObu(2, Buffer.alloc(0));
  const keyframeObus = [
    delimiter,
    writeSizedObu(1, header),
    writeSizedObu(6, Buffer.from([0x10, 0, 0, 1, 7, 0, 0])),
  ];
  const interFrameObus = [delimiter, writeSizedObu(6, Buffer.from([0x30, 0, 0, 2, 9, 0]))];
  const withStartCodes = (obus: readonly Buffer[]) =>
    Buffer.concat(obus.flatMap((obu) => [START_CODE, withEmulationPrevention(obu)]));
  const av01 = Buffer.from('050441563031', 'hex');

  it.each([
    ['with start codes', withStartCodes],
    ['in the low-overhead format', (obus: readonly Buffer[]) => Buffer.concat(obus)],
  ])('%s has keyframes with their sequence header', (_name, join) => {
    const muxer = new TsMuxer();
    const frames = [keyframeObus, interFrameObus].map((obus, n) =>
      muxer.pes({ pid: VIDEO_PID, data: join(obus), pts: n * FRAME_TICKS }),
    );
    const packets = demux(Buffer.concat([muxer.tables({ video: PRIVATE, descriptors: av01 }), ...frames]));
    expect(packets).toEqual([
      expect.objectContaining({ codec: 'av1', key: true, payload: Buffer.concat(keyframeObus) }),
      expect.objectContaining({ codec: 'av1', key: false, payload: Buffer.concat(interFrameObus) }),
    ]);
    const record = codingOf('av1').changedRecordFor(packets[0]?.payload ?? Buffer.alloc(0), null);
    expect(record && codingOf('av1').parse(record)).toMatchObject({ width: 320 });
  });

  it('whose OBUs have no size gets size fields', () => {
    const muxer = new TsMuxer();
    const sizeless = Buffer.concat([
      START_CODE,
      Buffer.from([0x10]),
      START_CODE,
      Buffer.from([0x30, 0x10, 9]),
    ]);
    const pes = muxer.pes({ pid: VIDEO_PID, data: sizeless, pts: 0 });
    const [packet] = demux(Buffer.concat([muxer.tables({ video: PRIVATE, descriptors: av01 }), pes]));
    expect(packet?.payload.toString('hex')).toBe('1200' + '32021009');
  });
});
