import { PLAIN_SPS, spsOf } from '@/media-worker/media/cmaf/testing/codec-records';
import { packetizeH264, createRtpPacket, createTestReport, createStapA, withHeaderExtension } from './rtp';

/** Wall clock of the sender at its start, ms since 1900. */
const WALL_MS = 3_900_000_000_000;
const RID_EXTENSION = 10;
const PPS = Buffer.from('68ebe3cb22c0', 'hex');
export const FRAME_MS = 40;

interface SentLayer {
  readonly rid: string;
  readonly ssrc: number;
  readonly startTimestamp: number;
  readonly sps: Buffer;
  sequence: number;
  frameCount: number;
  isPaused: boolean;
}

/**
 * A sender of H.264 layers like Chromium: every layer has its own SSRC and clock, the RID is sent at first only, and a request
 * for a keyframe of one layer is answered with keyframes of all.
 */
export class LayeredSender {
  readonly #layers: readonly SentLayer[];
  #frame = 0;
  #wantsKey = true;

  /** @param blocks widths in blocks of 16 pixels by RID */
  constructor(blocks: Readonly<Record<string, number>>) {
    this.#layers = Object.entries(blocks).map(([rid, widthInBlocks], index) => ({
      rid,
      ssrc: 100 + index,
      startTimestamp: (index * 1_234_567_890 + 4_000_000_000) % 2 ** 32,
      sps: spsOf({ ...PLAIN_SPS, widthInBlocks }),
      sequence: 65_500,
      frameCount: 0,
      isPaused: false,
    }));
  }

  get rids(): string[] {
    return this.#layers.map(({ rid }) => rid);
  }

  /** Lines of the media section of an offer with these layers. */
  get offerLines(): string {
    const lines = [
      `a=extmap:${RID_EXTENSION} urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id`,
      ...this.rids.map((rid) => `a=rid:${rid} send`),
      `a=simulcast:send ${this.rids.join(';')}`,
    ];
    return lines.map((line) => `${line}\r\n`).join('');
  }

  /** Milliseconds of the newest frame. */
  get ms(): number {
    return this.#frame * FRAME_MS;
  }

  pause(rid: string, isPaused = true): void {
    for (const layer of this.#layers) if (layer.rid === rid) layer.isPaused = isPaused;
    if (!isPaused) this.#wantsKey = true;
  }

  requestKeyframe(): void {
    this.#wantsKey = true;
  }

  /** A BYE of each layer that has one of these RIDs (RFC 3550 §6.6). */
  bye(...rids: string[]): Buffer[] {
    return this.#layers
      .filter(({ rid }) => rids.includes(rid))
      .map(({ ssrc }) => {
        const packet = Buffer.from([0x81, 203, 0, 1, 0, 0, 0, 0]);
        packet.writeUInt32BE(ssrc, 4);
        return packet;
      });
  }

  /** The packets of the next picture in all layers. */
  next(): Buffer[] {
    this.#frame += 1;
    const isKey = this.#wantsKey;
    this.#wantsKey = false;
    return this.#layers.flatMap((layer) => (layer.isPaused ? [] : this.#packetsOf(layer, isKey)));
  }

  #packetsOf(layer: SentLayer, isKey: boolean): Buffer[] {
    const { ssrc, rid, sps, startTimestamp } = layer;
    layer.frameCount += 1;
    const unit = Buffer.alloc(isKey ? 2_000 : 300, ssrc);
    unit.writeUInt8(isKey ? 0x65 : 0x41, 0);
    unit.writeUInt32BE(this.#frame, 1);
    const payloads = [...(isKey ? [createStapA([sps, PPS])] : []), ...packetizeH264(unit, 600)];
    const timestamp = (startTimestamp + this.ms * 90) % 2 ** 32;
    const packets = payloads.map((payload, index) => {
      const sequence = layer.sequence++ & 0xffff;
      const packet = createRtpPacket({
        sequence,
        timestamp,
        payload,
        ssrc,
        marker: index === payloads.length - 1,
      });
      return layer.frameCount < 5
        ? withHeaderExtension(packet, { [RID_EXTENSION]: Buffer.from(rid) })
        : packet;
    });
    const report = createTestReport({ ssrc, ntpMs: WALL_MS + this.ms, rtpTime: timestamp });
    return this.#frame % 25 === 0 ? [...packets, report] : packets;
  }
}
