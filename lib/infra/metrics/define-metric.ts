import { Counter, Gauge, Histogram } from 'prom-client';

export const metricRoles = ['web', 'live', 'origin', 'jobs', 'rtc', 'edge'] as const;
/** Roles that expose metrics. An edge is a separate process with its own metrics. */
export type MetricRole = (typeof metricRoles)[number];

type Labels = Readonly<Record<string, readonly string[]>>;
type LabelName<L extends Labels> = keyof L & string;

/** Definition of a metric, for its registration and docs/operations.md. */
export interface MetricDefinition {
  readonly metric: Counter | Gauge | Histogram;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly roles: readonly MetricRole[];
  /** All possible values of each label. */
  readonly labels: Labels;
}

const definitions = new Map<string, MetricDefinition>();

/** Definitions of the metrics of all roles, by name. */
export const metricDefinitions: ReadonlyMap<string, MetricDefinition> = definitions;

interface MetricOptions<L extends Labels> {
  readonly name: string;
  readonly help: string;
  readonly roles: readonly MetricRole[];
  readonly labels?: L;
}

/** Label type of a metric without labels. */
type NoLabels = Labels & Record<never, never>;

const optionsOf = <L extends Labels>({ name, help, labels }: MetricOptions<L>) => ({
  name,
  help,
  registers: [],
  labelNames: Object.keys(labels ?? {}) as LabelName<L>[],
});

/** Defines a counter and adds it to `metricDefinitions`. */
export function defineCounter<const L extends Labels = NoLabels>(
  definition: MetricOptions<L>,
): Counter<LabelName<L>> {
  const metric = new Counter(optionsOf(definition));
  definitions.set(definition.name, { labels: {}, ...definition, metric, type: 'counter' });
  return metric;
}

/** Defines a gauge and adds it to `metricDefinitions`. */
export function defineGauge<const L extends Labels = NoLabels>(
  definition: MetricOptions<L>,
): Gauge<LabelName<L>> {
  const metric = new Gauge(optionsOf(definition));
  definitions.set(definition.name, { labels: {}, ...definition, metric, type: 'gauge' });
  return metric;
}

/** Defines a histogram and adds it to `metricDefinitions`. */
export function defineHistogram<const L extends Labels = NoLabels>(
  definition: MetricOptions<L> & { readonly buckets: readonly number[] },
): Histogram<LabelName<L>> {
  const metric = new Histogram({ ...optionsOf(definition), buckets: [...definition.buckets] });
  const { name, help, roles, labels = {} } = definition;
  definitions.set(name, { name, help, roles, labels, metric, type: 'histogram' } as MetricDefinition);
  return metric;
}

/** All combinations of label values. */
export function labelSets(labels: Labels): Record<string, string>[] {
  return Object.entries(labels).reduce<Record<string, string>[]>(
    (sets, [name, values]) => sets.flatMap((set) => values.map((value) => ({ ...set, [name]: value }))),
    [{}],
  );
}
