import { KeyframeGate } from './keyframe-gate';
import type { MediaPacket } from './media-packet';

/** What one reader may lag behind: whichever bound is met first. `ms` on the publisher's clock. */
export interface QueueLimits {
  readonly packets: number;
  readonly bytes: number;
  readonly ms: number;
}

/** The backlog of one reader. When it is full, everything up to the next key frame goes, and is counted. */
export class PacketQueue {
  readonly #limits: QueueLimits;
  readonly #gate = new KeyframeGate();
  #packets: MediaPacket[] = [];
  #bytes = 0;
  #dropped = 0;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  /** Packets this reader lost because it was slow. Those before its first key frame are not lost. */
  get dropped(): number {
    return this.#dropped;
  }

  get length(): number {
    return this.#packets.length;
  }

  get bytes(): number {
    return this.#bytes;
  }

  add(packet: MediaPacket): void {
    if (!this.#gate.accepts(packet)) {
      if (this.#dropped > 0) this.#dropped += 1;
      return;
    }
    this.#packets.push(packet);
    this.#bytes += packet.payload.length;
    if (this.#isFull()) this.#makeRoom();
  }

  take(): MediaPacket | undefined {
    const packet = this.#packets.shift();
    this.#bytes -= packet?.payload.length ?? 0;
    return packet;
  }

  clear(): void {
    this.#packets = [];
    this.#bytes = 0;
  }

  #isFull(): boolean {
    const { packets, bytes, ms } = this.#limits;
    return this.#packets.length > packets || this.#bytes > bytes || this.#span() > ms;
  }

  #span(): number {
    const first = this.#packets.find((packet) => packet.role === 'frame');
    const last = this.#packets.at(-1);
    return first && last?.role === 'frame' ? last.dts - first.dts : 0;
  }

  #makeRoom(): void {
    do this.#skipToNextStart();
    while (this.#isFull() && this.#packets.some((packet) => packet.role === 'frame'));
  }

  /** Drops the frames before the next point where decoding can start, and all of them when there is none. */
  #skipToNextStart(): void {
    const first = this.#packets.findIndex((packet) => packet.role === 'frame');
    const next = this.#packets.findIndex((packet, index) => index > first && this.#isStart(packet));
    const end = next === -1 ? this.#packets.length : next;
    if (next === -1) this.#gate.shut();
    const lost = this.#packets.slice(0, end);
    // Configurations outlive the frames around them, or what follows could not be decoded.
    const configs = ['video', 'audio'].map((kind) =>
      lost.findLast((packet) => packet.role === 'config' && packet.kind === kind),
    );
    const kept = configs.filter((packet) => packet !== undefined);
    this.#dropped += lost.filter((packet) => packet.role === 'frame').length;
    this.#packets = [...kept, ...this.#packets.slice(end)];
    this.#bytes = this.#packets.reduce((sum, packet) => sum + packet.payload.length, 0);
  }

  #isStart(packet: MediaPacket): boolean {
    if (packet.role !== 'frame') return false;
    return packet.kind === 'video' ? packet.key : !this.#gate.hasVideo;
  }
}
