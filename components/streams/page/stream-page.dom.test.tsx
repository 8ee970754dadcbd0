import { screen, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { StreamView } from '@/app/(dashboard)/streams/[id]/stream-view';
import { exampleItemOf, exampleOf, pageOf } from '@/components/testing/fake-service';
import { renderPage } from '@/components/testing/render-page';
import { idleHealth, setUpStreamPage, streamId } from '@/components/testing/stream-page';
import { listSessions } from '@/lib/contract/sessions/session';
import { getStreamPreview } from '@/lib/contract/access/preview';
import { getStream } from '@/lib/contract/streams/stream-endpoints';
import { getStreamHealth } from '@/lib/contract/streams/stream-health';
import { getStreamViewers } from '@/lib/contract/streams/viewers';
import { listStreamEvents } from '@/lib/contract/webhooks/event-endpoints';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/core/units';

const { service, openStream } = setUpStreamPage();

const findPanel = (name: string) => screen.findByRole('region', { name });
const panelNames = () =>
  screen
    .queryAllByRole('region')
    .map((element) => element.getAttribute('aria-label') ?? '')
    .filter((name) => !name.startsWith('Notifications'));
const isDisabled = (button: HTMLElement) => (button as HTMLButtonElement).disabled;

describe('a stream that is', () => {
  test('idle shows what viewers see, and copying the key is the primary action', async () => {
    openStream();
    await screen.findByText('Idle');
    await screen.findByText('Not live yet');
    const preview = screen.getByRole('button', { name: 'Preview a test pattern' });
    await expect.poll(() => isDisabled(preview)).toBe(false);
    expect(preview.className).not.toContain('bg-accent');
    expect(screen.getByRole('button', { name: 'Copy key' }).className).toContain('bg-accent');
  });

  test('idle shows how to connect, and no empty sections', async () => {
    service().on(getStreamViewers, { viewers: 0, views: 0, minutes: [] });
    openStream();
    await findPanel('Connect an encoder');
    await expect.poll(() => service().callsOf(getStreamHealth)).not.toHaveLength(0);
    await expect.poll(() => service().callsOf(getStreamViewers)).not.toHaveLength(0);
    expect(panelNames()).toEqual([
      'Player: Town hall',
      'Before you go live',
      'Targets',
      'Connect an encoder',
    ]);
  });

  test('live collapses the instructions, and keeps an open dialog open', async () => {
    const { user, changeStream } = openStream();
    const connect = await findPanel('Connect an encoder');
    const details = connect.querySelector('details');
    expect(details?.open).toBe(true);
    await user.click(within(connect).getByRole('button', { name: 'Replace key' }));
    const wordInput = within(await screen.findByRole('alertdialog')).getByRole<HTMLInputElement>('textbox');
    await user.type(wordInput, 'repl');
    changeStream({ isActive: true, isHealthy: true, lastSeen: Date.now() });
    await screen.findByText('Live', undefined, { timeout: 60_000 });
    expect(details?.open).toBe(false);
    expect(wordInput.isConnected).toBe(true);
    expect(wordInput.value).toBe('repl');
  });

  test('live keeps the instructions expanded once the user expanded them', async () => {
    const { user, changeStream } = openStream({ isActive: true, lastSeen: Date.now() });
    const connect = await findPanel('Connect an encoder');
    const details = connect.querySelector('details');
    expect(details?.open).toBe(false);
    await user.click(within(connect).getByText('Connect an encoder'));
    expect(details?.open).toBe(true);
    changeStream({ isActive: false });
    await screen.findByText('Idle', undefined, { timeout: 60_000 });
    changeStream({ isActive: true });
    await screen.findByText('Live', undefined, { timeout: 60_000 });
    expect(details?.open).toBe(true);
  });

  async function openAfterRejection(isActive: boolean, rejectedMsAgo: number) {
    const rejectedEvent = exampleItemOf(listStreamEvents, {
      event: 'stream.rejected',
      createdAt: Date.now() - rejectedMsAgo,
      payload: {
        reason: 'already_live',
        message: 'the stream has an encoder',
        address: '192.0.2.1',
      },
    });
    service().on(listStreamEvents, pageOf([rejectedEvent]));
    openStream({ isActive, lastSeen: Date.now() }, 'events');
    await within(await findPanel('Events')).findByText('Encoder rejected');
  }

  test.each([
    ['idle', 'an hour', false, HOUR_MS],
    ['live', 'a minute', true, MINUTE_MS],
  ])(
    '%s shows an encoder that was rejected %s ago, with a link to the events',
    async (_state, _time, isActive, rejectedMsAgo) => {
      await openAfterRejection(isActive, rejectedMsAgo);
      const link = within(screen.getByRole('status')).getByRole('link', {
        name: /^Encoder rejected: the stream has an encoder/,
      });
      expect(link.getAttribute('href')).toBe(`/streams/${streamId}?tab=events`);
    },
  );

  test('live does not show in its status that an encoder was rejected an hour ago', async () => {
    await openAfterRejection(true, HOUR_MS);
    expect(screen.getByRole('status').textContent).toBe('');
  });

  test('live shows duration and bitrate, and its health in a panel that the user opens and closes', async () => {
    const latest = exampleOf(getStreamHealth).latest;
    service().on(getStreamHealth, { ...idleHealth, isActive: true, isHealthy: true, latest });
    const times = { createdAt: Date.now() - 600_000, sourceSegmentsDuration: 62.4 };
    service().on(listSessions, pageOf([exampleItemOf(listSessions, times)]));
    const { user } = openStream({ isActive: true, isHealthy: true, lastSeen: Date.now() });
    await screen.findByText('Live');
    await screen.findByText('0:01:02');
    expect(await screen.findAllByText('3.1 Mbit/s')).not.toHaveLength(0);
    // A healthy stream shows only its pill until the user opens the panel.
    expect(screen.queryByRole('region', { name: 'Health' })).toBeNull();
    const pill = screen.getByRole('button', { name: 'Healthy', expanded: false });
    await user.click(pill);
    await screen.findByText('Healthy. Measured every 5 seconds.');
    await user.keyboard('h');
    expect(screen.queryByRole('region', { name: 'Health' })).toBeNull();
  });

  test('unhealthy shows the issue in its status line and in Health', async () => {
    const issues = ['Keyframes every 8 s: set OBS Keyframe Interval to 2 s', 'no audio arrives'];
    openStream({ isActive: true, isHealthy: false, issues, lastSeen: Date.now() });
    await screen.findByText('2 issues: Keyframes every 8 s: set OBS Keyframe Interval to 2 s.');
    const listedIssues = within(await screen.findByRole('region', { name: 'Issues' })).getAllByRole(
      'listitem',
    );
    expect(listedIssues.map((item) => item.textContent)).toEqual([
      'Keyframes every 8 s: set OBS Keyframe Interval to 2 s.',
      'No audio arrives.',
    ]);
  });

  test('idle has no issues, even if issues of its last publish are stored', async () => {
    openStream({ issues: ['no audio arrives'] });
    await screen.findByText('Idle');
    expect(screen.queryByRole('region', { name: 'Issues' })).toBeNull();
    expect(screen.queryByText(/No audio arrives/)).toBeNull();
  });

  test('suspended shows how to resume and what viewers see, and cannot send a test pattern', async () => {
    openStream({ suspended: true });
    await screen.findByText('Suspended');
    within(await findPanel('Player: Town hall')).getByText('This stream is not available at the moment.');
    await screen.findByText(/Turn off Suspend in Settings to resume/);
    expect(isDisabled(screen.getByRole('button', { name: 'Preview a test pattern' }))).toBe(true);
  });

  test('not found links to all streams', async () => {
    service().reject(getStream, 'not_found', 'not found');
    renderPage(<StreamView id={streamId} />);
    await screen.findByRole('heading', { name: 'Stream not found' });
    expect(screen.getByRole('link', { name: 'All streams' }).getAttribute('href')).toBe('/streams');
  });

  test('deleted by another member is shown as not found after the next response', async () => {
    openStream();
    await screen.findByText('Idle');
    service().reject(getStream, 'not_found', 'not found');
    await screen.findByRole('heading', { name: 'Stream not found' });
  });
});

test('the preview requests a new token when the user returns to the page after four days', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const tokenRequestCount = () => service().callsOf(getStreamPreview).length;
  openStream({ isActive: true });
  await expect.poll(tokenRequestCount).toBe(1);
  vi.setSystemTime(Date.now() + 4 * DAY_MS);
  window.dispatchEvent(new Event('visibilitychange'));
  await expect.poll(tokenRequestCount).toBe(2);
});

describe('a service that is unavailable', () => {
  test('shows an error after three attempts, and "Try again" recovers', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 200 });
    service().reject(getStream, 'unavailable', 'the database is restarting');
    const { user } = renderPage(<StreamView id={streamId} />, { advanceTimers: vi.advanceTimersByTime });
    const alert = await screen.findByRole('alert');
    within(alert).getByRole('heading', { name: 'The stream could not be loaded' });
    within(alert).getByText('the database is restarting');
    expect(service().callsOf(getStream)).toHaveLength(3);
    service().onExamples(getStream);
    await user.click(within(alert).getByRole('button', { name: 'Try again' }));
    await screen.findByText('Idle');
  });

  test('keeps earlier data on the screen', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 200 });
    openStream();
    await screen.findByText('Idle');
    service().reject(getStream, 'unavailable', 'the database is restarting');
    const requestCount = service().callsOf(getStream).length;
    // The page has given up after three attempts.
    await expect.poll(() => service().callsOf(getStream).length).toBeGreaterThan(requestCount + 3);
    screen.getByText('Idle');
  });
});
