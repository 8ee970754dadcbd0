import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readNalUnits } from '@/media-worker/media/cmaf/nal-units';
import { isRtcp } from '@/media-worker/rtc/rtp/rtp-packet';
import { RtpReceiver } from '@/media-worker/rtc/rtp/rtp-receiver';
import {
  packetizeH264,
  createRtpPacket,
  createTestReport,
  createStapA,
} from '@/media-worker/rtc/testing/rtp';
import { VideoFrameReader } from './video-frame-reader';

/** Tests of H.264 from a sender whose packets may be lost on the network, and which responds to NACK and PLI. */

const FRAME_MS = 33;
const SSRC = 1_111;
const [sps, pps] = [Buffer.from([0x67, 1, 2]), Buffer.from([0x68, 3])];

/** An encoder with a sequence number that wraps soon. */
class Sender {
  readonly sentPackets = new Map<number, Buffer>();
  #sequence = 65_000;
  #frame = 0;
  sendsKeyframeNext = true;

  /** The packets of the next frame. The frame contains its number. */
  packetizeNextFrame(): Buffer[] {
    const number = this.#frame;
    const isKey = this.sendsKeyframeNext;
    this.sendsKeyframeNext = false;
    const unit = Buffer.alloc(isKey ? 3_000 : 900, number & 0xff);
    unit.writeUInt8(isKey ? 0x65 : 0x41, 0);
    unit.writeUInt32BE(number, 1);
    const payloads = [...(isKey ? [createStapA([sps, pps])] : []), ...packetizeH264(unit, 600)];
    this.#frame += 1;
    return payloads.map((payload, index) => {
      const sequence = this.#sequence++ & 0xffff;
      const marker = index === payloads.length - 1;
      const packet = createRtpPacket({ sequence, timestamp: number * 3_000, payload, marker, ssrc: SSRC });
      this.sentPackets.set(sequence, packet);
      return packet;
    });
  }
}

/** What arrived at the receiver, and what it requested. */
interface Transmission {
  readonly frames: { readonly number: number; readonly key: boolean; readonly timestamp: number }[];
  readonly keyframeRequestCount: number;
  readonly retransmissionCount: number;
}

/**
 * Sends frames to a receiver over a simulated network.
 * @param isLost whether the nth sent packet is lost
 */
function sendFrames(count: number, isLost: (packet: number) => boolean): Transmission {
  const sender = new Sender();
  const frames: Transmission['frames'] = [];
  const rtcpPackets: Buffer[] = [];
  let [monotonicMs, sentCount, keyframeRequestCount, retransmissionCount] = [0, 0, 0, 0];
  const reader: VideoFrameReader = new VideoFrameReader(
    'avc',
    {
      onFrame: ({ key, payload }, timestamp) => {
        const slice = [...readNalUnits(payload, 4)].at(-1);
        frames.push({ number: slice?.readUInt32BE(1) ?? -1, key, timestamp });
      },
      requestKeyframe: (monotonicMs) => receiver.requestKeyframe(monotonicMs),
    },
    monotonicMs,
  );
  const receiver = new RtpReceiver({
    clockRate: 90_000,
    payloadType: 96,
    ownSsrc: 7,
    send: (packet) => rtcpPackets.push(packet),
    onPacket: (packet, monotonicMs) => reader.push(packet, monotonicMs),
    onGap: (monotonicMs) => reader.onGap(monotonicMs),
    onSenderReport: () => undefined,
    onBye: () => undefined,
  });
  const deliver = (packet: Buffer) => {
    sentCount += 1;
    if (!isLost(sentCount)) receiver.receive(packet, monotonicMs);
  };
  const answerFeedback = () => {
    for (const packet of rtcpPackets.splice(0)) {
      expect(isRtcp(packet)).toBe(true);
      // A compound packet has a receiver report of 32 bytes first, then a PLI (type 206) or a NACK (type 205, RFC 4585 §6). A
      // NACK has a sequence number and a mask of the 16 numbers after it.
      const type = packet.length > 32 ? packet.readUInt8(33) : 0;
      if (type === 206) {
        keyframeRequestCount += 1;
        sender.sendsKeyframeNext = true;
      } else if (type === 205) {
        for (let offset = 44; offset < packet.length; offset += 4) {
          const firstSequence = packet.readUInt16BE(offset);
          const mask = packet.readUInt16BE(offset + 2);
          const requestedSequences = [
            firstSequence,
            ...Array.from({ length: 16 }, (_, bit) =>
              (mask >> bit) & 1 ? (firstSequence + bit + 1) & 0xffff : -1,
            ),
          ];
          for (const sequence of requestedSequences.filter((sequence) => sequence >= 0)) {
            retransmissionCount += 1;
            deliver(sender.sentPackets.get(sequence) ?? Buffer.alloc(0));
          }
        }
      }
    }
  };
  for (let frame = 0; frame < count; frame += 1) {
    if (frame % 30 === 29)
      deliver(createTestReport({ ssrc: SSRC, ntpMs: monotonicMs, rtpTime: frame * 3_000 }));
    for (const packet of sender.packetizeNextFrame()) deliver(packet);
    for (let step = 0; step < FRAME_MS; step += 11) {
      monotonicMs += 11;
      receiver.tick(monotonicMs);
      reader.tick(monotonicMs);
      answerFeedback();
    }
  }
  return { frames, keyframeRequestCount, retransmissionCount };
}

test('without loss every frame passes, and a keyframe is requested every two seconds', () => {
  const { frames, keyframeRequestCount, retransmissionCount } = sendFrames(300, () => false);
  expect(frames.map(({ number }) => number)).toEqual(Array.from({ length: 300 }, (_, index) => index));
  expect(retransmissionCount).toBe(0);
  expect(keyframeRequestCount).toBeGreaterThanOrEqual(4);
  expect(keyframeRequestCount).toBeLessThanOrEqual(6);
});

test('with every 20th packet lost, packets are retransmitted and the frames have no gap', () => {
  const { frames, retransmissionCount } = sendFrames(300, (packet) => packet % 20 === 0);
  expect(retransmissionCount).toBeGreaterThan(20);
  const numbers = frames.map(({ number }) => number);
  expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, index) => index));
  expect(numbers.length).toBeGreaterThan(295);
});

test('with lost ranges of packets, frames are in order with their own timestamps, and a keyframe follows a gap', () => {
  const anyLostRanges = fc.array(
    fc.record({ from: fc.integer({ min: 2, max: 900 }), count: fc.integer({ min: 1, max: 80 }) }),
    { maxLength: 6 },
  );
  fc.assert(
    fc.property(anyLostRanges, (lostRanges) => {
      const { frames } = sendFrames(200, (packet) =>
        lostRanges.some(({ from, count }) => packet >= from && packet < from + count),
      );
      expect(frames.length).toBeGreaterThan(0);
      for (const [index, { number, key, timestamp }] of frames.entries()) {
        const previous = frames[index - 1];
        expect(timestamp).toBe(number * 3_000);
        if (!previous) expect(key).toBe(true);
        else {
          expect(number).toBeGreaterThan(previous.number);
          if (number > previous.number + 1) expect(key).toBe(true);
        }
      }
    }),
    { numRuns: 60 },
  );
});

test('a keyframe whose first packets are lost with the end of the frame before it is dropped', () => {
  const frameTimestamps: number[] = [];
  const reader = new VideoFrameReader(
    'avc',
    { onFrame: (_, timestamp) => frameTimestamps.push(timestamp), requestKeyframe: () => undefined },
    0,
  );
  const push = (timestamp: number, payload: Buffer, marker: boolean) =>
    reader.push({ sequence: 0, payloadType: 96, ssrc: SSRC, timestamp, payload, marker }, timestamp / 90);
  const idr = Buffer.from([0x65, 1, 2, 3]);
  push(0, Buffer.from([0x41, 1]), false);
  // Lost: the last slice of this frame, and the parameter sets and the first slice of the next one.
  reader.onGap(33);
  push(3_000, idr, true);
  push(6_000, createStapA([sps, pps]), false);
  push(6_000, idr, true);
  expect(frameTimestamps).toEqual([6_000]);
});
