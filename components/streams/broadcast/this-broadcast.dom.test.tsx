import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { exampleItemOf, exampleOf, pageOf } from '@/components/testing/fake-service';
import { idleHealth, setUpStreamPage } from '@/components/testing/stream-page';
import { listSessions } from '@/lib/contract/sessions/session';
import { getStreamHealth } from '@/lib/contract/streams/stream-health';
import { listStreamEvents } from '@/lib/contract/webhooks/event-endpoints';

const { service, openStream } = setUpStreamPage();

const now = idleHealth.to;
const start = now - 600_000;
const { latest } = exampleOf(getStreamHealth);
if (!latest) throw new Error('the example has a sample');
const seconds = (from: number, to: number) =>
  Array.from({ length: (to - from) / 5 }, (_, index) => ({
    ...latest,
    at: start + (from + index * 5) * 1_000,
    bitrate: 4_000_000,
  }));
const event = (name: 'stream.switched' | 'stream.started', at: number, payload?: { to: string }) =>
  exampleItemOf(listStreamEvents, { event: name, createdAt: at, ...(payload ? { payload } : {}) });
const broadcast = () => screen.findByRole('region', { name: 'This broadcast' });

test('a broadcast shows its sources on air, bitrate and gaps', async () => {
  const samples = [...seconds(0, 200), ...seconds(250, 600)];
  service().on(getStreamHealth, { ...idleHealth, isActive: true, latest, samples });
  service().on(listSessions, pageOf([exampleItemOf(listSessions, { state: 'live', createdAt: start })]));
  service().on(
    listStreamEvents,
    pageOf([
      event('stream.switched', start + 400_000, { to: 'standby' }),
      event('stream.started', start, undefined),
    ]),
  );
  openStream({ isActive: true, backup: true });
  const broadcastRegion = await broadcast();
  await within(broadcastRegion).findByRole('img', { name: '1 gap, 1 switch, no slate' });
  const notes = within(broadcastRegion).getAllByRole('listitem');
  expect(notes.map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining('no video for 55 s'),
    expect.stringContaining('switched to Standby'),
  ]);
  for (const word of ['Primary', 'Standby', 'No video', '4.0 Mbit/s to 4.0 Mbit/s'])
    within(broadcastRegion).getByText(word);
  expect(within(broadcastRegion).queryByText('Slate')).toBeNull();
  // The page requests the samples since the start of the session.
  const since = service()
    .callsOf(getStreamHealth)
    .map(({ query }) => query.from)
    .find((candidate) => candidate !== undefined);
  expect(Number(since)).toBeGreaterThanOrEqual(start);
});

test('a long broadcast shows its early switches, and says when it has too many events', async () => {
  service().on(getStreamHealth, { ...idleHealth, isActive: true, latest, samples: seconds(0, 600) });
  service().on(listSessions, pageOf([exampleItemOf(listSessions, { state: 'live', createdAt: start })]));
  const early = event('stream.switched', start + 60_000, { to: 'standby' });
  const late = Array.from({ length: 150 }, () => event('stream.started', start + 500_000));
  let nextCursor: string | null = null;
  service().on(listStreamEvents, ({ query: { limit, filters } }) => {
    if (Number(limit) < 100) return pageOf([]);
    expect(JSON.parse(filters ?? '[]')).toEqual([{ id: 'createdAt', value: { gte: start } }]);
    return pageOf([...late, early].slice(0, Number(limit)), { nextCursor });
  });
  const { unmount } = openStream({ isActive: true, backup: true });
  await within(await broadcast()).findByText(/switched to Standby/);
  expect(screen.queryByText('Older events are missing')).toBeNull();
  unmount();
  nextCursor = 'older';
  openStream({ isActive: true, backup: true });
  await within(await broadcast()).findByText('Older events are missing');
});

test('an idle stream has no broadcast', async () => {
  openStream();
  await screen.findByText('Not live yet');
  expect(screen.queryByRole('region', { name: 'This broadcast' })).toBeNull();
});
