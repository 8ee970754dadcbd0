import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AnnouncedTracks } from '@/lib/core/media/track-set';
import { parseAacConfig } from '@/media-worker/media/cmaf/codec-config';
import type { MediaPacket } from '@/media-worker/media/packets/media-packet';
import { adtsFrame, AUDIO_PID, TsMuxer, VIDEO_PID } from './testing/ts-muxer';
import { TsDemuxer } from './ts-demuxer';

/** Stream types of the program map (ISO/IEC 13818-1 table 2-34). */
const AVC = 0x1b;
const AAC = 0x0f;
const START_CODE = Buffer.from([0, 0, 0, 1]);
const SPS = Buffer.from([0x67, 0x42, 0xc0, 0x1f]);
const PPS = Buffer.from([0x68, 0xce]);
const DELIMITER = Buffer.from([9, 0xf0]);

const joinAnnexB = (...units: readonly Buffer[]): Buffer =>
  Buffer.concat(units.flatMap((unit) => [START_CODE, unit]));
/** A NAL unit without start codes inside or zeros at its end. */
const nalUnit = (type: number, size: number): Buffer =>
  Buffer.concat([Buffer.from([type]), Buffer.alloc(size, 0x55)]);
const idrAccessUnit = (size = 20): Buffer => joinAnnexB(DELIMITER, SPS, PPS, nalUnit(0x65, size));
const predictedAccessUnit = (size = 20): Buffer => joinAnnexB(DELIMITER, nalUnit(0x41, size));

/** Demuxes a stream that is pushed in pieces of these sizes. */
function demux(stream: Buffer, sizes: readonly number[] = [1316]) {
  const packets: MediaPacket[] = [];
  const tracks: AnnouncedTracks[] = [];
  const demuxer = new TsDemuxer({
    onPacket: (packet) => packets.push(packet),
    onTracks: (announcement) => tracks.push(announcement),
  });
  for (let offset = 0, piece = 0; offset < stream.length; piece += 1) {
    const size = sizes[piece % sizes.length] ?? 1316;
    demuxer.push(Buffer.from(stream.subarray(offset, offset + size)));
    offset += size;
  }
  demuxer.end();
  return { packets, tracks, dts: (kind: 'video' | 'audio') => timesOf(packets, kind) };
}

const timesOf = (packets: readonly MediaPacket[], kind: 'video' | 'audio'): number[] =>
  packets.flatMap((packet) => (packet.kind === kind && packet.role === 'frame' ? [packet.dts] : []));

/** Ten frames of 40 ms from `ticks` on; the first and the sixth are keyframes. */
function videoStream(ticks = 0, muxer = new TsMuxer()): Buffer[] {
  const frames = Array.from({ length: 10 }, (_, index) => {
    const dts = ticks + index * 3_600;
    const data = index % 5 === 0 ? idrAccessUnit(900) : predictedAccessUnit(500);
    return muxer.pes({ pid: VIDEO_PID, data, pts: dts + 3_600, dts, isOpen: true });
  });
  return [muxer.tables({ video: AVC, audio: AAC }), ...frames];
}

describe('a stream of H.264 and AAC', () => {
  it('becomes length-prefixed frames and raw access units with their configuration', () => {
    const muxer = new TsMuxer();
    const unit = Buffer.from([0x21, 0x10, 0x05]);
    const { packets, tracks } = demux(
      Buffer.concat([
        muxer.tables({ video: AVC, audio: AAC }),
        muxer.pes({ pid: VIDEO_PID, data: idrAccessUnit(3), pts: 12_600, dts: 9_000, isOpen: true }),
        muxer.pes({ pid: AUDIO_PID, data: Buffer.concat([adtsFrame(unit), adtsFrame(unit)]), pts: 9_000 }),
      ]),
    );
    expect(tracks).toEqual([{ video: true, audio: {} }]);
    const [config, first, second, video] = packets;
    expect(config).toMatchObject({ kind: 'audio', codec: 'aac', role: 'config', dts: 100 });
    expect(parseAacConfig(config?.payload ?? Buffer.alloc(0))).toMatchObject({
      sampleRate: 48_000,
      channels: 2,
    });
    expect([first, second]).toMatchObject([
      { role: 'frame', dts: 100, payload: unit },
      { role: 'frame', dts: 121, payload: unit },
    ]);
    expect(video).toMatchObject({
      kind: 'video',
      codec: 'avc',
      role: 'frame',
      key: true,
      dts: 100,
      pts: 140,
    });
    const hex = '00000004' + '6742c01f' + '00000002' + '68ce' + '00000004' + '65555555';
    expect(video?.payload.toString('hex')).toBe(hex);
  });

  it('gives the same packets however its bytes are split, also after unrelated bytes', () => {
    const stream = Buffer.concat(videoStream());
    const wholePackets = demux(stream).packets;
    expect(wholePackets).toHaveLength(10);
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 40, max: 3_000 }), { minLength: 1 }),
        fc.uint8Array({ maxLength: 300 }),
        (sizes, before) => {
          const noise = Buffer.from(before).map((byte) => (byte === 0x47 ? 0 : byte));
          expect(demux(Buffer.concat([noise, stream]), sizes).packets).toEqual(wholePackets);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('continues past 2^33 ticks', () => {
    const { dts } = demux(Buffer.concat(videoStream(2 ** 33 - 18_000)));
    const firstMs = Math.round((2 ** 33 - 18_000) / 90);
    expect(dts('video')).toEqual(Array.from({ length: 10 }, (_, index) => firstMs + index * 40));
  });

  it('loses at most two frames for a lost packet', () => {
    const stream = Buffer.concat(videoStream());
    const allTimes = demux(stream).dts('video');
    fc.assert(
      fc.property(fc.integer({ min: 2, max: stream.length / 188 - 1 }), (lostPacket) => {
        const remaining = Buffer.concat([
          stream.subarray(0, lostPacket * 188),
          stream.subarray((lostPacket + 1) * 188),
        ]);
        const timesLeft = demux(remaining).dts('video');
        // The packet that begins a frame also ends the previous one.
        expect(timesLeft.length).toBeGreaterThanOrEqual(8);
        expect(allTimes).toEqual(expect.arrayContaining(timesLeft));
      }),
    );
  });

  it('ignores a repeated packet', () => {
    const stream = Buffer.concat(videoStream());
    const repeatedStream = Buffer.concat(
      Array.from({ length: stream.length / 188 }, (_, index) => {
        const packet = stream.subarray(index * 188, (index + 1) * 188);
        return Buffer.concat([packet, packet]);
      }),
    );
    expect(demux(repeatedStream).packets).toEqual(demux(stream).packets);
  });
});

it.each([
  ['of a complete picture', '84'],
  ['of a gradual refresh over 59 frames', '07a0'],
])('starts a GOP at a recovery point without IDR: %s', (_name, body) => {
  const muxer = new TsMuxer();
  const recovery = Buffer.from(`0606${body.length === 2 ? '01' : '02'}${body}80`, 'hex');
  const data = joinAnnexB(SPS, PPS, recovery, nalUnit(0x41, 5));
  const pes = muxer.pes({ pid: VIDEO_PID, data, pts: 0 });
  const { packets } = demux(Buffer.concat([muxer.tables({ video: AVC }), pes]));
  expect(packets).toMatchObject([{ kind: 'video', key: true }]);
});

it.each([
  ['IDR_W_RADL', 19, true],
  ['CRA_NUT', 21, true],
  ['TRAIL_R', 1, false],
])('reads an HEVC frame with %s', (_name, type, key) => {
  const muxer = new TsMuxer();
  const unit = Buffer.from([type << 1, 1, 0x55]);
  const data = joinAnnexB(Buffer.from([35 << 1, 1, 0x50]), unit);
  const pes = muxer.pes({ pid: VIDEO_PID, data, pts: 0 });
  const { packets } = demux(Buffer.concat([muxer.tables({ video: 0x24 }), pes]));
  const payload = Buffer.concat([Buffer.from([0, 0, 0, 3]), unit]);
  expect(packets).toEqual([expect.objectContaining({ kind: 'video', codec: 'hevc', key, payload })]);
});

it('reads AAC units that continue in the next packet', () => {
  const muxer = new TsMuxer();
  const units = Array.from({ length: 12 }, (_, index) => Buffer.alloc(20 + index, index + 1));
  const bytes = Buffer.concat(units.map(adtsFrame));
  const parts = [bytes.subarray(0, 50), bytes.subarray(50, 60), bytes.subarray(60)];
  const starts = [0, 3_840, 3_840];
  const stream = parts.map((data, index) => muxer.pes({ pid: AUDIO_PID, data, pts: starts[index] ?? 0 }));
  const { packets, dts } = demux(Buffer.concat([muxer.tables({ audio: AAC }), ...stream]));
  expect(packets.slice(1).map(({ payload }) => payload)).toEqual(units);
  expect(dts('audio').slice(0, 3)).toEqual([0, 21, 43]);
});

it.each([
  ['MPEG-2', { video: 0x02 }, { kind: 'video', codec: 'unknown' }],
  ['MPEG audio', { audio: 0x03 }, { kind: 'audio', codec: 'mp3' }],
  ['AC-3', { audio: 0x81 }, { kind: 'audio', codec: 'ac3' }],
  ['E-AC-3', { audio: 0x87 }, { kind: 'audio', codec: 'eac3' }],
])('passes %s on with the name of its codec', (_name, types, expectedCodec) => {
  const muxer = new TsMuxer();
  const pid = 'video' in types ? VIDEO_PID : AUDIO_PID;
  const pes = muxer.pes({ pid, data: predictedAccessUnit(), pts: 0 });
  expect(demux(Buffer.concat([muxer.tables(types), pes])).packets).toMatchObject([expectedCodec]);
});

it('follows a program that changes its tracks', () => {
  const muxer = new TsMuxer();
  const video = (ticks: number) => muxer.pes({ pid: VIDEO_PID, data: idrAccessUnit(), pts: ticks });
  const audio = muxer.pes({ pid: AUDIO_PID, data: adtsFrame(Buffer.alloc(9, 1)), pts: 9_000 });
  const stream = [
    ...[muxer.tables({ video: AVC }), video(0)],
    ...[muxer.tables({ video: AVC, audio: AAC }), video(9_000), audio],
  ];
  const { tracks, dts } = demux(Buffer.concat(stream));
  expect(tracks.map(({ audio: announcedAudio }) => announcedAudio !== null)).toEqual([false, true]);
  expect([dts('video'), dts('audio')]).toEqual([[0, 100], [100]]);
});

it('keeps a frame in which the program gets another track', () => {
  const muxer = new TsMuxer();
  const before = muxer.tables({ video: AVC });
  const frame = muxer.pes({ pid: VIDEO_PID, data: idrAccessUnit(900), pts: 0, isOpen: true });
  const after = muxer.tables({ video: AVC, audio: AAC });
  const { packets } = demux(
    Buffer.concat([before, frame.subarray(0, 188 * 2), after, frame.subarray(188 * 2)]),
  );
  expect(packets).toEqual(demux(Buffer.concat([before, frame])).packets);
});

it('ignores a program map that does not apply yet', () => {
  const muxer = new TsMuxer();
  const frame = muxer.pes({ pid: VIDEO_PID, data: idrAccessUnit(), pts: 0 });
  const next = muxer.tables({ audio: AAC }, false);
  const { packets, tracks } = demux(Buffer.concat([muxer.tables({ video: AVC }), next, frame]));
  expect(tracks).toEqual([{ video: true, audio: null }]);
  expect(packets).toHaveLength(1);
});

it('demuxes any bytes without an exception', () => {
  const stream = Buffer.concat(videoStream());
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(stream.length - 1), fc.nat(255)), { minLength: 1, maxLength: 60 }),
      fc.uint8Array({ maxLength: 2_000 }),
      (changes, after) => {
        const brokenStream = Buffer.from(stream);
        for (const [offset, value] of changes) brokenStream[offset] = value;
        const { packets } = demux(Buffer.concat([brokenStream, after, stream]), [1316, 7]);
        for (const { payload } of packets) expect(payload.length).toBeLessThan(4 * 1024 * 1024);
      },
    ),
    { numRuns: 150 },
  );
});
