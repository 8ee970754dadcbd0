import { PLAIN_SPS, spsOf } from '@/media-worker/media/cmaf/testing/codec-records';
import { packetizeH264, createRtpPacket, createTestReport, createStapA, withHeaderExtension } from './rtp';

/** Wall clock of the sender at its start, ms since 1900 (NTP). */
const FIRST_NTP_MS = 3_900_000_000_000;
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
  #frameNumber = 0;
  #sendsKeyframeNext = true;

  /** @param widthsInBlocks widths in macroblocks of 16 pixels by RID */
  constructor(widthsInBlocks: Readonly<Record<string, number>>) {
    this.#layers = Object.entries(widthsInBlocks).map(([rid, widthInBlocks], index) => ({
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

  /** Media time of the newest frame, ms. */
  get elapsedMs(): number {
    return this.#frameNumber * FRAME_MS;
  }

  /** Pauses or resumes a layer. After a resume, the next frame is a keyframe. */
  pause(rid: string, isPaused = true): void {
    for (const layer of this.#layers) if (layer.rid === rid) layer.isPaused = isPaused;
    if (!isPaused) this.#sendsKeyframeNext = true;
  }

  requestKeyframe(): void {
    this.#sendsKeyframeNext = true;
  }

  /** Creates a BYE packet for each layer with one of these RIDs (RFC 3550 §6.6). */
  createByes(...rids: string[]): Buffer[] {
    return this.#layers
      .filter(({ rid }) => rids.includes(rid))
      .map(({ ssrc }) => {
        const packet = Buffer.from([0x81, 203, 0, 1, 0, 0, 0, 0]);
        packet.writeUInt32BE(ssrc, 4);
        return packet;
      });
  }

  /** Creates the packets of the next frame in all layers that are not paused. */
  packetizeNextFrame(): Buffer[] {
    this.#frameNumber += 1;
    const isKeyframe = this.#sendsKeyframeNext;
    this.#sendsKeyframeNext = false;
    return this.#layers.flatMap((layer) => (layer.isPaused ? [] : this.#packetsOf(layer, isKeyframe)));
  }

  #packetsOf(layer: SentLayer, isKeyframe: boolean): Buffer[] {
    const { ssrc, rid, sps, startTimestamp } = layer;
    layer.frameCount += 1;
    const unit = Buffer.alloc(isKeyframe ? 2_000 : 300, ssrc);
    unit.writeUInt8(isKeyframe ? 0x65 : 0x41, 0);
    unit.writeUInt32BE(this.#frameNumber, 1);
    const payloads = [...(isKeyframe ? [createStapA([sps, PPS])] : []), ...packetizeH264(unit, 600)];
    const timestamp = (startTimestamp + this.elapsedMs * 90) % 2 ** 32;
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
    const report = createTestReport({ ssrc, ntpMs: FIRST_NTP_MS + this.elapsedMs, rtpTime: timestamp });
    return this.#frameNumber % 25 === 0 ? [...packets, report] : packets;
  }
}
