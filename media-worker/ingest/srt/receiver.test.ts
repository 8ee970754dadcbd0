import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseLossReport } from './loss-report';
import { Receiver } from './receiver';
import { sequenceAfter } from './sequence';
import { controlTypes, type DataPacket } from './srt-packet';

const LATENCY_MS = 120;
/** Interval of packets, ms. */
const EVERY_MS = 5;

interface ConnectionOptions {
  readonly initialSequence?: number;
  /** Timestamp of the sender's first packet, microseconds. */
  readonly timestamp?: number;
}

/** Opens a receiver with a simulated sender and a simulated clock. */
function connection({ initialSequence = 100, timestamp = 0 }: ConnectionOptions = {}) {
  const deliveredNumbers: number[] = [];
  const controlPackets: { type: number; info: number; body: Buffer; at: number }[] = [];
  let now = 0;
  const receiver = new Receiver({
    initialSequence,
    timestamp,
    now,
    latencyMs: LATENCY_MS,
    bufferSize: 256,
    onData: (packet) => deliveredNumbers.push(packet.payload.readUInt32BE()),
    send: (type, info, body) => controlPackets.push({ type, info, body, at: now }),
  });
  const packet = (index: number, isRetransmitted = false): DataPacket => {
    const payload = Buffer.alloc(4);
    payload.writeUInt32BE(index);
    return {
      kind: 'data',
      key: null,
      isRetransmitted,
      destination: 1,
      payload,
      sequence: sequenceAfter(initialSequence, index),
      timestamp: (timestamp + index * EVERY_MS * 1_000) >>> 0,
    };
  };
  return {
    receiver,
    deliveredNumbers,
    controlPackets,
    packet,
    /** Advances the time to `ms`, with a tick every 10 ms. */
    pass: (ms: number) => {
      for (; now < ms; now += 10) receiver.tick(now);
      now = ms;
    },
    /** Receives a packet at the current time. */
    arrive: (index: number, isRetransmitted = false) =>
      receiver.receiveData(packet(index, isRetransmitted), now),
    losses: () =>
      controlPackets.flatMap(({ type, body }) =>
        type === controlTypes.lossReport ? parseLossReport(body).map(({ from, to }) => [from, to]) : [],
      ),
    acknowledgements: () => controlPackets.filter(({ type }) => type === controlTypes.acknowledgement),
  };
}

describe('a receiver', () => {
  it('delivers packets as they arrive and acknowledges them every 10 ms', () => {
    const { arrive, pass, deliveredNumbers, acknowledgements, receiver } = connection();
    for (let index = 0; index < 4; index += 1) {
      pass(index * EVERY_MS);
      arrive(index);
    }
    expect(deliveredNumbers).toEqual([0, 1, 2, 3]);
    pass(40);
    const acks = acknowledgements();
    expect(acks.at(-1)?.body.readUInt32BE()).toBe(104);
    expect(acks.map(({ info }) => info)).toEqual(acks.map((_, index) => index + 1));
    receiver.confirmAcknowledgement(acks.at(-1)?.info ?? 0, 40);
    pass(200);
    expect(acknowledgements()).toHaveLength(acks.length);
  });

  it('requests a missing packet immediately, and again until it arrives', () => {
    const { arrive, pass, deliveredNumbers, losses } = connection();
    arrive(0);
    pass(15);
    arrive(3);
    expect(losses()).toEqual([[101, 102]]);
    arrive(1, true);
    pass(60);
    expect(losses().length).toBeGreaterThan(1);
    expect(losses().at(-1)).toEqual([102, 102]);
    arrive(2, true);
    expect(deliveredNumbers).toEqual([0, 1, 2, 3]);
  });

  it('gives up a missing packet when the packet after it is due', () => {
    const { arrive, pass, deliveredNumbers, receiver } = connection();
    arrive(0);
    pass(10);
    arrive(2);
    pass(10 + LATENCY_MS);
    expect(deliveredNumbers).toEqual([0]);
    pass(10 + LATENCY_MS + 10);
    expect(deliveredNumbers).toEqual([0, 2]);
    arrive(1, true);
    expect(deliveredNumbers).toEqual([0, 2]);
    expect(receiver.counts).toEqual({ received: 2, lost: 1, recovered: 0, dropped: 1 });
  });

  it('reads packets that have arrived before it gives up any after a pause of the process', () => {
    const { arrive, deliveredNumbers, receiver } = connection();
    arrive(0);
    arrive(2);
    receiver.tick(1_000);
    arrive(1, true);
    expect(deliveredNumbers).toEqual([0, 1, 2]);
    arrive(4);
    receiver.tick(2_000);
    receiver.tick(2_060);
    expect(deliveredNumbers).toEqual([0, 1, 2, 4]);
  });

  it('waits equally long for a sender whose clock is slow', () => {
    const { arrive, pass, deliveredNumbers, packet, receiver } = connection();
    // The sender's clock is 1 % slow: after a minute, its packets seem to be 600 ms late.
    for (let index = 0; index < 12_000; index += 1) {
      pass(index * EVERY_MS * 1.01);
      arrive(index);
    }
    const at = 12_001 * EVERY_MS * 1.01;
    pass(at);
    receiver.receiveData(packet(12_001), at);
    pass(at + LATENCY_MS - 60);
    expect(deliveredNumbers).toHaveLength(12_000);
    pass(at + LATENCY_MS + 60);
    expect(deliveredNumbers).toHaveLength(12_001);
  });

  it('skips packets that the sender gives up, and delivers the rest at the end', () => {
    const { arrive, pass, deliveredNumbers, receiver } = connection();
    for (const index of [0, 3, 6]) arrive(index);
    receiver.giveUp({ from: 101, to: 102 });
    expect(deliveredNumbers).toEqual([0, 3]);
    receiver.giveUp({ from: 200, to: 100 });
    pass(20);
    receiver.flush();
    expect(deliveredNumbers).toEqual([0, 3, 6]);
    expect(receiver.counts.dropped).toBe(4);
  });

  it('survives any order, loss and wrap, and delivers each packet once', () => {
    const numbers = fc.constantFrom(0, 2 ** 31 - 3, 2 ** 31 - 100);
    const stamps = fc.constantFrom(0, 2 ** 32 - 100_000);
    const fates = fc.array(fc.constantFrom('now', 'later', 'twice', 'never'), {
      minLength: 2,
      maxLength: 120,
    });
    fc.assert(
      fc.property(numbers, stamps, fates, (initialSequence, timestamp, packetFates) => {
        const { arrive, pass, deliveredNumbers, receiver } = connection({ initialSequence, timestamp });
        const later: number[] = [];
        for (const [index, fate] of packetFates.entries()) {
          pass(index * EVERY_MS);
          if (fate === 'later') later.push(index);
          if (fate === 'now' || fate === 'twice') arrive(index);
          if (fate === 'twice') arrive(index, true);
          if (later.length > 3) arrive(later.shift() ?? 0, true);
        }
        pass(packetFates.length * EVERY_MS + 20);
        for (const index of later) arrive(index, true);
        receiver.flush();
        expect(deliveredNumbers).toEqual([...new Set(deliveredNumbers)].sort((a, b) => a - b));
        // Packets that arrived within the latency are delivered: later ones are at most four packets behind.
        for (const [index, fate] of packetFates.entries())
          if (fate === 'now' || fate === 'twice') expect(deliveredNumbers).toContain(index);
      }),
      { numRuns: 60 },
    );
  });
});
