import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { describe, expect, test } from 'vitest';
import { labelSets, metricRoles } from '@/lib/infra/metrics/define-metric';
import { metricDefinitions } from '@/lib/infra/metrics/metrics';

const readText = (path: string) => readFileSync(join(import.meta.dirname, '..', path), 'utf8');

interface Panel {
  readonly type: string;
  readonly title: string;
  readonly datasource?: { readonly uid: string };
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string }[];
}
const dashboard = JSON.parse(readText('deploy/grafana.json')) as { readonly panels: readonly Panel[] };
const charts = dashboard.panels.filter(({ type }) => type !== 'row');

const registry = new Registry();
collectDefaultMetrics({ register: registry });
const ownMetrics = [...metricDefinitions].flatMap(([name, { type }]) =>
  type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
);
const nodeMetrics = registry.getMetricsAsArray().map(({ name }) => name);
const knownMetrics = new Set([...ownMetrics, ...nodeMetrics, 'nodejs_gc_duration_seconds_sum']);
const metricNamesIn = (text: string) => text.match(/\b(?:headwater|process|nodejs)_\w+/g) ?? [];

describe('deploy/grafana.json', () => {
  test.each(charts)('$title names metrics that exist', ({ targets = [], datasource }) => {
    const names = targets.flatMap(({ expr }) => metricNamesIn(expr));
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !knownMetrics.has(name))).toEqual([]);
    expect(datasource?.uid).toBe('${datasource}');
  });

  test('has a panel for every metric', () => {
    const shownMetrics = charts.flatMap(({ targets = [] }) =>
      targets.flatMap(({ expr }) => metricNamesIn(expr)),
    );
    const hiddenMetrics = [...metricDefinitions.keys()].filter(
      (name) => !shownMetrics.some((shownMetric) => shownMetric.startsWith(name)),
    );
    expect(hiddenMetrics).toEqual([]);
  });

  test('no two panels overlap', () => {
    const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, index) => `${x + (index % w)} ${y + Math.floor(index / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
  });
});

test('deploy/alerts.yml names metrics that exist', () => {
  const names = metricNamesIn(readText('deploy/alerts.yml'));
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !knownMetrics.has(name))).toEqual([]);
});

describe('the metrics', () => {
  test('are those of the table in docs/operations.md', () => {
    const chapter = readText('docs/operations.md').split('\n## Metrics\n')[1]?.split('\n## ')[0] ?? '';
    const cells = [
      ...chapter.matchAll(/^\| `(headwater_\w+)` +\| (.+?) +\| (.+?) +\| (.*?) *\| (.+?) +\|$/gm),
    ];
    const rows = [...metricDefinitions].map(([name, { type, roles, labels, help }]) => [
      name,
      type,
      roles.length === metricRoles.length ? 'all' : roles.join(', '),
      Object.keys(labels).join(', '),
      help,
    ]);
    expect(cells.map(([, ...row]) => row)).toEqual(rows);
  });

  test('have names with units, as Prometheus recommends', () => {
    const unusual = [...metricDefinitions].filter(([name, { type }]) => {
      if (type === 'counter') return !name.endsWith('_total');
      return type === 'histogram' ? !name.endsWith('_seconds') : name.endsWith('_total');
    });
    expect(unusual).toEqual([]);
  });

  test('have few series', () => {
    for (const [name, { labels }] of metricDefinitions)
      expect(labelSets(labels).length, name).toBeLessThanOrEqual(40);
  });
});
