import type { Counter, Histogram } from 'prom-client';

/**
 * Current value of a counter, or number of observations of a histogram, in this process, including those of other tests: of
 * the first series that has the labels; 0 without one.
 */
export async function countOf(
  metric: Counter | Histogram,
  labels: Readonly<Record<string, string>> = {},
): Promise<number> {
  const { name, type, values } = await metric.get();
  const countName = type.toString() === 'histogram' ? `${name}_count` : undefined;
  const sample = values.find(
    (value) =>
      ('metricName' in value ? value.metricName : undefined) === countName &&
      Object.entries(labels).every(([label, expected]) => value.labels[label] === expected),
  );
  return sample?.value ?? 0;
}
