import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { setUpStreamPage } from '@/components/testing/stream-page';
import { terminateStream } from '@/lib/contract/streams/stream-endpoints';
import { getTestPattern } from '@/lib/contract/streams/test-pattern';

const { service, openStream } = setUpStreamPage();

/** Opens the menu of the stream and returns the texts of its items. */
const openMenu = async (user: ReturnType<typeof openStream>['user']) => {
  await user.click(await screen.findByRole('button', { name: 'Actions for Town hall' }));
  return within(await screen.findByRole('menu'))
    .getAllByRole('menuitem')
    .map(({ textContent }) => textContent);
};

test('a live stream is ended after a confirmation, and a rejection is shown in the dialog', async () => {
  service().reject(terminateStream, 'rate_limited', 'too many terminate requests');
  const { user } = openStream({ isActive: true });
  await user.click(await screen.findByRole('button', { name: 'End stream' }));
  const dialog = within(await screen.findByRole('alertdialog', { name: 'End “Town hall”?' }));
  expect(service().callsOf(terminateStream)).toEqual([]);
  await user.click(dialog.getByRole('button', { name: 'End stream' }));
  await dialog.findByText(/too many terminate requests/i);
  service().on(terminateStream, undefined);
  await user.click(dialog.getByRole('button', { name: 'End stream' }));
  await screen.findByText('Encoder disconnected');
  expect(screen.queryByRole('alertdialog')).toBeNull();
});

test('an idle stream cannot be ended', async () => {
  const { user } = openStream();
  expect(await openMenu(user)).toEqual(['Watch page', 'Share', 'Send test pattern']);
  expect(screen.queryByRole('button', { name: 'End stream' })).toBeNull();
});

test('a live test pattern has a button that stops it, but none that ends the stream', async () => {
  const runningTestPattern = {
    running: true,
    endsAt: Date.now() + 60_000,
    preview: null,
    videoReceived: true,
  };
  service().on(getTestPattern, runningTestPattern);
  const { user } = openStream({ isActive: true });
  await screen.findByRole('button', { name: 'Stop test pattern' });
  expect(screen.queryByRole('button', { name: 'End stream' })).toBeNull();
  expect(await openMenu(user)).toEqual(['Watch page', 'Share', 'Send test pattern']);
});

test('the button “Share” opens the tab “Share”', async () => {
  const { user } = openStream();
  await user.click(await screen.findByRole('button', { name: 'Share' }));
  await screen.findByRole('tab', { name: 'Share', selected: true });
});
