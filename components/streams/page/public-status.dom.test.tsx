import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { setUpStreamPage } from '@/components/testing/stream-page';
import type { Stream } from '@/lib/contract/streams/stream';
import { HOUR_MS, MINUTE_MS } from '@/lib/core/units';

const { service, openStream } = setUpStreamPage();
const findPlayer = async () => within(await screen.findByRole('region', { name: 'Player: Town hall' }));

/** State of the stream, its fields, and the text that the player shows. */
const statusCases: readonly (readonly [string, Partial<Stream>, RegExp])[] = [
  ['was never live', {}, /^Not live yet$/],
  ['has ended', { lastSeen: Date.now() - 400 * 24 * HOUR_MS }, /^Ended on .* at /],
  ['is announced', { startsAt: Date.now() + 50 * HOUR_MS }, /^Starts on .* at /],
  ['is late', { startsAt: Date.now() - 10 * MINUTE_MS }, /^Starts soon$/],
  ['is announced too long ago', { startsAt: Date.now() - 2 * HOUR_MS }, /^Not live yet$/],
  ['is suspended', { suspended: true, startsAt: Date.now() + HOUR_MS }, /^Not available$/],
];

test.each(statusCases)(
  'the player of a stream that %s shows the text of its watch page',
  async (_, change, text) => {
    openStream(change);
    (await findPlayer()).getByText(text);
  },
);

test('a stream with an announced start has a running countdown and a calendar link', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  openStream({ startsAt: Date.now() + 90_000 });
  const countdown = await screen.findByText(/^Starts in 1 min \d+ s$/);
  const initialText = countdown.textContent;
  vi.advanceTimersByTime(2_000);
  await expect.poll(() => countdown.textContent).not.toBe(initialText);
  screen.getByRole('link', { name: 'Add to calendar' });
});

test('a suspended stream with an announced start has no countdown', async () => {
  openStream({ suspended: true, startsAt: Date.now() + HOUR_MS });
  (await findPlayer()).getByText('Not available');
  expect(screen.queryByText(/^Starts in/)).toBeNull();
});

test('the status that viewers get replaces the one derived from the stream, with a link to the recording', async () => {
  const { fetch } = globalThis;
  const publicStatus = {
    state: 'ended',
    endedAt: Date.now() - 400 * 24 * HOUR_MS,
    recordingId: 'abcd0123efgh4567',
  };
  vi.stubGlobal('fetch', (input: string, init?: RequestInit) =>
    input.includes('probe')
      ? Promise.resolve(Response.json({ broadcast: publicStatus }))
      : fetch(input, init),
  );
  openStream();
  const link = await (await findPlayer()).findByRole('link', { name: 'Watch the recording' });
  expect(link.getAttribute('href')).toBe('/watch/abcd0123efgh4567');
  expect(service().faults).toEqual([]);
});
