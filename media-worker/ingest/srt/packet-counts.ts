import { metrics } from '@/lib/infra/metrics/metrics';
import type { SrtConnection } from './srt-connection';

/** Interval at which the metrics are updated. */
const INTERVAL_MS = 1_000;
const results = ['received', 'lost', 'recovered', 'dropped', 'undecrypted'] as const;

type Counts = SrtConnection['counts'];

/** Adds the packets of one connection to the metrics in batches, because updating a label costs more than a packet. */
export class PacketCounts {
  readonly #connection: Pick<SrtConnection, 'counts'>;
  #lastCounts: Counts | null = null;
  #countedAt: number;

  constructor(connection: Pick<SrtConnection, 'counts'>, now: number) {
    this.#connection = connection;
    this.#countedAt = now;
  }

  tick(now: number): void {
    if (now - this.#countedAt < INTERVAL_MS) return;
    this.#countedAt = now;
    this.add();
  }

  /** Adds the packets since the last call. */
  add(): void {
    const { counts } = this.#connection;
    for (const result of results) {
      const newPackets = counts[result] - (this.#lastCounts?.[result] ?? 0);
      if (newPackets > 0) metrics.srtPackets.inc({ result }, newPackets);
    }
    this.#lastCounts = counts;
  }
}
