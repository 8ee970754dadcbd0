import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MediaPacket } from './media-packet';
import { PacketQueue, type QueueLimits } from './packet-queue';
import { audio, audioConfig, label, video, videoConfig } from './testing/packets';

const wideLimits: QueueLimits = { packets: 1000, bytes: 1_000_000, durationMs: 60_000 };

function createQueue(packets: MediaPacket[], limits: Partial<QueueLimits> = {}): PacketQueue {
  const queue = new PacketQueue({ ...wideLimits, ...limits });
  for (const packet of packets) queue.add(packet);
  return queue;
}

function drain(queue: PacketQueue): string {
  const labels: string[] = [];
  for (let packet = queue.take(); packet; packet = queue.take()) labels.push(label(packet));
  return labels.join(' ');
}

describe('a PacketQueue', () => {
  it('returns packets in order', () => {
    const queue = createQueue([videoConfig(), video(0, true), audio(10), video(40)]);
    // A video configuration of 10 bytes, two video frames of 100 and an audio frame of 10 (testing/packets.ts).
    expect(queue.bytes).toBe(220);
    expect(drain(queue)).toBe('VC K0 A10 V40');
    expect([queue.length, queue.bytes, queue.droppedCount]).toEqual([0, 0, 0]);
  });

  it.each([
    ['packets', { packets: 5 }],
    ['bytes', { bytes: 420 }],
    ['milliseconds', { durationMs: 130 }],
  ])('that exceeds its limit of %s continues from the next keyframe that it holds', (_name, limits) => {
    const frames = [video(0, true), video(40), video(80, true), video(120), video(160)];
    const queue = createQueue([videoConfig(), ...frames], limits);
    expect(drain(queue)).toBe('VC K80 V120 V160');
    expect(queue.droppedCount).toBe(2);
  });

  it('without a keyframe to continue from, drops everything and waits for one', () => {
    const queue = createQueue(
      [videoConfig(), audioConfig(), video(0, true), audio(5), video(40), video(80)],
      {
        packets: 5,
      },
    );
    expect(queue.droppedCount).toBe(4);
    for (const packet of [video(120), audio(125), video(160, true), audio(165)]) queue.add(packet);
    expect(drain(queue)).toBe('VC AC K160 A165');
    expect(queue.droppedCount).toBe(6);
  });

  it('reports dropped packets immediately', () => {
    const counts: number[] = [];
    const queue = new PacketQueue({ ...wideLimits, packets: 3 }, (packets) => counts.push(packets));
    for (const packet of [video(0, true), video(40), video(80), video(120), video(160)]) queue.add(packet);
    expect(counts).toEqual([4, 1]);
    expect(queue.droppedCount).toBe(5);
  });

  it('keeps only the last configuration of the dropped packets', () => {
    const packets = [videoConfig(1), video(0, true), videoConfig(2), video(40, true), video(80), video(120)];
    const queue = createQueue(packets, { packets: 5 });
    expect(queue.take()?.payload[0]).toBe(2);
    expect(drain(queue)).toBe('K40 V80 V120');
  });

  it('drops the oldest audio of a stream without video', () => {
    const queue = createQueue([audioConfig(), audio(0), audio(20), audio(40), audio(60)], { packets: 3 });
    expect(drain(queue)).toBe('AC A40 A60');
    expect(queue.droppedCount).toBe(2);
  });

  it('does not count packets before the first keyframe as dropped', () => {
    expect(createQueue([videoConfig(), audio(0), video(0), video(40, true)]).droppedCount).toBe(0);
  });

  it('drops a frame larger than the whole queue', () => {
    const queue = createQueue([video(0, true, 2000), video(40), video(80, true)], { bytes: 1000 });
    expect(drain(queue)).toBe('K80');
  });

  it('for any packets, stays within its limits of packets and bytes, and its first frame is a keyframe', () => {
    const packet = fc.oneof(
      fc
        .record({ dts: fc.nat(5000), key: fc.boolean(), size: fc.nat(600) })
        .map((f) => video(f.dts, f.key, f.size)),
      fc.record({ dts: fc.nat(5000), size: fc.nat(50) }).map((f) => audio(f.dts, f.size)),
      fc.constantFrom(videoConfig(), audioConfig()),
    );
    fc.assert(
      fc.property(fc.array(packet, { maxLength: 60 }), (packets) => {
        const queue = new PacketQueue({ packets: 8, bytes: 1500, durationMs: 3000 });
        for (const next of [videoConfig(), ...packets]) {
          queue.add(next);
          expect(queue.length).toBeLessThanOrEqual(8);
          expect(queue.bytes).toBeLessThanOrEqual(1500);
        }
        const first = drain(queue)
          .split(' ')
          .find((text) => /^[KVA]\d/.test(text));
        expect(first ?? 'K').toMatch(/^K/);
      }),
      { numRuns: 300 },
    );
  });
});
