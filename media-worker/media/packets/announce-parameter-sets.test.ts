import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAvcConfig } from '@/media-worker/media/cmaf/codec-config';
import { buildAvcRecord } from '@/media-worker/media/cmaf/avc-parameter-sets';
import { PLAIN_SPS, CONFIG_RECORDS, spsOf } from '@/media-worker/media/cmaf/testing/codec-records';
import { audioFrame, videoFrame } from '@/media-worker/media/packaging/testing/synthetic-packets';
import { emitChangedConfigs } from './announce-parameter-sets';
import type { MediaPacket, VideoPacket } from './media-packet';

const LANDSCAPE_SPS = spsOf(PLAIN_SPS);
const PORTRAIT_SPS = spsOf({ ...PLAIN_SPS, widthInBlocks: 45, heightInUnits: 80 });
const PPS = Buffer.from('68ee3c80', 'hex');
const OTHER_PPS = Buffer.from('68ee3cb0', 'hex');
const IDR = Buffer.from('6588840000', 'hex');

/** A NAL unit after its length of `size` bytes. */
const withLength = (nal: Buffer, size: number): Buffer => {
  const length = Buffer.alloc(size);
  length.writeUIntBE(nal.length, 0, size);
  return Buffer.concat([length, nal]);
};
const frame = (dts: number, nals: readonly Buffer[], { key = true, size = 4 } = {}): VideoPacket => ({
  ...videoFrame(dts, { key }),
  payload: Buffer.concat(nals.map((nal) => withLength(nal, size))),
});
const config = (sps: Buffer, size = 4): VideoPacket => ({
  ...videoFrame(0),
  role: 'config',
  payload: buildAvcRecord({ sps: [sps], pps: [PPS] }, size),
});

function passThrough(packets: readonly MediaPacket[]): MediaPacket[] {
  const emittedPackets: MediaPacket[] = [];
  const sink = emitChangedConfigs({ push: (packet) => emittedPackets.push(packet), end: () => undefined });
  for (const packet of packets) sink.push(packet);
  return emittedPackets;
}

/** The output as text: kind and time of frames, and the video size of configurations. */
const summarize = (packets: readonly MediaPacket[]): string[] =>
  passThrough(packets).map((packet) => {
    if (packet.role === 'frame') return `${packet.kind} ${packet.dts}`;
    const { width, height } = parseAvcConfig(packet.payload);
    return `${width}x${height}`;
  });

describe('parameter sets in keyframes', () => {
  it('that repeat the configuration change nothing', () => {
    const packets = [
      config(LANDSCAPE_SPS),
      frame(0, [LANDSCAPE_SPS, PPS, IDR]),
      frame(2_000, [LANDSCAPE_SPS, PPS, IDR]),
      audioFrame(5),
    ];
    expect(passThrough(packets)).toEqual(packets);
  });

  it('that change the video are announced before their keyframe', () => {
    const packets = [
      config(LANDSCAPE_SPS),
      frame(0, [IDR]),
      frame(2_000, [PORTRAIT_SPS, PPS, IDR]),
      frame(4_000, [PORTRAIT_SPS, PPS, IDR]),
    ];
    expect(summarize(packets)).toEqual(['1280x720', 'video 0', '720x1280', 'video 2000', 'video 4000']);
  });

  it('are announced if the encoder sends no configuration', () => {
    expect(summarize([frame(0, [LANDSCAPE_SPS, PPS, IDR]), frame(40, [IDR], { key: false })])).toEqual([
      '1280x720',
      'video 0',
      'video 40',
    ]);
  });

  it('replace a broken configuration', () => {
    const brokenConfig = { ...config(LANDSCAPE_SPS), payload: Buffer.from([1]) };
    expect(passThrough([brokenConfig, frame(0, [LANDSCAPE_SPS, PPS, IDR])]).map(({ role }) => role)).toEqual([
      'config',
      'config',
      'frame',
    ]);
  });

  it('stay in effect when the encoder repeats its old configuration, until the keyframe after a new one', () => {
    const packets = [
      config(LANDSCAPE_SPS),
      frame(0, [IDR]),
      frame(2_000, [PORTRAIT_SPS, PPS, IDR]),
      config(LANDSCAPE_SPS),
      frame(4_000, [PORTRAIT_SPS, PPS, IDR]),
    ];
    expect(summarize(packets)).toEqual(['1280x720', 'video 0', '720x1280', 'video 2000', 'video 4000']);
    const newConfig = [config(LANDSCAPE_SPS, 2), frame(6_000, [IDR], { size: 2 })];
    expect(summarize([...packets, ...newConfig]).slice(-3)).toEqual(['video 4000', '1280x720', 'video 6000']);
  });

  it('that contain only a changed PPS are announced with the last SPS', () => {
    const emittedPackets = passThrough([config(LANDSCAPE_SPS), frame(0, [OTHER_PPS, IDR])]);
    expect(emittedPackets[1]?.payload).toEqual(buildAvcRecord({ sps: [LANDSCAPE_SPS], pps: [OTHER_PPS] }, 4));
  });

  it('are parsed with the NAL length size of the configuration', () => {
    expect(summarize([config(LANDSCAPE_SPS, 2), frame(0, [PORTRAIT_SPS, PPS, IDR], { size: 2 })])).toEqual([
      '1280x720',
      '720x1280',
      'video 0',
    ]);
  });

  it('that no decoder can parse change nothing', () => {
    const packets = [config(LANDSCAPE_SPS), frame(0, [Buffer.from([0x67]), PPS, IDR])];
    expect(passThrough(packets)).toEqual(packets);
  });
});

describe('a changed configuration before its keyframe', () => {
  const interFrame = (dts: number): VideoPacket => frame(dts, [Buffer.from('419a00', 'hex')], { key: false });
  const earlierPackets = [
    config(LANDSCAPE_SPS),
    frame(0, [IDR]),
    { ...config(PORTRAIT_SPS), dts: 40, pts: 40 },
    interFrame(1_000),
  ];

  it('takes effect at that keyframe', () => {
    const emittedPackets = passThrough([...earlierPackets, frame(2_000, [IDR]), interFrame(2_040)]);
    expect(emittedPackets.map(({ role, dts }) => `${role} ${dts}`)).toEqual([
      'config 0',
      'frame 0',
      'frame 1000',
      'config 2000',
      'frame 2000',
      'frame 2040',
    ]);
  });

  it('is dropped if the encoder returns to the old configuration first', () => {
    expect(summarize([...earlierPackets, config(LANDSCAPE_SPS), frame(2_000, [IDR])])).toEqual([
      '1280x720',
      'video 0',
      'video 1000',
      '1280x720',
      'video 2000',
    ]);
  });

  it('waits for a keyframe of its codec', () => {
    const hevcConfig: VideoPacket = {
      ...config(LANDSCAPE_SPS),
      codec: 'hevc',
      payload: CONFIG_RECORDS.hevc320,
    };
    const hevcFrame: VideoPacket = { ...frame(3_000, [IDR]), codec: 'hevc' };
    const emittedPackets = passThrough([
      ...earlierPackets.slice(0, 2),
      hevcConfig,
      frame(2_000, [IDR]),
      hevcFrame,
    ]);
    expect(emittedPackets.map(({ role, codec, dts }) => `${role} ${codec} ${dts}`)).toEqual([
      'config avc 0',
      'frame avc 0',
      'frame avc 2000',
      'config hevc 3000',
      'frame hevc 3000',
    ]);
  });
});

it('frames pass unchanged, whatever a keyframe contains', () => {
  const nal = fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 60 }),
    fc.constantFrom(LANDSCAPE_SPS, PORTRAIT_SPS, PPS, IDR, Buffer.alloc(70_000, 0x67)),
  );
  fc.assert(
    fc.property(fc.array(nal, { maxLength: 40 }), fc.uint8Array({ maxLength: 20 }), (nals, tail) => {
      const wholeFrame = frame(
        0,
        nals.map((bytes) => Buffer.from(bytes)),
      );
      const sentFrame = { ...wholeFrame, payload: Buffer.concat([wholeFrame.payload, tail]) };
      expect(passThrough([sentFrame]).at(-1)).toBe(sentFrame);
      expect(passThrough([config(LANDSCAPE_SPS), sentFrame]).at(-1)).toBe(sentFrame);
    }),
  );
});
