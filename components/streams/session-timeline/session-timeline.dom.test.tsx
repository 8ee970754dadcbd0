import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { exampleItemOf, exampleOf, pageOf } from '@/components/testing/fake-service';
import { idleHealth, setUpStreamPage } from '@/components/testing/stream-page';
import { listSessions } from '@/lib/contract/sessions/session';
import { getStreamHealth } from '@/lib/contract/streams/stream-health';
import { listStreamEvents } from '@/lib/contract/webhooks/event-endpoints';

const { service, openStream } = setUpStreamPage();

const now = idleHealth.to;
const startedAt = now - 600_000;
const { latest } = exampleOf(getStreamHealth);
if (!latest) throw new Error('the example has a sample');
/** Measurements every 5 s; `fromSeconds` and `toSeconds` count from the start of the session. */
const createSamples = (fromSeconds: number, toSeconds: number) =>
  Array.from({ length: (toSeconds - fromSeconds) / 5 }, (_, index) => ({
    ...latest,
    at: startedAt + (fromSeconds + index * 5) * 1_000,
    bitrate: 4_000_000,
  }));
const createEvent = (name: 'stream.switched' | 'stream.started', at: number, payload?: { to: string }) =>
  exampleItemOf(listStreamEvents, { event: name, createdAt: at, ...(payload ? { payload } : {}) });
const liveSession = exampleItemOf(listSessions, { state: 'live', createdAt: startedAt });
const findTimeline = () => screen.findByRole('region', { name: 'This session' });

test('the timeline of a live session shows its inputs on air, bitrate and gaps', async () => {
  const samples = [...createSamples(0, 200), ...createSamples(250, 600)];
  service().on(getStreamHealth, { ...idleHealth, isActive: true, latest, samples });
  service().on(listSessions, pageOf([liveSession]));
  service().on(
    listStreamEvents,
    pageOf([
      createEvent('stream.switched', startedAt + 400_000, { to: 'standby' }),
      createEvent('stream.started', startedAt, undefined),
    ]),
  );
  openStream({ isActive: true, backup: true });
  const timeline = await findTimeline();
  await within(timeline).findByRole('img', { name: '1 gap, 1 switch, no slate' });
  const notes = within(timeline).getAllByRole('listitem');
  expect(notes.map(({ textContent }) => textContent)).toEqual([
    // From the last sample before the gap, at 195 s, to the first after it, at 250 s.
    expect.stringContaining('no video for 55 s'),
    expect.stringContaining('switched to Standby'),
  ]);
  for (const text of ['Primary', 'Standby', 'No video', '4.0 Mbit/s to 4.0 Mbit/s'])
    within(timeline).getByText(text);
  expect(within(timeline).queryByText('Slate')).toBeNull();
  // The page requests the samples since the start of the session.
  const requestedFrom = service()
    .callsOf(getStreamHealth)
    .map(({ query }) => query.from)
    .find((from) => from !== undefined);
  expect(Number(requestedFrom)).toBeGreaterThanOrEqual(startedAt);
});

test('a long session shows its early switches, and a message if it has too many events', async () => {
  service().on(getStreamHealth, { ...idleHealth, isActive: true, latest, samples: createSamples(0, 600) });
  service().on(listSessions, pageOf([liveSession]));
  const earlyEvent = createEvent('stream.switched', startedAt + 60_000, { to: 'standby' });
  const lateEvents = Array.from({ length: 150 }, () => createEvent('stream.started', startedAt + 500_000));
  let nextCursor: string | null = null;
  service().on(listStreamEvents, ({ query: { limit, filters } }) => {
    // The list of events of the page has a smaller limit than the timeline.
    if (Number(limit) < 100) return pageOf([]);
    expect(JSON.parse(filters ?? '[]')).toEqual([{ id: 'createdAt', value: { gte: startedAt } }]);
    return pageOf([...lateEvents, earlyEvent].slice(0, Number(limit)), { nextCursor });
  });
  const { unmount } = openStream({ isActive: true, backup: true });
  await within(await findTimeline()).findByText(/switched to Standby/);
  expect(screen.queryByText('Older events are missing')).toBeNull();
  unmount();
  nextCursor = 'older';
  openStream({ isActive: true, backup: true });
  await within(await findTimeline()).findByText('Older events are missing');
});

test('an idle stream has no timeline', async () => {
  openStream();
  await screen.findByText('Not live yet');
  expect(screen.queryByRole('region', { name: 'This session' })).toBeNull();
});
