import { metrics } from '@/lib/infra/metrics/metrics';
import type { SrtConnection } from './srt-connection';

/** Interval at which the metrics are updated. */
const UPDATE_INTERVAL_MS = 1_000;
const results = ['received', 'lost', 'recovered', 'dropped', 'undecrypted'] as const;

type Counts = SrtConnection['counts'];

/** Adds the packets of one connection to the metrics in batches, because updating a label costs more than a packet. */
export class PacketCounts {
  readonly #connection: Pick<SrtConnection, 'counts'>;
  #lastCounts: Counts | null = null;
  #lastUpdateMs: number;

  constructor(connection: Pick<SrtConnection, 'counts'>, monotonicMs: number) {
    this.#connection = connection;
    this.#lastUpdateMs = monotonicMs;
  }

  /** Updates the metrics if the interval has passed. */
  tick(monotonicMs: number): void {
    if (monotonicMs - this.#lastUpdateMs < UPDATE_INTERVAL_MS) return;
    this.#lastUpdateMs = monotonicMs;
    this.addToMetrics();
  }

  /** Adds the packets since the last call. */
  addToMetrics(): void {
    const { counts } = this.#connection;
    for (const result of results) {
      const newPackets = counts[result] - (this.#lastCounts?.[result] ?? 0);
      if (newPackets > 0) metrics.srtPackets.inc({ result }, newPackets);
    }
    this.#lastCounts = counts;
  }
}
