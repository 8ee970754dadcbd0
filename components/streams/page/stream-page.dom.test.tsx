import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { StreamView } from '@/app/(dashboard)/streams/[id]/stream-view';
import {
  exampleItemOf,
  exampleOf,
  laterAnswer,
  pageOf,
  fakeService,
} from '@/components/testing/fake-service';
import { renderPage } from '@/components/testing/render-page';
import { listIngests } from '@/lib/contract/service';
import { listSessions } from '@/lib/contract/sessions/session';
import type { Stream } from '@/lib/contract/streams/stream';
import {
  getStream,
  rotateStreamKey,
  setStreamRecord,
  updateStream,
} from '@/lib/contract/streams/stream-endpoints';
import { getStreamHealth } from '@/lib/contract/streams/stream-health';
import { getTestPattern, setTestPattern } from '@/lib/contract/streams/test-pattern';
import { getStreamPreview, getStreamViewers } from '@/lib/contract/streams/viewers';
import { getStreamMultistream, listTargets } from '@/lib/contract/targets/multistream';
import { listStreamEvents } from '@/lib/contract/webhooks/event-endpoints';

const service = fakeService();

beforeEach(() => {
  service().onExamples(listIngests, getStreamViewers, listTargets, getStreamPreview);
  service().on(getTestPattern, { running: false, endsAt: null });
  service().on(listStreamEvents, pageOf([]));
  service().on(getStreamMultistream, []);
  service().on(listSessions, pageOf([]));
  service().on(getStreamHealth, idleHealth);
});

const { id } = exampleOf(getStream);
const idleHealth = exampleOf(getStreamHealth, { isActive: false, issues: null, latest: null, samples: [] });

/** Opens the stream page for the example of the API reference with `change` applied. */
function openStream(change: Partial<Stream> = {}, tab?: string) {
  let stream = exampleOf(getStream, change);
  service().on(getStream, () => stream);
  return {
    ...renderPage(<StreamView id={id} />, { at: `/streams/${id}${tab ? `?tab=${tab}` : ''}` }),
    /** Changes what the service returns. */
    becomes: (next: Partial<Stream>) => (stream = { ...stream, ...next }),
  };
}

const panel = (name: string) => screen.findByRole('region', { name });
const shownPanels = () =>
  screen
    .queryAllByRole('region')
    .map((each) => each.getAttribute('aria-label') ?? '')
    .filter((name) => !name.startsWith('Notifications'));
const toggle = (name: string, checked: boolean) => screen.findByRole('switch', { name, checked });
const isDisabled = (button: HTMLElement) => (button as HTMLButtonElement).disabled;

describe('a stream that is', () => {
  test('idle waits for video and offers the test pattern', async () => {
    openStream();
    await screen.findByText('Idle');
    await screen.findByText('Waiting for video');
    const send = screen.getByRole('button', { name: 'Send test pattern' });
    await expect.poll(() => isDisabled(send)).toBe(false);
    expect(send.className).toContain('bg-accent');
  });

  test('idle shows how to connect and nothing that is empty', async () => {
    service().on(getStreamViewers, { viewers: 0, views: 0, minutes: [] });
    openStream();
    await panel('Connect an encoder');
    await expect.poll(() => service().callsOf(getStreamHealth)).not.toHaveLength(0);
    await expect.poll(() => service().callsOf(getStreamViewers)).not.toHaveLength(0);
    expect(shownPanels()).toEqual(['Player: Town hall', 'Details', 'Connect an encoder']);
  });

  test('live folds away how to connect, and keeps a dialog open that was opened before', async () => {
    const { user, becomes } = openStream();
    const connect = await panel('Connect an encoder');
    const details = connect.querySelector('details');
    expect(details?.open).toBe(true);
    await user.click(within(connect).getByRole('button', { name: 'Replace key' }));
    const typed = within(await screen.findByRole('alertdialog')).getByRole<HTMLInputElement>('textbox');
    await user.type(typed, 'repl');
    becomes({ isActive: true, isHealthy: true, lastSeen: Date.now() });
    await screen.findByText('Live', undefined, { timeout: 5_000 });
    expect(details?.open).toBe(false);
    expect(typed.isConnected).toBe(true);
    expect(typed.value).toBe('repl');
  });

  test('live leaves how to connect open once the reader opened it', async () => {
    const { user, becomes } = openStream({ isActive: true, lastSeen: Date.now() });
    const connect = await panel('Connect an encoder');
    const details = connect.querySelector('details');
    expect(details?.open).toBe(false);
    await user.click(within(connect).getByText('Connect an encoder'));
    expect(details?.open).toBe(true);
    becomes({ isActive: false });
    await screen.findByText('Idle', undefined, { timeout: 5_000 });
    becomes({ isActive: true });
    await screen.findByText('Live', undefined, { timeout: 5_000 });
    expect(details?.open).toBe(true);
  });

  test.each([
    ['idle', false, 3_600_000, true],
    ['live', true, 60_000, true],
    ['live for long since', true, 3_600_000, false],
  ])('%s tells of a rejected encoder, with its event one click away', async (_, isActive, age, told) => {
    const rejected = exampleItemOf(listStreamEvents, {
      event: 'stream.rejected',
      createdAt: Date.now() - age,
      payload: {
        reason: 'already_live',
        message: 'the stream has an encoder',
        address: '192.0.2.1',
      },
    });
    service().on(listStreamEvents, pageOf([rejected]));
    openStream({ isActive, lastSeen: Date.now() }, 'events');
    await within(await panel('Events')).findByText('Encoder rejected');
    const words = screen.getByRole('status');
    expect(words.textContent).toContain(
      told ? 'Encoder rejected: the stream has an encoder' : 'No issues found',
    );
    if (!told) return;
    expect(within(words).getByRole('link', { name: 'Details' }).getAttribute('href')).toBe(
      `/streams/${id}?tab=events`,
    );
  });

  test('live says for how long and how much arrives', async () => {
    const latest = exampleOf(getStreamHealth).latest;
    service().on(getStreamHealth, { ...idleHealth, isActive: true, isHealthy: true, latest });
    const startedAt = Date.now() - 62_000;
    service().on(listSessions, pageOf([exampleItemOf(listSessions, { createdAt: startedAt })]));
    openStream({ isActive: true, isHealthy: true, lastSeen: Date.now() });
    await screen.findByText('Live');
    await screen.findByText(/^1 min 0\d s$/);
    expect(await screen.findAllByText('3.1 Mbit/s')).not.toHaveLength(0);
    await screen.findByText('Healthy. Measured every 5 seconds.');
  });

  test('unhealthy says what to fix at the top and in Health, in the words of the service', async () => {
    const issues = ['Keyframes every 8 s: set OBS Keyframe Interval to 2 s', 'no audio arrives'];
    openStream({ isActive: true, isHealthy: false, issues, lastSeen: Date.now() });
    await screen.findByText('2 issues: Keyframes every 8 s: set OBS Keyframe Interval to 2 s.');
    const listed = within(await screen.findByRole('region', { name: 'Issues' })).getAllByRole('listitem');
    expect(listed.map((item) => item.textContent)).toEqual([
      'Keyframes every 8 s: set OBS Keyframe Interval to 2 s.',
      'No audio arrives.',
    ]);
  });

  test('idle has no issues, whatever its last publish left', async () => {
    openStream({ issues: ['no audio arrives'] });
    await screen.findByText('Video issues appear here');
    expect(screen.queryByRole('region', { name: 'Issues' })).toBeNull();
    expect(screen.queryByText(/No audio arrives/)).toBeNull();
  });

  test('suspended cannot be sent to, and says how to resume', async () => {
    openStream({ suspended: true });
    expect(await screen.findAllByText('Suspended')).not.toHaveLength(0);
    await screen.findByText(/Turn off Suspend in Settings to resume/);
    expect(isDisabled(screen.getByRole('button', { name: 'Send test pattern' }))).toBe(true);
  });

  test('not there leads back to all streams', async () => {
    service().refuse(getStream, 'not_found', 'not found');
    renderPage(<StreamView id={id} />);
    await screen.findByRole('heading', { name: 'Stream not found' });
    expect(screen.getByRole('link', { name: 'All streams' }).getAttribute('href')).toBe('/streams');
  });

  test('deleted by someone else while its page is open is gone with the next answer', async () => {
    openStream();
    await screen.findByText('Idle');
    service().refuse(getStream, 'not_found', 'not found');
    await screen.findByRole('heading', { name: 'Stream not found' });
  });
});

describe('a service that does not answer', () => {
  test('is said after three tries, and "try again" recovers', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 200 });
    service().refuse(getStream, 'unavailable', 'the database is restarting');
    const { user } = renderPage(<StreamView id={id} />, { advanceTimers: vi.advanceTimersByTime });
    const alert = await screen.findByRole('alert');
    within(alert).getByRole('heading', { name: 'The stream could not be loaded' });
    within(alert).getByText('the database is restarting');
    expect(service().callsOf(getStream)).toHaveLength(3);
    service().onExamples(getStream);
    await user.click(within(alert).getByRole('button', { name: 'Try again' }));
    await screen.findByText('Idle');
  });

  test('leaves on screen what was read before', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 200 });
    openStream();
    await screen.findByText('Idle');
    service().refuse(getStream, 'unavailable', 'the database is restarting');
    const before = service().callsOf(getStream).length;
    await expect.poll(() => service().callsOf(getStream).length).toBeGreaterThan(before + 3);
    screen.getByText('Idle');
  });
});

describe('the stream key', () => {
  const key = exampleOf(getStream).streamKey ?? '';
  const masked = key.replace(/[^-]/g, '•');

  test('is dots until it is revealed, and again after it is hidden', async () => {
    const { user } = openStream();
    const field = await screen.findByRole('group', { name: 'Stream key' });
    expect(field.textContent).toBe(masked);
    await user.click(screen.getByRole('button', { name: 'Reveal stream key' }));
    expect(field.textContent).toBe(key);
    await user.click(screen.getByRole('button', { name: 'Hide stream key' }));
    expect(field.textContent).toBe(masked);
  });

  test('hides itself 30 s later', async () => {
    const { user } = openStream();
    const field = await screen.findByRole('group', { name: 'Stream key' });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    await user.click(screen.getByRole('button', { name: 'Reveal stream key' }));
    vi.advanceTimersByTime(25_000);
    expect(field.textContent).toBe(key);
    vi.advanceTimersByTime(5_000);
    await screen.findByRole('button', { name: 'Reveal stream key' });
    expect(field.textContent).toBe(masked);
  });

  test('is nowhere on the page in plain text until then', async () => {
    const { container } = openStream();
    await screen.findByText('Idle');
    expect(container.textContent).not.toContain(key);
  });

  test('is replaced once the name of the stream is typed', async () => {
    const { user, becomes } = openStream();
    service().on(rotateStreamKey, () => becomes({ streamKey: 'aaaa-bbbb-cccc-dddd' }));
    await user.click(await screen.findByRole('button', { name: 'Replace key' }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Replace the key of “Town hall”?' });
    const replace = within(dialog).getByRole('button', { name: 'Replace key' });
    expect(isDisabled(replace)).toBe(true);
    await user.type(within(dialog).getByRole('textbox'), 'replace');
    await user.click(replace);
    await screen.findByText('Stream key replaced');
    await user.click(await screen.findByRole('button', { name: 'Reveal stream key' }));
    await screen.findByText('aaaa-bbbb-cccc-dddd');
  });

  test('stays when the service refuses, and the dialog says why', async () => {
    const { user } = openStream();
    service().refuse(rotateStreamKey, 'rate_limited', 'Too many key changes. Try again in a minute.');
    await user.click(await screen.findByRole('button', { name: 'Replace key' }));
    const dialog = await screen.findByRole('alertdialog');
    await user.type(within(dialog).getByRole('textbox'), 'replace{Enter}');
    await within(dialog).findByText('Too many key changes. Try again in a minute.');
  });
});

describe('settings of a stream', () => {
  test('recording is shown as on before the service has agreed, and stays on', async () => {
    const { user, becomes } = openStream({}, 'settings');
    const reply = laterAnswer<undefined>();
    service().on(setStreamRecord, () => reply.answer);
    await user.click(await toggle('Record', false));
    await toggle('Record', true);
    expect(
      service()
        .callsOf(setStreamRecord)
        .map(({ body }) => body),
    ).toEqual([{ record: true }]);
    becomes({ record: true });
    const reads = service().callsOf(getStream).length;
    reply.give(undefined);
    await expect.poll(() => service().callsOf(getStream).length).toBeGreaterThan(reads);
    await toggle('Record', true);
  });

  test('recording goes back to off when the service refuses, with its sentence', async () => {
    const { user } = openStream({}, 'settings');
    const reply = laterAnswer<undefined>();
    service().on(setStreamRecord, () => reply.answer);
    await user.click(await toggle('Record', false));
    await toggle('Record', true);
    reply.refuse('conflict', 'The stream is being deleted.');
    await toggle('Record', false);
    await screen.findByText('Couldn’t save the change');
    await screen.findByText('The stream is being deleted.');
  });

  test('suspending shows at once in the status', async () => {
    const { user } = openStream({}, 'settings');
    const reply = laterAnswer<undefined>();
    service().on(updateStream, () => reply.answer);
    await user.click(await toggle('Suspend', false));
    await screen.findByText('Suspended');
    reply.refuse('unavailable', 'Try again later.');
    await screen.findByText('Idle');
  });

  test('a new name is saved by Enter and kept by Escape', async () => {
    const { user, becomes } = openStream();
    service().on(updateStream, ({ body }) => void becomes({ name: body.name ?? '' }));
    await user.click(await screen.findByRole('button', { name: 'Rename stream' }));
    await user.keyboard('Never mind{Escape}');
    await user.click(await screen.findByRole('button', { name: 'Rename stream' }));
    await user.clear(screen.getByRole('textbox', { name: 'Stream name' }));
    await user.keyboard('Council{Enter}');
    await screen.findByRole('heading', { name: /Council/ });
    expect(
      service()
        .callsOf(updateStream)
        .map(({ body }) => body),
    ).toEqual([{ name: 'Council' }]);
  });

  test('the test pattern says whether it runs, also when the service refuses', async () => {
    const { user } = openStream();
    service().refuse(setTestPattern, 'conflict', 'Another encoder is publishing.');
    await user.click(await screen.findByRole('button', { name: 'Send test pattern' }));
    await screen.findByText('Another encoder is publishing.');
    service().on(setTestPattern, ({ body: { running } }) => {
      service().on(getTestPattern, { running, endsAt: running ? Date.now() + 60_000 : null });
      return undefined;
    });
    await user.click(await screen.findByRole('button', { name: 'Send test pattern' }));
    await screen.findByRole('button', { name: 'Stop test pattern' });
    expect(
      service()
        .callsOf(setTestPattern)
        .map(({ body }) => body.running),
    ).toEqual([true, true]);
    // An encoder takes over, or another browser stops it.
    service().on(getTestPattern, { running: false, endsAt: null });
    await screen.findByRole('button', { name: 'Send test pattern' }, { timeout: 5_000 });
  });
});

test('the code of the stream is complete but for its key', async () => {
  const { user } = openStream({}, 'share');
  const code = await panel('Code');
  await user.click(within(code).getByRole('tab', { name: 'JSON' }));
  const shown = within(code).getByLabelText('JSON', { selector: 'pre' }).textContent;
  expect(shown).toContain('"name": "Town hall"');
  expect(shown).toContain('"streamKey": "••••"');
});
