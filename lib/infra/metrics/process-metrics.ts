import { AggregatorRegistry, collectDefaultMetrics, Histogram, Registry, type Gauge } from 'prom-client';
import { readPoolUse } from '@/lib/infra/db';
import { readDiskBytes } from '@/lib/infra/storage/disk-space';
import { version } from '@/lib/infra/version';
import { within } from '@/lib/infra/within';
import { labelSets, type MetricDefinition, type MetricRole } from './define-metric';
import { metricDefinitions, metrics } from './metrics';

/** Metrics of a process in the format that the processes of a role exchange. */
export type MetricValues = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** Metrics of one process of a role; null if it did not respond. */
export interface MeasuredProcess {
  readonly slot: number;
  readonly processValues: MetricValues | null;
}

/** Function that updates some gauges before each scrape. */
interface GaugeReader {
  readonly gauges: readonly Gauge[];
  readonly readGauges: () => void | Promise<void>;
}

/** Timeout of all readings of a scrape together. Gauges of later readings are left out. */
const READ_TIMEOUT_MS = 2_000;
/** Sampling interval of the event loop lag. Each sample wakes the process, and shorter lags are not measured. */
const LAG_SAMPLE_INTERVAL_MS = 20;

/** Metrics of this process, measured only when scraped. */
export class ProcessMetrics {
  readonly #registry = new Registry();
  readonly #readers = new Set<GaugeReader>();
  #measuring: Promise<MetricValues> | null = null;

  constructor({ role, dataDir }: { readonly role: MetricRole; readonly dataDir: string }) {
    collectDefaultMetrics({ register: this.#registry, eventLoopMonitoringPrecision: LAG_SAMPLE_INTERVAL_MS });
    for (const { metric, roles, labels, type } of metricDefinitions.values()) {
      if (!roles.includes(role)) continue;
      this.#registry.registerMetric(metric);
      // Series start at 0, because a series that starts with its first event has no rate for it.
      if (type !== 'gauge') for (const set of labelSets(labels)) startAtZero(metric, set);
    }
    this.registerReader([metrics.buildInfo], () => metrics.buildInfo.set({ version, role }, 1));
    if (role !== 'edge') this.registerReader([], readPools);
    if (role !== 'web') this.registerReader([metrics.diskFree, metrics.diskSize], () => readDisk(dataDir));
  }

  /**
   * Registers a function that reads gauges for every scrape. If it fails or times out, its gauges have no value.
   * @returns a function that removes it
   */
  registerReader(gauges: readonly Gauge[], readGauges: () => void | Promise<void>): () => void {
    const reader = { gauges, readGauges };
    this.#readers.add(reader);
    return () => {
      this.#readers.delete(reader);
    };
  }

  /** Measures all metrics. Concurrent scrapes get the same result. */
  measure(): Promise<MetricValues> {
    this.#measuring ??= this.#measure().finally(() => (this.#measuring = null));
    return this.#measuring;
  }

  async #measure(): Promise<MetricValues> {
    await within(READ_TIMEOUT_MS, Promise.all([...this.#readers].map(updateGauges)), () => undefined);
    return this.#registry.getMetricsAsJSON();
  }
}

/** Scrape response for all processes of a role, by slot, including those that did not respond. */
export function formatExposition(processes: readonly MeasuredProcess[]): Promise<string> {
  const processUp = {
    name: 'headwater_process_up',
    type: 'gauge',
    help: metricDefinitions.get('headwater_process_up')?.help ?? '',
    values: processes.map(({ slot, processValues: values }) => ({ value: values ? 1 : 0, labels: { slot } })),
  };
  const registries = processes.map(({ slot, processValues: values }) =>
    (values ?? [])
      .filter(({ name }) => name !== processUp.name)
      .map((metric) => ({ ...metric, values: metric.values.map((value) => withSlot(value, slot)) })),
  );
  // Each series has its own slot label, so nothing is summed, and a restart resets only its own series.
  const mergedMetrics = [...registries, [processUp]].map((processMetrics) =>
    processMetrics.map((metric) => ({ ...metric, aggregator: 'first' })),
  );
  return AggregatorRegistry.aggregate(mergedMetrics).metrics();
}

/** Content-Type of the exposition. */
export const expositionType = Registry.PROMETHEUS_CONTENT_TYPE;

const withSlot = <V extends { readonly labels: object }>(value: V, slot: number): V => ({
  ...value,
  labels: { ...value.labels, slot },
});

function startAtZero(metric: MetricDefinition['metric'], labels: Record<string, string>): void {
  if (metric instanceof Histogram) metric.zero(labels);
  else metric.inc(labels, 0);
}

function readPools(): void {
  const { inUse, idle, waiting, max } = readPoolUse();
  metrics.databaseConnections.set({ state: 'in_use' }, inUse);
  metrics.databaseConnections.set({ state: 'idle' }, idle);
  metrics.databaseConnectionsMax.set(max);
  metrics.databaseWaiting.set(waiting);
}

async function readDisk(dataDir: string): Promise<void> {
  const { freeBytes, sizeBytes } = await readDiskBytes(dataDir);
  metrics.diskFree.set(freeBytes);
  metrics.diskSize.set(sizeBytes);
}

async function updateGauges({ gauges, readGauges }: GaugeReader): Promise<void> {
  for (const gauge of gauges) {
    gauge.reset();
    // Without labels, a reset gauge would have the value 0.
    gauge.remove({});
  }
  try {
    await readGauges();
  } catch {
    // The gauges stay empty. The code that owns the reading logs the failure.
  }
}
