import type { IngestLimits } from './ingest-limits';
import type { MediaPacket } from './media-packet';
import { ProtocolViolation } from './protocol-violation';

/** Media that arrived in the same read as the publish command; the socket is paused, so it is little or an attack. */
export class AdmissionQueue {
  readonly #limits: Pick<IngestLimits, 'queuedPackets' | 'queuedBytes'>;
  #packets: MediaPacket[] = [];
  #bytes = 0;

  constructor(limits: Pick<IngestLimits, 'queuedPackets' | 'queuedBytes'>) {
    this.#limits = limits;
  }

  /** @throws ProtocolViolation when full */
  add(packet: MediaPacket): void {
    this.#bytes += packet.payload.length;
    if (this.#packets.length >= this.#limits.queuedPackets || this.#bytes > this.#limits.queuedBytes) {
      throw new ProtocolViolation('too much media before the admission');
    }
    this.#packets.push(packet);
  }

  /** Empties the queue. */
  take(): MediaPacket[] {
    const packets = this.#packets;
    this.#packets = [];
    this.#bytes = 0;
    return packets;
  }
}
