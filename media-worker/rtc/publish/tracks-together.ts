import type { MediaPacket } from '@/media-worker/media/packets/media-packet';

/** How long packets are held: the audio passes through an encoder, which takes a moment to start. */
const WAIT_MS = 4_000;
/** Maximum held bytes: a few seconds of high-resolution video. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Holds the first packets of a publisher until each of its tracks has begun, so that the stream starts with both. Otherwise a
 * program would start with silence before the audio arrives. Afterwards packets pass immediately.
 */
export class TracksTogether {
  readonly #onPacket: (packet: MediaPacket) => void;
  readonly #missing: Set<'video' | 'audio'>;
  #held: MediaPacket[] | null = [];
  #bytes = 0;
  #sinceMs: number | null = null;

  constructor(
    { video, audio }: { readonly video: object | null; readonly audio: object | null },
    onPacket: (packet: MediaPacket) => void,
  ) {
    this.#missing = new Set([...(video ? ['video' as const] : []), ...(audio ? ['audio' as const] : [])]);
    this.#onPacket = onPacket;
  }

  push(packet: MediaPacket, now: number): void {
    if (!this.#held) {
      this.#onPacket(packet);
      return;
    }
    this.#sinceMs ??= now;
    this.#held.push(packet);
    this.#bytes += packet.payload.length;
    if (packet.role === 'frame') this.#missing.delete(packet.kind);
    if (this.#missing.size === 0 || this.#bytes > MAX_BYTES) this.flush();
  }

  /** Releases the packets if the time is over. */
  tick(now: number): void {
    if (this.#sinceMs !== null && now - this.#sinceMs >= WAIT_MS) this.flush();
  }

  /** Releases the held packets in order of their timestamps. */
  flush(): void {
    const heldPackets = this.#held ?? [];
    this.#held = null;
    const inOrder = heldPackets.sort(
      (a, b) => a.dts - b.dts || Number(b.role === 'config') - Number(a.role === 'config'),
    );
    for (const packet of inOrder) this.#onPacket(packet);
  }
}
