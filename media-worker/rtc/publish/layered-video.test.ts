import { describe, expect, test } from 'vitest';
import { readNalUnits } from '@/media-worker/media/cmaf/nal-units';
import { FRAME_MS, LayeredSender } from '@/media-worker/rtc/testing/layered-sender';
import { LayeredVideo, type ReceivedFrame } from './layered-video';

const widthsInBlocks = { l: 20, h: 80, m: 40 };
/** Numbers of the layers: their positions in the offer, from 1. */
const [low, high, middle] = [1, 2, 3];

const numberOf = ({ payload }: ReceivedFrame): number =>
  [...readNalUnits(payload, 4)].at(-1)?.readUInt32BE(1) ?? 0;

/** Connects a sender of three layers, whose RIDs are not in the order of their sizes. */
function createLayeredVideo() {
  const sender = new LayeredSender(widthsInBlocks);
  const clock = { now: 0 };
  const source: ReceivedFrame[] = [];
  const layers = new Map<number, ReceivedFrame[]>([1, 2, 3].map((layer) => [layer, []]));
  const counts = { byes: 0, keyRequests: 0, reports: 0 };
  const video = new LayeredVideo({
    track: { mid: '1', payloadType: 96, clockRate: 90_000 },
    layers: { rids: sender.rids, ridExtensionId: 10, extensionLines: [] },
    now: () => clock.now,
    send: (packet) => {
      // A PLI (type 206, RFC 4585 §6.1) follows a receiver report of 32 bytes.
      if (packet.length > 32 && packet.readUInt8(33) === 206) {
        counts.keyRequests += 1;
        sender.requestKeyframe();
      }
    },
    onFrame: (frame) => source.push(frame),
    onLayerFrame: (layer, frame) => layers.get(layer)?.push(frame),
    onSenderReport: () => (counts.reports += 1),
    onBye: () => (counts.byes += 1),
  });
  const deliver = (packets: readonly Buffer[]) => {
    for (const packet of packets) video.receive(packet, clock.now);
  };
  const advance = (ms: number) => {
    for (let passed = 0; passed < ms; passed += FRAME_MS) {
      deliver(sender.packetizeNextFrame());
      for (let step = 0; step < FRAME_MS; step += 20) {
        clock.now += 20;
        video.tick(clock.now);
      }
    }
  };
  return { sender, source, layers, counts, video, advance, deliver, clock };
}

const isContinuous = (frames: readonly ReceivedFrame[]) =>
  frames.every((frame, index) => index === 0 || numberOf(frame) === numberOf(frames[index - 1] ?? frame) + 1);

describe('video with layers', () => {
  test('has the largest layer as source, and all smaller layers beside it, from the first frame on', () => {
    const { advance, source, layers } = createLayeredVideo();
    advance(3_000);
    // 3,000 ms with a frame each 40 ms.
    expect(source).toHaveLength(75);
    expect(isContinuous(source)).toBe(true);
    expect(layers.get(low)).toHaveLength(75);
    expect(layers.get(middle)).toHaveLength(75);
    expect(layers.get(high)).toHaveLength(0);
  });

  test('has the same timestamps and keyframes in all layers', () => {
    const { advance, source, layers, counts } = createLayeredVideo();
    advance(10_000);
    const pictures = (frames: readonly ReceivedFrame[] = []) =>
      frames.map((frame) => [numberOf(frame), frame.key]);
    expect(pictures(layers.get(low))).toEqual(pictures(source));
    expect(pictures(layers.get(middle))).toEqual(pictures(source));
    for (const [index, { timestamp }] of source.entries())
      expect(Math.abs(timestamp - (layers.get(middle)?.[index]?.timestamp ?? 0))).toBeLessThanOrEqual(
        15 * 90,
      );
    expect(counts.reports).toBe(10);
    const keys = source.filter(({ key }) => key).length;
    expect(keys).toBeGreaterThanOrEqual(5);
    expect(keys).toBeLessThanOrEqual(6);
  });

  test('continues with the next smaller layer within two seconds when the largest pauses', () => {
    const { advance, sender, source, layers } = createLayeredVideo();
    advance(4_000);
    const countBefore = source.length;
    sender.pause('h');
    advance(2_000);
    const [lastFrameBefore, firstFrameAfter] = [source[countBefore - 1], source[countBefore]];
    expect(firstFrameAfter?.key).toBe(true);
    expect(
      numberOf(firstFrameAfter as ReceivedFrame) - numberOf(lastFrameBefore as ReceivedFrame),
    ).toBeLessThan(2_000 / FRAME_MS);
    const middleFrames = layers.get(middle) ?? [];
    expect(middleFrames.at(-1)).toEqual(source.at(-1));
    expect(isContinuous(middleFrames)).toBe(true);
    expect(isContinuous(source.slice(countBefore))).toBe(true);
  });

  test('returns to the largest layer after it has been steady, at a keyframe', () => {
    const { advance, sender, source, layers } = createLayeredVideo();
    sender.pause('h');
    advance(3_000);
    expect(layers.get(low)?.length).toBeGreaterThan(40);
    expect(layers.get(middle)).toHaveLength(0);
    sender.pause('h', false);
    advance(4_000);
    const countBeforeReturn = source.length;
    advance(3_500);
    expect(layers.get(high)).toHaveLength(0);
    expect(isContinuous(source)).toBe(true);
    // 3,500 ms with a frame each 40 ms.
    expect(source.length).toBe(countBeforeReturn + 88);
    expect(layers.get(middle)?.at(-1)).not.toEqual(source.at(-1));
    expect(numberOf(layers.get(middle)?.at(-1) as ReceivedFrame)).toBe(
      numberOf(source.at(-1) as ReceivedFrame),
    );
  });

  test('requests no keyframes of a paused layer', () => {
    const { advance, sender, counts } = createLayeredVideo();
    advance(4_000);
    sender.pause('l');
    advance(2_000);
    const countBefore = counts.keyRequests;
    advance(10_000);
    // Two layers every two seconds need about 10 requests. The paused layer would add 20, one every 500 ms.
    expect(counts.keyRequests - countBefore).toBeLessThanOrEqual(20);
  });

  test('ends when the sender has ended all layers, and continues without one of them', () => {
    const { advance, sender, counts, deliver, source } = createLayeredVideo();
    advance(2_000);
    deliver(sender.createByes('h'));
    sender.pause('h');
    advance(400);
    expect(counts.byes).toBe(0);
    const countBefore = source.length;
    advance(400);
    expect(source.length).toBe(countBefore + 10);
    deliver(sender.createByes('m', 'l'));
    expect(counts.byes).toBe(1);
  });

  test('ignores an empty packet and a packet of another payload type', () => {
    const { video, source } = createLayeredVideo();
    video.receive(Buffer.alloc(0), 0);
    video.receive(Buffer.from([0x80, 111, 0, 0]), 0);
    expect(video.receivedAtMs).toBe(-Infinity);
    expect(source).toEqual([]);
  });
});
