import type { MediaPacket } from '@/media-worker/media/packets/media-packet';
import type { PublishEnd, PublishSink } from '@/media-worker/media/packets/publish';

/** A sink that keeps all packets, with functions that wait for them. */
export class RecordingSink implements PublishSink {
  readonly packets: MediaPacket[] = [];
  readonly ends: PublishEnd[] = [];
  readonly #checks = new Set<() => void>();

  push(packet: MediaPacket): void {
    if (this.ends.length > 0) throw new Error('packet after the end');
    this.packets.push(packet);
    this.#wake();
  }

  end(reason: PublishEnd): void {
    this.ends.push(reason);
    this.#wake();
  }

  async waitForEnd(): Promise<PublishEnd | undefined> {
    await this.#waitUntil(() => this.ends.length > 0);
    return this.ends[0];
  }

  async waitForPackets(count: number): Promise<void> {
    await this.#waitUntil(() => this.packets.length >= count);
  }

  #waitUntil(condition: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const check = (): void => {
        if (!condition()) return;
        this.#checks.delete(check);
        resolve();
      };
      this.#checks.add(check);
      check();
    });
  }

  #wake(): void {
    for (const check of [...this.#checks]) check();
  }
}
