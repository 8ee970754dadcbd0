import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { metricRoles } from './define-metric';
import { metricDefinitions, metrics } from './metrics';
import { formatExposition, ProcessMetrics } from './process-metrics';

const createMetrics = (role: (typeof metricRoles)[number]) => new ProcessMetrics({ role, dataDir: tmpdir() });
const seriesOf = (text: string, name: string) =>
  text.split('\n').filter((line) => line.startsWith(`${name}{`));

test.each(metricRoles)(
  'a process of the role %s has the metrics of its role, with counters at 0 before their first event',
  async (role) => {
    const text = await formatExposition([{ slot: 1, processValues: await createMetrics(role).measure() }]);
    const shownNames = [...text.matchAll(/^# TYPE (headwater_\w+)/gm)].map(([, name]) => name);
    const expectedNames = [...metricDefinitions]
      .filter(([, { roles }]) => roles.includes(role))
      .map(([name]) => name);
    expect(shownNames.sort()).toEqual(expectedNames.sort());
    expect(seriesOf(text, 'process_open_fds')).toHaveLength(1);
    expect(seriesOf(text, 'headwater_build_info')).toHaveLength(1);
    if (role === 'live')
      expect(text).toContain('headwater_publishes_refused_total{reason="stream_suspended",slot="1"} 0');
  },
);

test('processes have separate series, and one without a response is marked as down', async () => {
  const values = await createMetrics('origin').measure();
  const text = await formatExposition([
    { slot: 1, processValues: values },
    { slot: 2, processValues: values },
    { slot: 3, processValues: null },
  ]);
  expect(seriesOf(text, 'headwater_process_up')).toEqual([
    'headwater_process_up{slot="1"} 1',
    'headwater_process_up{slot="2"} 1',
    'headwater_process_up{slot="3"} 0',
  ]);
  const [first, second, ...furtherSeries] = seriesOf(text, 'headwater_disk_size_bytes');
  expect(first?.replace('slot="1"', 'slot="2"')).toBe(second);
  expect(furtherSeries).toEqual([]);
  expect(text.match(/^# TYPE headwater_disk_size_bytes /gm)).toHaveLength(1);
});

test('a gauge whose reading fails has no value, and other gauges keep theirs', async () => {
  const jobsMetrics = createMetrics('jobs');
  const queue = { queue: 'upkeep' } as const;
  let isFailing = false;
  jobsMetrics.registerReader([metrics.queueOldest], () => {
    if (isFailing) return Promise.reject(new Error('database unavailable'));
    metrics.queueOldest.set(queue, 7);
    return Promise.resolve();
  });
  const readOldestAge = async () => {
    const text = await formatExposition([{ slot: 1, processValues: await jobsMetrics.measure() }]);
    expect(seriesOf(text, 'headwater_disk_free_bytes')).toHaveLength(1);
    return seriesOf(text, 'headwater_queue_oldest_seconds');
  };
  expect(await readOldestAge()).toEqual(['headwater_queue_oldest_seconds{queue="upkeep",slot="1"} 7']);
  isFailing = true;
  expect(await readOldestAge()).toEqual([]);
});

test('concurrent scrapes read the gauges once', async () => {
  const liveMetrics = createMetrics('live');
  let readCount = 0;
  const unsubscribe = liveMetrics.registerReader([metrics.viewers], () => void (readCount += 1));
  await Promise.all([liveMetrics.measure(), liveMetrics.measure(), liveMetrics.measure()]);
  expect(readCount).toBe(1);
  await liveMetrics.measure();
  expect(readCount).toBe(2);
  unsubscribe();
  await liveMetrics.measure();
  expect(readCount).toBe(2);
});
