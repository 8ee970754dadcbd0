import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseLossReport } from './loss-report';
import { Receiver } from './receiver';
import { sequenceAfter } from './sequence';
import { controlTypes, type DataPacket } from './srt-packet';

const LATENCY_MS = 120;
/** Interval of packets, ms. */
const PACKET_INTERVAL_MS = 5;

interface ConnectionOptions {
  readonly initialSequence?: number;
  /** Timestamp of the sender's first packet, microseconds. */
  readonly timestamp?: number;
}

/** Opens a receiver with a simulated sender and a simulated clock. */
function createReceiver({ initialSequence = 100, timestamp = 0 }: ConnectionOptions = {}) {
  const deliveredNumbers: number[] = [];
  const controlPackets: { type: number; info: number; body: Buffer; sentAtMs: number }[] = [];
  let monotonicMs = 0;
  const receiver = new Receiver({
    initialSequence,
    firstTimestamp: timestamp,
    monotonicMs,
    latencyMs: LATENCY_MS,
    bufferPackets: 256,
    onData: (packet) => deliveredNumbers.push(packet.payload.readUInt32BE()),
    send: (type, info, body) => controlPackets.push({ type, info, body, sentAtMs: monotonicMs }),
  });
  const packet = (index: number, isRetransmitted = false): DataPacket => {
    const payload = Buffer.alloc(4);
    payload.writeUInt32BE(index);
    return {
      kind: 'data',
      keySlot: null,
      isRetransmitted,
      destination: 1,
      payload,
      sequence: sequenceAfter(initialSequence, index),
      timestampUs: (timestamp + index * PACKET_INTERVAL_MS * 1_000) >>> 0,
    };
  };
  return {
    receiver,
    deliveredNumbers,
    controlPackets,
    packet,
    /** Advances the time to `ms`, with a tick every 10 ms. */
    advanceTo: (ms: number) => {
      for (; monotonicMs < ms; monotonicMs += 10) receiver.tick(monotonicMs);
      monotonicMs = ms;
    },
    /** Receives a packet at the current time. */
    receivePacket: (index: number, isRetransmitted = false) =>
      receiver.receiveData(packet(index, isRetransmitted), monotonicMs),
    reportedLosses: () =>
      controlPackets.flatMap(({ type, body }) =>
        type === controlTypes.lossReport
          ? parseLossReport(body).map(({ firstSequence, lastSequence }) => [firstSequence, lastSequence])
          : [],
      ),
    acknowledgements: () => controlPackets.filter(({ type }) => type === controlTypes.acknowledgement),
  };
}

describe('a receiver', () => {
  it('delivers packets as they arrive, and acknowledges them until an acknowledgement is confirmed', () => {
    const { receivePacket, advanceTo, deliveredNumbers, acknowledgements, receiver } = createReceiver();
    for (let index = 0; index < 4; index += 1) {
      advanceTo(index * PACKET_INTERVAL_MS);
      receivePacket(index);
    }
    expect(deliveredNumbers).toEqual([0, 1, 2, 3]);
    advanceTo(40);
    const acks = acknowledgements();
    expect(acks.at(-1)?.body.readUInt32BE()).toBe(104);
    expect(acks.map(({ info }) => info)).toEqual(acks.map((_, index) => index + 1));
    receiver.confirmAcknowledgement(acks.at(-1)?.info ?? 0, 40);
    advanceTo(200);
    expect(acknowledgements()).toHaveLength(acks.length);
  });

  it('requests a missing packet immediately, and again until it arrives', () => {
    const { receivePacket, advanceTo, deliveredNumbers, reportedLosses } = createReceiver();
    receivePacket(0);
    advanceTo(15);
    receivePacket(3);
    expect(reportedLosses()).toEqual([[101, 102]]);
    receivePacket(1, true);
    advanceTo(60);
    expect(reportedLosses().length).toBeGreaterThan(1);
    expect(reportedLosses().at(-1)).toEqual([102, 102]);
    receivePacket(2, true);
    expect(deliveredNumbers).toEqual([0, 1, 2, 3]);
  });

  it('gives up a missing packet when the packet after it is due', () => {
    const { receivePacket, advanceTo, deliveredNumbers, receiver } = createReceiver();
    receivePacket(0);
    advanceTo(10);
    receivePacket(2);
    advanceTo(10 + LATENCY_MS);
    expect(deliveredNumbers).toEqual([0]);
    advanceTo(10 + LATENCY_MS + 10);
    expect(deliveredNumbers).toEqual([0, 2]);
    receivePacket(1, true);
    expect(deliveredNumbers).toEqual([0, 2]);
    expect(receiver.counts).toEqual({ received: 2, lost: 1, recovered: 0, dropped: 1 });
  });

  it('reads packets that have arrived before it gives up any after a pause of the process', () => {
    const { receivePacket, deliveredNumbers, receiver } = createReceiver();
    receivePacket(0);
    receivePacket(2);
    receiver.tick(1_000);
    receivePacket(1, true);
    expect(deliveredNumbers).toEqual([0, 1, 2]);
    receivePacket(4);
    receiver.tick(2_000);
    receiver.tick(2_060);
    expect(deliveredNumbers).toEqual([0, 1, 2, 4]);
  });

  it('waits equally long for a sender whose clock is slow', () => {
    const { receivePacket, advanceTo, deliveredNumbers, packet, receiver } = createReceiver();
    // The sender's clock is 1 % slow: after a minute, its packets seem to be 600 ms late.
    for (let index = 0; index < 12_000; index += 1) {
      advanceTo(index * PACKET_INTERVAL_MS * 1.01);
      receivePacket(index);
    }
    const sentAtMs = 12_001 * PACKET_INTERVAL_MS * 1.01;
    advanceTo(sentAtMs);
    receiver.receiveData(packet(12_001), sentAtMs);
    advanceTo(sentAtMs + LATENCY_MS - 60);
    expect(deliveredNumbers).toHaveLength(12_000);
    advanceTo(sentAtMs + LATENCY_MS + 60);
    expect(deliveredNumbers).toHaveLength(12_001);
  });

  it('skips packets that the sender drops, and delivers the rest at the end', () => {
    const { receivePacket, advanceTo, deliveredNumbers, receiver } = createReceiver();
    for (const index of [0, 3, 6]) receivePacket(index);
    receiver.dropRange({ firstSequence: 101, lastSequence: 102 });
    expect(deliveredNumbers).toEqual([0, 3]);
    receiver.dropRange({ firstSequence: 200, lastSequence: 100 });
    advanceTo(20);
    receiver.flush();
    expect(deliveredNumbers).toEqual([0, 3, 6]);
    expect(receiver.counts.dropped).toBe(4);
  });

  it('delivers each packet at most once and in order, whatever the order, losses and wraps', () => {
    const initialSequences = fc.constantFrom(0, 2 ** 31 - 3, 2 ** 31 - 100);
    const timestamps = fc.constantFrom(0, 2 ** 32 - 100_000);
    const deliveries = fc.array(fc.constantFrom('now', 'later', 'twice', 'never'), {
      minLength: 2,
      maxLength: 120,
    });
    fc.assert(
      fc.property(
        initialSequences,
        timestamps,
        deliveries,
        (initialSequence, timestamp, packetDeliveries) => {
          const { receivePacket, advanceTo, deliveredNumbers, receiver } = createReceiver({
            initialSequence,
            timestamp,
          });
          const delayedIndexes: number[] = [];
          for (const [index, delivery] of packetDeliveries.entries()) {
            advanceTo(index * PACKET_INTERVAL_MS);
            if (delivery === 'later') delayedIndexes.push(index);
            if (delivery === 'now' || delivery === 'twice') receivePacket(index);
            if (delivery === 'twice') receivePacket(index, true);
            if (delayedIndexes.length > 3) receivePacket(delayedIndexes.shift() ?? 0, true);
          }
          advanceTo(packetDeliveries.length * PACKET_INTERVAL_MS + 20);
          for (const index of delayedIndexes) receivePacket(index, true);
          receiver.flush();
          expect(deliveredNumbers).toEqual([...new Set(deliveredNumbers)].sort((a, b) => a - b));
          // Packets that arrived within the latency are delivered: later ones are at most four packets behind.
          for (const [index, delivery] of packetDeliveries.entries())
            if (delivery === 'now' || delivery === 'twice') expect(deliveredNumbers).toContain(index);
        },
      ),
      { numRuns: 60 },
    );
  });
});
