import type { MediaPacket } from '@/media-worker/media/packets/media-packet';

/** Maximum time for which packets are held. The audio passes through an encoder, which takes a moment to start. */
const MAX_WAIT_MS = 4_000;
/** Maximum held bytes: a few seconds of high-resolution video. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Holds the first packets of a publisher until all its tracks have begun, so that the stream does not start with
 * silence. Later packets pass immediately.
 */
export class TrackStartBuffer {
  readonly #onPacket: (packet: MediaPacket) => void;
  readonly #missingKinds: Set<'video' | 'audio'>;
  #heldPackets: MediaPacket[] | null = [];
  #heldBytes = 0;
  #holdingSinceMs: number | null = null;

  constructor(
    { video, audio }: { readonly video: object | null; readonly audio: object | null },
    onPacket: (packet: MediaPacket) => void,
  ) {
    this.#missingKinds = new Set([
      ...(video ? ['video' as const] : []),
      ...(audio ? ['audio' as const] : []),
    ]);
    this.#onPacket = onPacket;
  }

  /** @param monotonicMs arrival of the packet */
  push(packet: MediaPacket, monotonicMs: number): void {
    if (!this.#heldPackets) {
      this.#onPacket(packet);
      return;
    }
    this.#holdingSinceMs ??= monotonicMs;
    this.#heldPackets.push(packet);
    this.#heldBytes += packet.payload.length;
    if (packet.role === 'frame') this.#missingKinds.delete(packet.kind);
    if (this.#missingKinds.size === 0 || this.#heldBytes > MAX_BYTES) this.flush();
  }

  /** Releases the held packets once they have waited for the maximum time. */
  tick(monotonicMs: number): void {
    if (this.#holdingSinceMs !== null && monotonicMs - this.#holdingSinceMs >= MAX_WAIT_MS) this.flush();
  }

  /** Releases the held packets in order of their timestamps. */
  flush(): void {
    const packets = this.#heldPackets ?? [];
    this.#heldPackets = null;
    // A configuration precedes frames of the same time, which need it.
    const packetsInOrder = packets.sort(
      (a, b) => a.dts - b.dts || Number(b.role === 'config') - Number(a.role === 'config'),
    );
    for (const packet of packetsInOrder) this.#onPacket(packet);
  }
}
