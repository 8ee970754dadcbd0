import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { AuthorizedPublish } from '@/lib/domain/streams';
import { systemClock } from '@/lib/infra/clock';
import { createLogger } from '@/lib/infra/logger';
import { Program } from '@/media-worker/live/program/program';
import { openRenditions } from '@/media-worker/live/session/session-renditions';
import { FakeConnection } from '@/media-worker/live/session/testing/fake-connection';
import { profile } from '@/media-worker/live/session/testing/live-stream';
import { PLAIN_SPS, CONFIG_RECORDS, spsOf } from '@/media-worker/media/cmaf/testing/codec-records';
import type { VideoPacket } from '@/media-worker/media/packets/media-packet';
import { audioConfig, steadyFrames } from '@/media-worker/media/packaging/testing/synthetic-packets';
import { startLayerRenditions } from './layer-renditions';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const PPS = Buffer.from('68ebe3cb22c0', 'hex');
const publish: AuthorizedPublish = {
  streamId: 'stream',
  sessionId: 'session',
  playbackId: 'abcd1234efgh5678',
  publishNumber: 7,
  publishedAt: new Date(0),
  settings: { version: 0, profiles: [], record: false },
};

/** A picture of a layer, with its parameter sets in keyframes. */
function picture(dts: number, key: boolean, widthInBlocks: number): VideoPacket {
  const units = key
    ? [spsOf({ ...PLAIN_SPS, widthInBlocks }), PPS, Buffer.from([0x65, 0, 0])]
    : [Buffer.from([0x41, 0, 0])];
  const payload = Buffer.concat(
    units.flatMap((unit) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(unit.length);
      return [length, unit];
    }),
  );
  return { kind: 'video', codec: 'avc', role: 'frame', key, dts, pts: dts, payload };
}

/** Media to send. */
interface SendOptions {
  readonly seconds: number;
  /** Width of the source in blocks of 16 pixels; null while only its audio arrives. */
  readonly source?: number | null;
  /** Widths of the layers from 1 on; null while a layer is paused. */
  readonly layers: readonly (number | null)[];
  /** Difference of the layers' clock, ms. */
  readonly skewMs?: number;
  /** Whether a picture of the layers is a keyframe, for other keyframes than those of the source. */
  readonly isLayerKey?: (ms: number) => boolean;
}

/** Opens a program whose layers are packaged. */
async function openProgramWithLayers() {
  const meter = { countSegment: vi.fn(), countTranscodedSegment: vi.fn(), recordMedia: vi.fn() };
  const renditions = openRenditions({ clock: systemClock, meter }, { publish, silentMs: 0 });
  const log = createLogger('test', 'silent');
  const program = new Program({
    ids: publish,
    rendition: renditions.source,
    clock: systemClock,
    log,
    makeSlate: () =>
      Promise.resolve({
        record: CONFIG_RECORDS.baseline360,
        frames: Array.from({ length: 50 }, (_, index) => ({
          key: index === 0,
          payload: Buffer.from([0, 0, 0, 2, index === 0 ? 0x65 : 0x41, index]),
        })),
        frameMs: 40,
      }),
    observer: {
      onFirstSegment: () => undefined,
      onIssues: () => undefined,
      onReject: () => undefined,
      onMedia: () => undefined,
      onChange: () => undefined,
      onEnd: () => undefined,
    },
  });
  const feature = startLayerRenditions(systemClock)({
    streamId: 'stream',
    renditions,
    log,
    report: () => undefined,
  });
  feature.follow(publish);
  program.configure({ backup: false, slate: true, slateSeconds: 60, fallbackAfterMs: 3_000 } as never);
  let ms = 0;
  const connect = (publishNumber = 7) => {
    const connection = new FakeConnection(() => systemClock.monotonic());
    const sink = program.connect('primary', connection, publishNumber);
    connection.onAdmitted(sink);
    connection.publish([audioConfig()]);
    ms = 0;
    const send = async ({ seconds, source = 80, layers, skewMs = 0, isLayerKey }: SendOptions) => {
      for (const packet of steadyFrames({ fromMs: ms, untilMs: ms + seconds * 1_000 })) {
        await vi.advanceTimersByTimeAsync(Math.max(0, packet.dts - ms));
        ms = Math.max(ms, packet.dts);
        if (packet.kind === 'audio') connection.publish([packet]);
        else {
          const isKey = packet.dts % 2_000 === 0;
          if (source !== null) connection.publish([picture(packet.dts, isKey, source)]);
          for (const [index, width] of layers.entries()) {
            const key = isLayerKey ? isLayerKey(packet.dts) : isKey;
            if (width !== null) sink.pushLayer?.(index + 1, picture(packet.dts + skewMs, key, width));
          }
        }
      }
      ms = Math.ceil(ms / 40) * 40;
    };
    return { connection, send };
  };
  const windowOf = (name: string) => renditions.get(name)?.window;
  const segmentsOf = (name: string) =>
    windowOf(name)
      ?.view()
      .segments.map(({ msn, durationMs, discontinuity, wallClockMs }) => [
        msn,
        Math.round(durationMs),
        discontinuity,
        wallClockMs,
      ]) ?? [];
  const widths = (name: string) =>
    windowOf(name)
      ?.view()
      .segments.map(({ msn }) => windowOf(name)?.findSegment(msn)?.period.tracks.video?.width) ?? [];
  const names = () => renditions.all.map(({ name }) => name);
  await vi.advanceTimersByTimeAsync(0);
  return { renditions, program, connect, segmentsOf, widths, windowOf, names, feature, meter };
}

describe('renditions of layers', () => {
  test('have the segments of the source: numbers, durations, discontinuities and dates', async () => {
    const { connect, segmentsOf, widths, windowOf, meter } = await openProgramWithLayers();
    await connect().send({ seconds: 9, layers: [null, 40, 20] });
    expect(segmentsOf('source').length).toBeGreaterThanOrEqual(4);
    for (const name of ['layer-2', 'layer-3']) expect(segmentsOf(name)).toEqual(segmentsOf('source'));
    expect(new Set(widths('layer-2'))).toEqual(new Set([640]));
    expect(new Set(widths('layer-3'))).toEqual(new Set([320]));
    expect(windowOf('layer-3')?.measure()).toMatchObject({ resolution: { width: 320 }, frameRate: 25 });
    expect(meter.countTranscodedSegment).not.toHaveBeenCalled();
  });

  test.each([-90, -30, 30, 90])(
    'are aligned with the source when their clock differs by %i ms',
    async (skewMs) => {
      const { connect, segmentsOf } = await openProgramWithLayers();
      await connect().send({ seconds: 9, layers: [null, 40], skewMs });
      expect(segmentsOf('layer-2')).toEqual(segmentsOf('source'));
    },
  );

  test('show the source for the segments in which a layer is paused, without a gap', async () => {
    const { connect, segmentsOf, widths, names } = await openProgramWithLayers();
    const { send } = connect();
    await send({ seconds: 5, layers: [40] });
    await send({ seconds: 4, layers: [null] });
    await send({ seconds: 7, layers: [40] });
    expect(names()).toEqual(['source', 'layer-1']);
    expect(segmentsOf('layer-1').map(([msn]) => msn)).toEqual(segmentsOf('source').map(([msn]) => msn));
    expect(new Set(widths('layer-1'))).toEqual(new Set([640, 1_280]));
    expect(widths('layer-1').at(-1)).toBe(640);
  });

  test('show the source in a segment at whose start the layer has no keyframe', async () => {
    const { connect, segmentsOf, widths } = await openProgramWithLayers();
    await connect().send({
      seconds: 11,
      layers: [40],
      isLayerKey: (ms) => ms % 2_000 === 0 && ms !== 4_000,
    });
    expect(segmentsOf('layer-1')).toEqual(segmentsOf('source'));
    expect(widths('layer-1')).toEqual([640, 640, 1_280, 640, 640].slice(-widths('layer-1').length));
  });

  test('continue in the next period of the source, for example when the largest layer has ended', async () => {
    const { connect, segmentsOf, widths } = await openProgramWithLayers();
    const { send } = connect();
    await send({ seconds: 6, layers: [null, 40, 20] });
    await send({ seconds: 6, source: 40, layers: [null, 40, 20] });
    expect(segmentsOf('layer-2')).toEqual(segmentsOf('source'));
    expect(segmentsOf('layer-3')).toEqual(segmentsOf('source'));
    expect(new Set(segmentsOf('source').map(([, , discontinuity]) => discontinuity)).size).toBe(2);
    expect(new Set(widths('layer-2'))).toEqual(new Set([640]));
  });

  test('continue after a pause of the source, when another layer becomes the source', async () => {
    const { connect, segmentsOf, widths } = await openProgramWithLayers();
    const { send } = connect();
    await send({ seconds: 5, layers: [null, 40] });
    await send({ seconds: 1, source: null, layers: [null, 40] });
    await send({ seconds: 7, source: 40, layers: [null, 40] });
    expect(segmentsOf('layer-2').map(([msn]) => msn)).toEqual(segmentsOf('source').map(([msn]) => msn));
    expect(widths('layer-2').at(-1)).toBe(640);
  });

  test('end ten seconds after the layer, and start again with it', async () => {
    const { connect, names, segmentsOf } = await openProgramWithLayers();
    const { send } = connect();
    await send({ seconds: 4, layers: [40] });
    await send({ seconds: 12, layers: [null] });
    expect(names()).toEqual(['source']);
    await send({ seconds: 6, layers: [40] });
    expect(names()).toEqual(['source', 'layer-1']);
    expect(segmentsOf('source')).toEqual(expect.arrayContaining(segmentsOf('layer-1')));
  });

  test('show the slate while the encoder is away, and the next encoder afterwards', async () => {
    const { connect, program, segmentsOf, widths, renditions } = await openProgramWithLayers();
    const firstEncoder = connect();
    await firstEncoder.send({ seconds: 6, layers: [20] });
    firstEncoder.connection.disconnect('lost');
    const rendition = renditions.get('layer-1');
    await vi.advanceTimersByTimeAsync(26_000);
    expect(program.input).toBe('slate');
    // The layers follow the source a few frames later.
    const expectSameSegments = () => {
      const msns = segmentsOf('layer-1').map(([msn]) => msn ?? 0);
      const lastMsn = segmentsOf('source').at(-1)?.[0] ?? 0;
      expect([lastMsn, lastMsn - 1]).toContain(msns.at(-1));
      expect(msns).toEqual(msns.map((_, index) => (msns[0] ?? 0) + index));
      expect(msns.length).toBeGreaterThanOrEqual(5);
    };
    expectSameSegments();
    expect(widths('layer-1').at(-1)).toBe(640);
    await connect(8).send({ seconds: 7, layers: [20] });
    expectSameSegments();
    expect(widths('layer-1').at(-1)).toBe(320);
    expect(renditions.get('layer-1')).toBe(rendition);
  });

  test('are not made for an encoder without layers', async () => {
    const { connect, names } = await openProgramWithLayers();
    await connect().send({ seconds: 5, layers: [] });
    expect(names()).toEqual(['source']);
  });

  test('have other names than the profiles of the stream', async () => {
    const { connect, names, feature, renditions } = await openProgramWithLayers();
    const { send } = connect();
    await send({ seconds: 5, layers: [40] });
    expect(renditions.get('layer-1')?.layerSize).toEqual({ width: 640, height: 720 });
    feature.follow({
      ...publish,
      settings: { ...publish.settings, profiles: [profile(180, { name: 'layer-1' })] },
    });
    expect(names()).toEqual(['source']);
    await send({ seconds: 3, layers: [40] });
    expect(names()).toEqual(['source', 'layer-1+']);
  });

  test('close with the session', async () => {
    const { connect, feature, renditions, program } = await openProgramWithLayers();
    await connect().send({ seconds: 5, layers: [40] });
    const rendition = renditions.get('layer-1');
    const whenIdle = rendition?.waitUntilIdle();
    program.end('finished');
    await feature.close();
    await expect(whenIdle).resolves.toBeUndefined();
    expect(vi.getTimerCount()).toBeLessThanOrEqual(2);
  });
});
