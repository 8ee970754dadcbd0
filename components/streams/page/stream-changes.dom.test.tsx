import { screen, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { exampleItemOf, exampleOf, createDelayedResponse } from '@/components/testing/fake-service';
import { noTestPattern, setUpStreamPage } from '@/components/testing/stream-page';
import {
  getStream,
  rotateStreamKey,
  setStreamRecord,
  updateStream,
} from '@/lib/contract/streams/stream-endpoints';
import { getTestPattern, setTestPattern } from '@/lib/contract/streams/test-pattern';
import { listTargets } from '@/lib/contract/targets/multistream';

const { service, openStream } = setUpStreamPage();

const findSwitch = (name: string, checked: boolean) => screen.findByRole('switch', { name, checked });
const isDisabled = (button: HTMLElement) => (button as HTMLButtonElement).disabled;

/** Sends the test pattern with the menu of the stream. */
async function sendTestPattern(user: ReturnType<typeof openStream>['user']) {
  await user.click(await screen.findByRole('button', { name: 'Actions for Town hall' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Send test pattern' }));
}

describe('the stream key', () => {
  const key = exampleOf(getStream).streamKey ?? '';
  const maskedKey = key.replace(/[^-]/g, '•');

  test('is masked until it is revealed, and after it is hidden', async () => {
    const { user } = openStream();
    const field = await screen.findByRole('group', { name: 'Stream key' });
    expect(field.textContent).toBe(maskedKey);
    await user.click(screen.getByRole('button', { name: 'Reveal Stream key' }));
    expect(field.textContent).toBe(key);
    await user.click(screen.getByRole('button', { name: 'Hide Stream key' }));
    expect(field.textContent).toBe(maskedKey);
  });

  test('is masked again after 30 s', async () => {
    const { user } = openStream();
    const field = await screen.findByRole('group', { name: 'Stream key' });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    await user.click(screen.getByRole('button', { name: 'Reveal Stream key' }));
    vi.advanceTimersByTime(25_000);
    expect(field.textContent).toBe(key);
    vi.advanceTimersByTime(5_000);
    await screen.findByRole('button', { name: 'Reveal Stream key' });
    expect(field.textContent).toBe(maskedKey);
  });

  test('is not on the page in plain text when the page opens', async () => {
    const { container } = openStream();
    await screen.findByText('Idle');
    expect(container.textContent).not.toContain(key);
  });

  test('is replaced after the word “replace” is entered', async () => {
    const { user, changeStream } = openStream();
    service().on(rotateStreamKey, () => changeStream({ streamKey: 'aaaa-bbbb-cccc-dddd' }));
    await user.click(await screen.findByRole('button', { name: 'Replace key' }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Replace the key of “Town hall”?' });
    const replace = within(dialog).getByRole('button', { name: 'Replace key' });
    expect(isDisabled(replace)).toBe(true);
    await user.type(within(dialog).getByRole('textbox'), 'replace');
    await user.click(replace);
    await screen.findByText('Stream key replaced');
    await user.click(await screen.findByRole('button', { name: 'Reveal Stream key' }));
    await screen.findByText('aaaa-bbbb-cccc-dddd');
  });

  test('has a dialog that shows why the service rejects a replacement', async () => {
    const { user } = openStream();
    service().reject(rotateStreamKey, 'rate_limited', 'Too many key changes. Try again in a minute.');
    await user.click(await screen.findByRole('button', { name: 'Replace key' }));
    const dialog = await screen.findByRole('alertdialog');
    await user.type(within(dialog).getByRole('textbox'), 'replace{Enter}');
    await within(dialog).findByText('Too many key changes. Try again in a minute.');
  });
});

describe('settings of a stream', () => {
  test('recording is shown as on before the service has confirmed it', async () => {
    const { user, changeStream } = openStream({}, 'settings');
    const reply = createDelayedResponse<undefined>();
    service().on(setStreamRecord, () => reply.response);
    await user.click(await findSwitch('Record', false));
    await findSwitch('Record', true);
    expect(
      service()
        .callsOf(setStreamRecord)
        .map(({ body }) => body),
    ).toEqual([{ record: true }]);
    changeStream({ record: true });
    const requestCount = service().callsOf(getStream).length;
    reply.send(undefined);
    await expect.poll(() => service().callsOf(getStream).length).toBeGreaterThan(requestCount);
    await findSwitch('Record', true);
  });

  test('recording returns to off if the service rejects the change, with its message', async () => {
    const { user } = openStream({}, 'settings');
    const reply = createDelayedResponse<undefined>();
    service().on(setStreamRecord, () => reply.response);
    await user.click(await findSwitch('Record', false));
    await findSwitch('Record', true);
    reply.reject('conflict', 'The stream is being deleted.');
    await findSwitch('Record', false);
    await screen.findByText('Couldn’t save the change');
    await screen.findByText('The stream is being deleted.');
  });

  test('a new DVR window is shown immediately, and the old one again if it could not be saved', async () => {
    const { user } = openStream({ record: false, dvrSeconds: 90 }, 'settings');
    const choice = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Rewind' });
    expect(choice.value).toBe('90');
    within(choice).getByRole('option', { name: '1 min 30 s' });
    const reply = createDelayedResponse<undefined>();
    service().on(updateStream, () => reply.response);
    await user.selectOptions(choice, '15 minutes');
    await expect.poll(() => choice.value).toBe('900');
    const [call] = service().callsOf(updateStream);
    expect(call?.body).toEqual({ dvrSeconds: 900 });
    reply.reject('unavailable', 'Try again later.');
    await expect.poll(() => choice.value).toBe('90');
  });

  test('suspending is shown in the status immediately, and undone if it could not be saved', async () => {
    const { user } = openStream({}, 'settings');
    const reply = createDelayedResponse<undefined>();
    service().on(updateStream, () => reply.response);
    await user.click(await findSwitch('Suspend', false));
    await screen.findByText('Suspended');
    reply.reject('unavailable', 'Try again later.');
    await screen.findByText('Idle');
  });

  test('suspending asks for confirmation while a test pattern runs, because it ends the test pattern', async () => {
    service().on(getTestPattern, { ...noTestPattern, running: true, endsAt: Date.now() + 60_000 });
    const { user, changeStream } = openStream({}, 'settings');
    service().on(updateStream, ({ body }) => void changeStream({ suspended: body.suspended ?? false }));
    await screen.findByRole('button', { name: 'Stop test pattern' });
    await user.click(await findSwitch('Suspend', false));
    const dialog = await screen.findByRole('alertdialog', { name: 'Suspend “Town hall”?' });
    expect(service().callsOf(updateStream)).toEqual([]);
    await user.click(within(dialog).getByRole('button', { name: 'Suspend' }));
    await findSwitch('Suspend', true);
  });

  test('a new name is saved by Enter and discarded by Escape', async () => {
    const { user, changeStream } = openStream();
    service().on(updateStream, ({ body }) => void changeStream({ name: body.name ?? '' }));
    await user.click(await screen.findByRole('button', { name: 'Rename stream' }));
    await user.keyboard('Never mind{Escape}');
    await user.click(await screen.findByRole('button', { name: 'Rename stream' }));
    await user.clear(screen.getByRole('textbox', { name: 'stream name' }));
    await user.keyboard('Council{Enter}');
    await screen.findByRole('heading', { name: /Council/ });
    expect(
      service()
        .callsOf(updateStream)
        .map(({ body }) => body),
    ).toEqual([{ name: 'Council' }]);
  });

  test('the test pattern is shown as running only while the service runs it', async () => {
    const { user } = openStream();
    service().reject(setTestPattern, 'conflict', 'Another encoder is publishing.');
    await sendTestPattern(user);
    await screen.findByText('Another encoder is publishing.');
    service().on(setTestPattern, ({ body: { running } }) => {
      service().on(getTestPattern, {
        ...noTestPattern,
        running,
        endsAt: running ? Date.now() + 60_000 : null,
      });
      return undefined;
    });
    await sendTestPattern(user);
    await screen.findByRole('button', { name: 'Stop test pattern' });
    expect(
      service()
        .callsOf(setTestPattern)
        .map(({ body }) => body.running),
    ).toEqual([true, true]);
    // Now an encoder has taken over, or another browser has stopped the pattern.
    service().on(getTestPattern, noTestPattern);
    await screen.findByRole('button', { name: 'Preview a test pattern' }, { timeout: 60_000 });
  });
});

describe('the test pattern', () => {
  const requestBodies = () =>
    service()
      .callsOf(setTestPattern)
      .map(({ body }) => body);
  const { id: targetId, name } = exampleItemOf(listTargets);
  const multistream = { targets: [{ id: targetId, profile: 'source' }] };

  test('is a preview for the team alone with one click', async () => {
    service().on(setTestPattern, undefined);
    const { user } = openStream({ multistream });
    await user.click(await screen.findByRole('button', { name: 'Preview a test pattern' }));
    await expect.poll(requestBodies).toEqual([{ running: true, preview: true }]);
  });

  test('asks who may see it if the stream has targets, and is a preview by default', async () => {
    service().on(setTestPattern, undefined);
    const { user } = openStream({ multistream });
    await sendTestPattern(user);
    const preview = await screen.findByRole('radio', { name: /Preview only/ });
    expect(preview.getAttribute('aria-checked')).toBe('true');
    await user.click(screen.getByRole('button', { name: 'Start preview' }));
    await expect.poll(requestBodies).toEqual([{ running: true, preview: true }]);
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull();

    await sendTestPattern(user);
    await user.click(await screen.findByRole('radio', { name: new RegExp(`Also to: ${name}`) }));
    await user.click(screen.getByRole('button', { name: 'Send to everyone' }));
    await expect.poll(() => requestBodies().at(-1)).toEqual({ running: true, preview: false });
  });

  test('makes the player of an idle stream request repeatedly the playlist that is available from the first part', async () => {
    const playlistUrls: URL[] = [];
    const { fetch } = service();
    vi.stubGlobal('fetch', (input: string | URL, init?: RequestInit) => {
      const url = new URL(input, window.location.href);
      if (url.pathname.endsWith('/index.m3u8')) playlistUrls.push(url);
      return fetch(input, init);
    });
    service().on(getTestPattern, { ...noTestPattern, running: true });
    openStream();
    await screen.findByText('Idle');
    await expect.poll(() => playlistUrls.length).toBeGreaterThan(1);
    // `ll=1`: the playlist is available from the first part of the stream on.
    expect(new Set(playlistUrls.map(({ searchParams }) => searchParams.get('ll')))).toEqual(new Set(['1']));
  });

  test('that is a preview is marked as one while the stream is idle, and has a button that stops it', async () => {
    const preview = { playbackId: 'p0r1h2v9c8x7m6n5', token: 'a.b' };
    service().on(getTestPattern, {
      running: true,
      endsAt: Date.now() + 60_000,
      preview,
      videoReceived: true,
    });
    openStream();
    await screen.findByText('Preview: only your team sees it');
    screen.getByText('Idle');
    await screen.findByRole('button', { name: 'Stop test pattern' });
  });
});

test('the JSON of the stream has its name, but not its stream key', async () => {
  const { user } = openStream({}, 'share');
  const code = await screen.findByRole('region', { name: 'Code' });
  await user.click(within(code).getByRole('tab', { name: 'JSON' }));
  const shownCode = within(code).getByLabelText('JSON', { selector: 'pre' }).textContent;
  expect(shownCode).toContain('"name": "Town hall"');
  expect(shownCode).toContain('"streamKey": "••••"');
});
