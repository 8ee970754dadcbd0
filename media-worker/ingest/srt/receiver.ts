import { formatLossReport } from './loss-report';
import { type Placement, ReceiveBuffer, type SequenceRange } from './receive-buffer';
import { RoundTrip } from './round-trip';
import { sequenceAfter, sequenceDistance } from './sequence';
import { controlTypes, type DataPacket } from './srt-packet';
import { TimeBase } from './time-base';

/**
 * Number of packets after which a light acknowledgement is sent, because regular acknowledgements are too rare at
 * high bitrates.
 */
const LIGHT_ACK_PACKETS = 64;
/** Shortest interval between two reports of the same losses. */
const MIN_LOSS_REPORT_MS = 20;
/** A longer time between two ticks means that the process was busy. */
const LATE_TICK_MS = 50;
/** Maximum number of ranges in a loss report, which must fit into one packet. */
const MAX_LOSS_RANGES = 150;

export interface ReceiverCounts {
  received: number;
  /** Packets detected as missing by a gap. Each of them is later recovered or dropped. */
  lost: number;
  recovered: number;
  dropped: number;
}

interface ReceiverOptions {
  readonly initialSequence: number;
  /** Timestamp of a packet that arrived at `monotonicMs`: microseconds modulo 2^32. */
  readonly firstTimestamp: number;
  readonly monotonicMs: number;
  /** Maximum wait for a missing packet, from the expected arrival of the packet after it, ms. */
  readonly latencyMs: number;
  /** Maximum number of packets in the buffer, a power of two. */
  readonly bufferPackets: number;
  readonly onData: (packet: DataPacket) => void;
  readonly send: (type: number, info: number, body: Buffer) => void;
}

/** A packet in the buffer, and when it was sent by the sender's clock. */
interface BufferedPacket {
  readonly packet: DataPacket;
  readonly sentAtMs: number;
}

/**
 * The receiving side of one connection: delivers packets in order, acknowledges them and requests missing ones.
 * Packets without a gap before them are delivered immediately. A gap is waited for until the packet after it is
 * due (draft-sharabayko-srt-01 §4.5 and §4.6). Times in milliseconds of a monotonic clock.
 */
export class Receiver {
  readonly counts: ReceiverCounts = { received: 0, lost: 0, recovered: 0, dropped: 0 };
  readonly #options: ReceiverOptions;
  readonly #buffer: ReceiveBuffer<BufferedPacket>;
  readonly #roundTrip = new RoundTrip();
  readonly #timeBase: TimeBase;
  #acknowledgedSequence: number;
  #acknowledgementSentMs = -Infinity;
  #isAcknowledgementConfirmed = true;
  #packetsSinceAcknowledgement = 0;
  #lossReportedMs = -Infinity;
  #lastTickMs: number;
  #wasTickLate = false;

  constructor(options: ReceiverOptions) {
    this.#options = options;
    this.#buffer = new ReceiveBuffer(options.initialSequence, options.bufferPackets);
    this.#timeBase = new TimeBase(options.firstTimestamp, options.monotonicMs);
    this.#acknowledgedSequence = options.initialSequence;
    this.#lastTickMs = options.monotonicMs;
  }

  /** Handles a data packet of the sender. */
  receiveData(packet: DataPacket, monotonicMs: number): void {
    const { timestampUs, isRetransmitted, sequence } = packet;
    const sentAtMs = isRetransmitted
      ? this.#timeBase.senderClockMs(timestampUs)
      : this.#timeBase.recordArrival(timestampUs, monotonicMs);
    const expectedSequence = this.#buffer.endSequence;
    const placement = this.#buffer.put(sequence, { packet, sentAtMs });
    this.#count(placement);
    if (placement === 'ahead')
      this.#reportGap(
        { firstSequence: expectedSequence, lastSequence: sequenceAfter(sequence, -1) },
        monotonicMs,
      );
    this.#deliver();
    this.#packetsSinceAcknowledgement += 1;
    if (this.#packetsSinceAcknowledgement >= LIGHT_ACK_PACKETS) this.#acknowledgeLightly();
  }

  /** Handles the confirmation of an acknowledgement (ACKACK). */
  confirmAcknowledgement(acknowledgementNumber: number, monotonicMs: number): void {
    this.#isAcknowledgementConfirmed = true;
    this.#roundTrip.recordConfirmation(acknowledgementNumber, monotonicMs);
  }

  /** Handles a drop request of the sender, which will not send these packets again. An inverted range is ignored. */
  dropRange(range: SequenceRange): void {
    if (sequenceDistance(range.firstSequence, range.lastSequence) < 0) return;
    this.counts.dropped += this.#buffer.markDropped(range);
    this.#deliver();
  }

  /** Periodic work, called every 10 ms. */
  tick(monotonicMs: number): void {
    // After a pause of the process, missing packets may wait in the socket, so they are read first.
    const isLate = monotonicMs - this.#lastTickMs > LATE_TICK_MS && !this.#wasTickLate;
    this.#wasTickLate = isLate;
    this.#lastTickMs = monotonicMs;
    if (!isLate) this.#dropTooLate(monotonicMs);
    this.#acknowledge(monotonicMs);
    if (this.#buffer.missingCount === 0) return;
    const intervalMs = Math.max(this.#roundTrip.boundMs / 2, MIN_LOSS_REPORT_MS);
    if (monotonicMs - this.#lossReportedMs >= intervalMs)
      this.#sendLossReport(this.#buffer.listMissing(MAX_LOSS_RANGES), monotonicMs);
  }

  /** Delivers all packets that have arrived, at the end of the connection. */
  flush(): void {
    while (this.#buffer.missingCount > 0) this.#skipGap();
    this.#deliver();
  }

  #count(placement: Placement): void {
    if (placement === 'repeated' || placement === 'beyond') return;
    this.counts.received += 1;
    if (placement === 'filled') this.counts.recovered += 1;
  }

  #deliver(): void {
    for (let bufferedPacket = this.#buffer.take(); bufferedPacket; bufferedPacket = this.#buffer.take())
      this.#options.onData(bufferedPacket.packet);
  }

  #dropTooLate(monotonicMs: number): void {
    while (this.#buffer.missingCount > 0) {
      const bufferedPacket = this.#buffer.firstBuffered();
      if (
        bufferedPacket &&
        monotonicMs < this.#timeBase.expectedArrivalMs(bufferedPacket.sentAtMs) + this.#options.latencyMs
      )
        return;
      this.#skipGap();
      this.#deliver();
    }
  }

  #skipGap(): void {
    this.counts.dropped += this.#buffer.skipGap();
    this.#deliver();
  }

  #acknowledge(monotonicMs: number): void {
    const { nextSequence } = this.#buffer;
    const isConfirmationOverdue =
      !this.#isAcknowledgementConfirmed &&
      monotonicMs - this.#acknowledgementSentMs > this.#roundTrip.boundMs;
    if (nextSequence === this.#acknowledgedSequence && !isConfirmationOverdue) return;
    this.#acknowledgedSequence = nextSequence;
    this.#acknowledgementSentMs = monotonicMs;
    this.#isAcknowledgementConfirmed = false;
    this.#packetsSinceAcknowledgement = 0;
    const body = Buffer.allocUnsafe(16);
    body.writeUInt32BE(nextSequence, 0);
    body.writeUInt32BE(toMicroseconds(this.#roundTrip.roundTripMs), 4);
    body.writeUInt32BE(toMicroseconds(this.#roundTrip.varianceMs), 8);
    // A sender stops at 0. A gap that fills the buffer is skipped later, which frees room.
    body.writeUInt32BE(Math.max(this.#buffer.freeSlots, 2), 12);
    this.#options.send(controlTypes.acknowledgement, this.#roundTrip.recordSent(monotonicMs), body);
  }

  #acknowledgeLightly(): void {
    this.#packetsSinceAcknowledgement = 0;
    const body = Buffer.allocUnsafe(4);
    body.writeUInt32BE(this.#buffer.nextSequence, 0);
    this.#options.send(controlTypes.acknowledgement, 0, body);
  }

  #reportGap(gap: SequenceRange, monotonicMs: number): void {
    this.counts.lost += sequenceDistance(gap.firstSequence, gap.lastSequence) + 1;
    this.#sendLossReport([gap], monotonicMs);
  }

  #sendLossReport(ranges: readonly SequenceRange[], monotonicMs: number): void {
    this.#lossReportedMs = monotonicMs;
    this.#options.send(controlTypes.lossReport, 0, formatLossReport(ranges));
  }
}

const toMicroseconds = (ms: number): number => Math.min(Math.round(ms * 1_000), 0xffff_ffff);
