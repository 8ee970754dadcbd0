import { describe, expect, it } from 'vitest';
import { readRecordParameterSets } from '@/media-worker/media/cmaf/avc-parameter-sets';
import {
  avcRecordOf,
  PLAIN_SPS,
  CONFIG_RECORDS,
  spsOf,
  type SpsFields,
} from '@/media-worker/media/cmaf/testing/codec-records';
import { findBox } from '@/media-worker/media/cmaf/testing/read-boxes';
import type { MediaPacket } from '@/media-worker/media/packets/media-packet';
import { Packaging, TEST_EPOCH } from './testing/packaging';
import { audioConfig, audioFrame, steadyFrames, videoConfig, videoFrame } from './testing/synthetic-packets';

const CONFIGS = [videoConfig(), audioConfig()];

function packagePackets(
  packets: readonly MediaPacket[],
  options: Parameters<Packaging['run']>[1] = {},
): Packaging {
  const packaging = new Packaging({ minListedCount: 1000 });
  packaging.run(packets, options);
  return packaging;
}

const eventsOf = <T extends string>(packaging: Packaging, type: T) =>
  packaging.events.filter((event): event is Extract<typeof event, { type: T }> => event.type === type);

const codecsOf = (packaging: Packaging) =>
  eventsOf(packaging, 'init').map(({ tracks }) => [tracks.video?.codec, tracks.audio?.codec]);

describe('cutting', () => {
  it('cuts segments at the first keyframe after 2 s, and parts at the frame nearest to 500 ms', () => {
    const packaging = packagePackets([...CONFIGS, ...steadyFrames({ untilMs: 9000, gopMs: 1000 })]);
    expect(packaging.segments.map(({ durationMs }) => durationMs)).toEqual([2000, 2000, 2000, 2000, 1000]);
    const parts = packaging.segments[0]?.parts ?? [];
    expect(parts.map(({ durationMs }) => durationMs)).toEqual([520, 520, 520, 440]);
    expect(parts.map(({ independent }) => independent)).toEqual([true, false, false, false]);
    expect(packaging.segments.every(({ independent }) => independent)).toBe(true);
  });

  it('reports a long GOP once and waits for the keyframe', () => {
    const packaging = packagePackets([...CONFIGS, ...steadyFrames({ untilMs: 24_000, gopMs: 8000 })]);
    expect(packaging.issues()).toEqual(['long_gop']);
    expect(packaging.segments.map(({ durationMs }) => durationMs)).toEqual([8000, 8000, 8000]);
  });

  it('cuts without a keyframe after 10 s and reports it', () => {
    const packaging = packagePackets([...CONFIGS, ...steadyFrames({ untilMs: 25_000, gopMs: 600_000 })]);
    expect(packaging.issues()).toEqual(['long_gop', 'forced_cut']);
    expect(packaging.segments.map(({ independent }) => independent)).toEqual([true, false, false]);
    expect(packaging.window.view().targetDuration).toBe(10);
  });

  it('keeps the target duration when keyframes get further apart, and begins a segment at each keyframe', () => {
    const steady = steadyFrames({ untilMs: 8000 });
    const slower = steadyFrames({ fromMs: 8000, untilMs: 40_000, gopMs: 8000 });
    const packaging = new Packaging({ minListedCount: 1000 });
    const targets = new Set<number>();
    packaging.window.observe({ onSegment: () => targets.add(packaging.window.view().targetDuration) });
    packaging.run([...CONFIGS, ...steady, ...slower]);
    expect([...targets]).toEqual([2]);
    for (const { durationMs } of packaging.segments)
      expect(Math.round(durationMs / 1000)).toBeLessThanOrEqual(2);
    const entries = packaging.segments.filter(({ independent }) => independent);
    expect(entries.map(({ startMs }) => startMs)).toEqual([
      ...[0, 2000, 4000, 6000, 8000],
      ...[16_000, 24_000, 32_000],
    ]);
    expect(packaging.segments.at(-1)?.endMs).toBe(40_000);
  });

  it('cuts without a keyframe when a segment grows too large', () => {
    const frames = Array.from({ length: 100 }, (_one, n) =>
      videoFrame(n * 40, { key: n === 0, bytes: 1000 }),
    );
    const packaging = packagePackets([...CONFIGS, ...frames], { limits: { maxSegmentBytes: 20_000 } });
    expect(packaging.segments.length).toBeGreaterThanOrEqual(4);
    expect(Math.max(...packaging.segments.map(({ bytes }) => bytes))).toBeLessThan(23_000);
  });

  it('cuts audio without video by time', () => {
    const packaging = packagePackets([audioConfig(), ...steadyFrames({ untilMs: 9000, video: false })]);
    expect(packaging.segments).toHaveLength(5);
    for (const { durationMs } of packaging.segments.slice(0, 4))
      expect(Math.abs(durationMs - 2000)).toBeLessThan(50);
  });

  it('continues audio while the video is paused, and packages both when it resumes', () => {
    const steady = steadyFrames({ untilMs: 30_000 });
    const packets = steady.filter(({ kind, dts }) => kind === 'audio' || dts < 4000 || dts >= 24_000);
    const packaging = packagePackets([...CONFIGS, ...packets]);
    expect(eventsOf(packaging, 'init')).toHaveLength(1);
    expect(Math.max(...packaging.segments.map(({ durationMs }) => durationMs))).toBeLessThan(6000);
    expect(packaging.segments.at(-1)?.endMs).toBe(30_000);
  });

  it('drops video frames before the first keyframe, and audio before that keyframe', () => {
    const packaging = packagePackets([...CONFIGS, ...steadyFrames({ untilMs: 3000 }).slice(1)]);
    expect(eventsOf(packaging, 'part')[0]).toMatchObject({ startMs: 0, independent: true });
    expect(packaging.segments.map(({ durationMs }) => durationMs)).toEqual([1000]);
  });
});

describe('tracks of a publish', () => {
  it('start as soon as both are configured, with the wall clock of the first frame', () => {
    const packaging = new Packaging();
    packaging.begin([...CONFIGS, videoFrame(0, { key: true })]);
    expect(eventsOf(packaging, 'init')[0]).toMatchObject({ wallClockMs: TEST_EPOCH, startMs: 0 });
  });

  it('waits for the second track for one second of media, and keeps every frame of the first', () => {
    const packaging = new Packaging();
    const video = steadyFrames({ untilMs: 4000, audio: false });
    const packager = packaging.begin([videoConfig(), ...video.filter(({ dts }) => dts < 1000)]);
    expect(packaging.events).toEqual([]);
    packaging.push(packager, video.filter(({ dts }) => dts >= 1000)); // prettier-ignore
    packager.finish();
    expect(codecsOf(packaging)).toEqual([['avc1.64000d', undefined]]);
    expect(eventsOf(packaging, 'part').reduce((sum, part) => sum + part.videoFrames, 0)).toBe(video.length);
    expect(eventsOf(packaging, 'init')[0]?.wallClockMs).toBe(TEST_EPOCH);
  });

  it('packages media of a publish that ends during the wait for tracks', () => {
    expect(
      packagePackets([videoConfig(), ...steadyFrames({ untilMs: 500, audio: false })]).segments,
    ).toHaveLength(1);
  });

  it('writes the parameter sets into the keyframes of every period but the first, and into no other frame', () => {
    const [first, second] = [videoConfig(CONFIG_RECORDS.baseline360), videoConfig()];
    const frames = steadyFrames({ untilMs: 8_000, audio: false });
    const packaging = packagePackets([first, ...frames.slice(0, 100), second, ...frames.slice(100)]);
    const [sps = Buffer.alloc(0)] = readRecordParameterSets(second.payload).sps;
    const countParameterSets = (init: string) =>
      packaging.segments
        .filter((segment) => segment.init === init)
        .map(({ parts }) => Buffer.concat(parts.flatMap(({ data }) => data)).toString('latin1'))
        .map((media) => media.split(sps.toString('latin1')).length - 1);
    const [firstInit = '', laterInit = ''] = new Set(packaging.segments.map(({ init }) => init));
    expect(countParameterSets(firstInit)).toEqual([0, 0]);
    // Each segment has one keyframe.
    expect(countParameterSets(laterInit)).toEqual([1, 1]);
  });

  it('adds late audio with a new init segment at the next keyframe', () => {
    const frames = steadyFrames({ untilMs: 10_000 });
    const lateAudioPackets = frames.filter(({ kind, dts }) => kind === 'video' || dts > 4900);
    const index = lateAudioPackets.findIndex(({ dts }) => dts > 4900);
    const packaging = packagePackets([
      videoConfig(),
      ...lateAudioPackets.slice(0, index),
      audioConfig(),
      ...lateAudioPackets.slice(index),
    ]);
    expect(codecsOf(packaging)).toEqual([['avc1.64000d', undefined], ['avc1.64000d', 'mp4a.40.2']]); // prettier-ignore
    expect(packaging.segments.map(({ init, startMs }) => [init, startMs])).toEqual([
      ['init-1.mp4', 0],
      ['init-1.mp4', 2000],
      ['init-1.mp4', 4000],
      ['init-1-1.mp4', 6000],
      ['init-1-1.mp4', 8000],
    ]);
  });

  it.each([
    ['vp9', 'video codec is VP9; H.264, HEVC and AV1 are accepted'],
    ['unknown', 'video codec is not recognised; H.264, HEVC and AV1 are accepted'],
  ] as const)('rejects video in %s immediately, with or without audio', (codec, message) => {
    const video = [0, 40, 80].map((ms) => videoFrame(ms, { key: true, codec }));
    const packaging = packagePackets([
      audioConfig(),
      ...video,
      ...steadyFrames({ untilMs: 3000, video: false }),
    ]);
    expect(eventsOf(packaging, 'rejected')).toEqual([{ type: 'rejected', message }]);
    expect(eventsOf(packaging, 'init')).toEqual([]);
    expect(eventsOf(packagePackets(video.slice(0, 1)), 'rejected')).toEqual([{ type: 'rejected', message }]);
  });

  it('continues when a stray packet of an unknown codec arrives', () => {
    const strayFrame = videoFrame(1000, { codec: 'unknown' });
    const packaging = packagePackets([...CONFIGS, ...steadyFrames({ untilMs: 5000 }), strayFrame]);
    expect(packaging.issues()).toEqual(['unsupported_codec']);
    expect(eventsOf(packaging, 'rejected')).toEqual([]);
  });

  const spsWith = (fields: Partial<SpsFields>) => spsOf({ ...PLAIN_SPS, ...fields });
  const rejectedVideo = [
    ['16000x16000', spsWith({ widthInBlocks: 1000, heightInUnits: 1000 }), 'the picture has 16000x16000 pixels; at most 4096x2304 are accepted'],
    ['16000x16000 cropped to a small size', spsWith({ widthInBlocks: 1000, heightInUnits: 1000, crop: [7900, 0, 7900, 0] }), 'the picture has 16000x16000 pixels; at most 4096x2304 are accepted'],
    ['a line wider than an MP4 track can be', spsWith({ widthInBlocks: 5000, heightInUnits: 1 }), 'the picture has 80000x16 pixels; at most 4096x2304 are accepted'],
    ['4:2:2', spsWith({ profile: 122, chroma: 2 }), 'video pixel format is yuv422p; yuv420p and yuvj420p are accepted'],
    ['4:4:4', spsWith({ profile: 244, chroma: 3 }), 'video pixel format is yuv444p; yuv420p and yuvj420p are accepted'],
    ['10 bit', spsWith({ profile: 110, bitDepth: 10 }), 'video pixel format is yuv420p10le; yuv420p and yuvj420p are accepted'],
  ] as const; // prettier-ignore

  it.each(rejectedVideo)('rejects video of %s', (_name, sps, message) => {
    const first = packagePackets([
      audioConfig(),
      videoConfig(avcRecordOf(sps)),
      ...steadyFrames({ untilMs: 3000 }),
    ]);
    expect(eventsOf(first, 'rejected')).toEqual([{ type: 'rejected', message }]);
    expect(eventsOf(first, 'init')).toEqual([]);
  });

  it.each(rejectedVideo)(
    'rejects a change to %s, by a configuration or in a keyframe, and keeps the media packaged before',
    (_name, sps, message) => {
      const before = [...CONFIGS, ...steadyFrames({ untilMs: 4100 })];
      const changedPackaging = packagePackets([...before, videoConfig(avcRecordOf(sps)), ...steadyFrames({ fromMs: 4100, untilMs: 9000 })]); // prettier-ignore
      expect(eventsOf(changedPackaging, 'rejected')).toEqual([{ type: 'rejected', message }]);
      expect(changedPackaging.segments.map(({ startMs }) => startMs)).toEqual([0, 2000, 4000]);

      const length = Buffer.alloc(4);
      length.writeUInt32BE(sps.length);
      const frameWithSps = { ...videoFrame(4100, { key: true }), payload: Buffer.concat([length, sps]) };
      expect(eventsOf(packagePackets([...before, frameWithSps]), 'rejected')).toEqual([
        { type: 'rejected', message },
      ]);
    },
  );

  it('accepts the largest supported video, 4096x2304', () => {
    const largest = avcRecordOf(spsWith({ widthInBlocks: 256, heightInUnits: 144 }));
    const packaging = packagePackets([
      videoConfig(largest),
      ...steadyFrames({ untilMs: 3000, audio: false }),
    ]);
    expect(eventsOf(packaging, 'rejected')).toEqual([]);
    expect(packaging.segments).toHaveLength(2);
  });

  it('rejects frames without a configuration', () => {
    const packaging = packagePackets(steadyFrames({ untilMs: 6000 }));
    expect(eventsOf(packaging, 'rejected')[0]?.message).toBe(
      'no configuration of H.264, HEVC, AV1 or AAC arrived',
    );
  });

  it('leaves out a track with a broken configuration, and adds it when the configuration is valid', () => {
    const brokenConfig = videoConfig(Buffer.from('0102', 'hex'));
    const packaging = packagePackets([
      brokenConfig,
      audioConfig(),
      ...steadyFrames({ untilMs: 4000 }),
      videoConfig(),
      ...steadyFrames({ fromMs: 4000, untilMs: 8000 }),
    ]);
    expect(packaging.issues()).toEqual(['bad_config', 'late_picture']);
    expect(eventsOf(packaging, 'resolved').map(({ message }) => message)).toEqual(
      eventsOf(packaging, 'issue')
        .slice(0, 1)
        .map(({ message }) => message),
    );
    expect(codecsOf(packaging)).toEqual([[undefined, 'mp4a.40.2'], ['avc1.64000d', 'mp4a.40.2']]); // prettier-ignore
  });
});

describe('changes of configuration', () => {
  it('repeated configurations start no new period', () => {
    const packets = steadyFrames({ untilMs: 6000 }).flatMap((packet) => [...CONFIGS, packet]);
    expect(eventsOf(packagePackets(packets), 'init')).toHaveLength(1);
  });

  it('changed video starts a new period at its keyframe', () => {
    const packaging = packagePackets([
      ...CONFIGS,
      ...steadyFrames({ untilMs: 3000 }),
      videoConfig(CONFIG_RECORDS.baseline360),
      ...steadyFrames({ fromMs: 3000, untilMs: 6000 }),
    ]);
    expect(codecsOf(packaging).map(([video]) => video)).toEqual(['avc1.64000d', 'avc1.42c01e']);
    expect(packaging.segments.map(({ discontinuity }) => discontinuity)).toEqual([1, 1, 2, 2]);
    // The last of 141 audio frames of the first period ends at 3008 ms.
    expect(packaging.segments.map(({ startMs }) => Math.round(startMs))).toEqual([0, 2000, 3008, 5008]);
  });

  it('changed audio starts a new period at the next keyframe', () => {
    const packaging = packagePackets([
      ...CONFIGS,
      ...steadyFrames({ untilMs: 3000 }),
      audioConfig(CONFIG_RECORDS.aac51),
      ...steadyFrames({ untilMs: 8000 }).filter(({ dts }) => dts >= 3000),
    ]);
    expect(
      eventsOf(packaging, 'init').map(({ tracks, startMs }) => [tracks.audio?.channels, startMs]),
    ).toEqual([
      [2, 0],
      [6, 4000],
    ]);
  });

  it('changes with every frame start at most one period per second', () => {
    const packets = steadyFrames({ untilMs: 20_000, gopMs: 40, audio: false }).flatMap((packet, n) => [
      videoConfig(n % 2 === 0 ? CONFIG_RECORDS.baseline360 : CONFIG_RECORDS.high320),
      packet,
    ]);
    expect(eventsOf(packagePackets([...CONFIGS, ...packets]), 'init').length).toBeLessThanOrEqual(21);
  });
});

describe('timestamps', () => {
  it.each([
    ['forward', 40_000],
    ['backward to zero', -6000],
    ['back by 50 h', -50 * 3600 * 1000],
  ])('a jump %s is a discontinuity that keeps both tracks in sync', (_name, jumpMs) => {
    const packaging = packagePackets([
      ...CONFIGS,
      ...steadyFrames({ untilMs: 6000 }),
      ...steadyFrames({ fromMs: 6000 + jumpMs, untilMs: 10_000 + jumpMs }),
    ]);
    expect(packaging.issues().filter((code) => code === 'timestamp_jump')).toHaveLength(1);
    // The last of 282 audio frames of the first period ends at 6016 ms.
    expect(eventsOf(packaging, 'init').map(({ startMs }) => startMs)).toEqual([0, 6016]);
    const [, second] = eventsOf(packaging, 'init');
    const part = eventsOf(packaging, 'part').find(({ startMs }) => startMs === second?.startMs);
    if (!part) throw new Error('the second period has no part');
    const video = findBox(Buffer.concat(part.data), 'moof/traf/tfdt').body.readBigUInt64BE(4);
    const audio = findBox(Buffer.concat(part.data), 'moof/traf#1/tfdt').body.readBigUInt64BE(4);
    // At most one audio frame apart. The timescales are 90 and 48 ticks per millisecond.
    expect(Math.abs(Number(video) / 90 - Number(audio) / 48)).toBeLessThan(22);
  });

  it('spans a pause of 8 s without a discontinuity', () => {
    const packets = [
      ...steadyFrames({ untilMs: 4000 }),
      ...steadyFrames({ fromMs: 12_000, untilMs: 16_000 }),
    ];
    const packaging = packagePackets([...CONFIGS, ...packets]);
    expect(eventsOf(packaging, 'init')).toHaveLength(1);
    expect(packaging.issues()).toEqual([]);
    expect(packaging.segments.at(-1)?.endMs).toBe(16_000);
  });

  it('realigns audio with the video after a gap', () => {
    const packets = steadyFrames({ untilMs: 6000 }).filter(
      ({ kind, dts }) => kind === 'video' || dts < 2100 || dts > 3900,
    );
    const parts = eventsOf(packagePackets([...CONFIGS, ...packets]), 'part').filter(
      ({ startMs }) => startMs >= 4000,
    );
    expect(parts.length).toBeGreaterThan(0);
    const starts = parts.map(
      ({ data }) => Number(findBox(Buffer.concat(data), 'moof/traf#1/tfdt').body.readBigUInt64BE(4)) / 48,
    );
    parts.forEach(({ startMs }, index) => expect(Math.abs((starts[index] ?? 0) - startMs)).toBeLessThan(50));
  });

  it('survives a frame that lasts a day while audio continues', () => {
    const dayMs = 24 * 3_600_000;
    const audio = Array.from({ length: dayMs / 9000 }, (_one, n) => audioFrame(n * 9000));
    const packaging = packagePackets([
      ...CONFIGS,
      videoFrame(0, { key: true }),
      ...audio,
      videoFrame(dayMs, { key: true }),
    ]);
    expect(eventsOf(packaging, 'init')).toHaveLength(1);
    expect(packaging.segments.at(-1)?.endMs).toBeGreaterThanOrEqual(dayMs);
  });

  it('reports audio of another clock and keeps the video playing', () => {
    const packets = steadyFrames({ untilMs: 4000 }).map((packet) =>
      packet.kind === 'audio'
        ? { ...packet, dts: packet.dts + 3_600_000, pts: packet.pts + 3_600_000 }
        : packet,
    );
    const packaging = packagePackets([...CONFIGS, ...packets]);
    expect(packaging.issues()).toEqual(['audio_dropped']);
    expect(packaging.segments).toHaveLength(2);
  });

  it('packages fewer than 200 of 5,000 frames with the same timestamp', () => {
    const equalFrames = Array.from({ length: 5000 }, (_one, n) => videoFrame(0, { key: n === 0 }));
    const packaging = packagePackets([...CONFIGS, ...equalFrames]);
    expect(eventsOf(packaging, 'init')).toHaveLength(1);
    expect(eventsOf(packaging, 'part').reduce((sum, { videoFrames }) => sum + videoFrames, 0)).toBeLessThan(
      200,
    );
  });
});

it('finish() can be called twice, and later packets are ignored', () => {
  const packaging = new Packaging();
  const packager = packaging.begin([...CONFIGS, ...steadyFrames({ untilMs: 1000 })]);
  packager.finish();
  const count = packaging.events.length;
  packager.finish();
  packager.push(videoFrame(1000, { key: true }));
  expect(packaging.events).toHaveLength(count);
});
