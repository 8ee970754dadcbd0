import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readNalUnits } from '@/media-worker/media/cmaf/nal-units';
import { isRtcp } from '@/media-worker/rtc/rtp/rtp-packet';
import { RtpReceiver } from '@/media-worker/rtc/rtp/rtp-receiver';
import { h264Payloads, rtpPacket, senderReport, stapA } from '@/media-worker/rtc/testing/rtp';
import { VideoFrameReader } from './video-frame-reader';

/** Tests of H.264 from a sender whose packets may be lost on the network, and which responds to NACK and PLI. */

const FRAME_MS = 33;
const SSRC = 1_111;
const [sps, pps] = [Buffer.from([0x67, 1, 2]), Buffer.from([0x68, 3])];

class Sender {
  readonly sentPackets = new Map<number, Buffer>();
  #sequence = 65_000;
  #frame = 0;
  wantsKey = true;

  /** The packets of the next frame. The frame contains its number. */
  next(): Buffer[] {
    const number = this.#frame;
    const isKey = this.wantsKey;
    this.wantsKey = false;
    const unit = Buffer.alloc(isKey ? 3_000 : 900, number & 0xff);
    unit.writeUInt8(isKey ? 0x65 : 0x41, 0);
    unit.writeUInt32BE(number, 1);
    const payloads = [...(isKey ? [stapA([sps, pps])] : []), ...h264Payloads(unit, 600)];
    this.#frame += 1;
    return payloads.map((payload, index) => {
      const sequence = this.#sequence++ & 0xffff;
      const marker = index === payloads.length - 1;
      const packet = rtpPacket({ sequence, timestamp: number * 3_000, payload, marker, ssrc: SSRC });
      this.sentPackets.set(sequence, packet);
      return packet;
    });
  }
}

interface Run {
  readonly frames: { readonly number: number; readonly key: boolean; readonly timestamp: number }[];
  readonly keyframesAsked: number;
  readonly nacked: number;
}

/**
 * Sends frames to a receiver over a simulated network.
 * @param isLost whether the nth sent packet is lost
 */
function run(count: number, isLost: (packet: number) => boolean): Run {
  const sender = new Sender();
  const frames: Run['frames'] = [];
  const returnedPackets: Buffer[] = [];
  let [now, total, requestedCount, nacked] = [0, 0, 0, 0];
  const reader: VideoFrameReader = new VideoFrameReader(
    'avc',
    {
      onFrame: ({ key, payload }, timestamp) => {
        const slice = [...readNalUnits(payload, 4)].at(-1);
        frames.push({ number: slice?.readUInt32BE(1) ?? -1, key, timestamp });
      },
      requestKeyframe: (time) => receiver.requestKeyframe(time),
    },
    now,
  );
  const receiver = new RtpReceiver({
    clockRate: 90_000,
    payloadType: 96,
    ownSsrc: 7,
    send: (packet) => returnedPackets.push(packet),
    onPacket: (packet, time) => reader.push(packet, time),
    onGap: (time) => reader.onGap(time),
    onSenderReport: () => undefined,
    onBye: () => undefined,
  });
  const deliver = (packet: Buffer) => {
    total += 1;
    if (!isLost(total)) receiver.receive(packet, now);
  };
  const answer = () => {
    for (const packet of returnedPackets.splice(0)) {
      expect(isRtcp(packet)).toBe(true);
      // A compound packet has the report first, then the NACK or PLI.
      const type = packet.length > 32 ? packet.readUInt8(33) : 0;
      if (type === 206) {
        requestedCount += 1;
        sender.wantsKey = true;
      } else if (type === 205) {
        for (let offset = 44; offset < packet.length; offset += 4) {
          const first = packet.readUInt16BE(offset);
          const mask = packet.readUInt16BE(offset + 2);
          const requestedSequences = [
            first,
            ...Array.from({ length: 16 }, (_, bit) => ((mask >> bit) & 1 ? (first + bit + 1) & 0xffff : -1)),
          ];
          for (const sequence of requestedSequences.filter((sequence) => sequence >= 0)) {
            nacked += 1;
            deliver(sender.sentPackets.get(sequence) ?? Buffer.alloc(0));
          }
        }
      }
    }
  };
  for (let frame = 0; frame < count; frame += 1) {
    if (frame % 30 === 29) deliver(senderReport({ ssrc: SSRC, wallMs: now, rtpTime: frame * 3_000 }));
    for (const packet of sender.next()) deliver(packet);
    for (let step = 0; step < FRAME_MS; step += 11) {
      now += 11;
      receiver.tick(now);
      reader.tick(now);
      answer();
    }
  }
  return { frames, keyframesAsked: requestedCount, nacked };
}

test('without loss every frame passes, and a keyframe is requested every two seconds', () => {
  const { frames, keyframesAsked, nacked } = run(300, () => false);
  expect(frames.map(({ number }) => number)).toEqual(Array.from({ length: 300 }, (_, index) => index));
  expect(nacked).toBe(0);
  expect(keyframesAsked).toBeGreaterThanOrEqual(4);
  expect(keyframesAsked).toBeLessThanOrEqual(6);
});

test('packets that are lost once are retransmitted, and no frame is missing', () => {
  const { frames, nacked } = run(300, (packet) => packet % 20 === 0);
  expect(nacked).toBeGreaterThan(20);
  const numbers = frames.map(({ number }) => number);
  expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, index) => index));
  expect(numbers.length).toBeGreaterThan(295);
});

test('with any loss, frames are complete and in order, and a keyframe follows a gap', () => {
  const lostPackets = fc.array(
    fc.record({ from: fc.integer({ min: 2, max: 900 }), count: fc.integer({ min: 1, max: 80 }) }),
    { maxLength: 6 },
  );
  fc.assert(
    fc.property(lostPackets, (holes) => {
      const { frames } = run(200, (packet) =>
        holes.some(({ from, count }) => packet >= from && packet < from + count),
      );
      expect(frames.length).toBeGreaterThan(0);
      for (const [index, { number, key, timestamp }] of frames.entries()) {
        const before = frames[index - 1];
        expect(timestamp).toBe(number * 3_000);
        if (!before) expect(key).toBe(true);
        else {
          expect(number).toBeGreaterThan(before.number);
          if (number > before.number + 1) expect(key).toBe(true);
        }
      }
    }),
    { numRuns: 60 },
  );
});

test('a keyframe whose first packets are lost with the end of the frame before it is dropped', () => {
  const keys: number[] = [];
  const reader = new VideoFrameReader(
    'avc',
    { onFrame: (_, timestamp) => keys.push(timestamp), requestKeyframe: () => undefined },
    0,
  );
  const push = (timestamp: number, payload: Buffer, marker: boolean) =>
    reader.push({ sequence: 0, payloadType: 96, ssrc: SSRC, timestamp, payload, marker }, timestamp / 90);
  const idr = Buffer.from([0x65, 1, 2, 3]);
  push(0, Buffer.from([0x41, 1]), false);
  // Lost: the last slice of this frame, and the parameter sets and the first slice of the next one.
  reader.onGap(33);
  push(3_000, idr, true);
  push(6_000, stapA([sps, pps]), false);
  push(6_000, idr, true);
  expect(keys).toEqual([6_000]);
});
