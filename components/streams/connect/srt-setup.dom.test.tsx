import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { setUpStreamPage } from '@/components/testing/stream-page';
import { listIngests } from '@/lib/contract/service';
import { updateStream } from '@/lib/contract/streams/stream-endpoints';

const { service, openStream } = setUpStreamPage();

const srtUrl = 'srt://video.example.com:9000';
const enableSrt = () => {
  const ingests = listIngests.example.response.map((ingest) => ({ ...ingest, ingestSrt: srtUrl }));
  service().on(listIngests, ingests);
};
const streamKey = 'abcd-ef12-3456-7890';
const srtPassphrase = 'V7pWc2kq9TzR4mXe';

async function openSrtTab(change: Parameters<typeof openStream>[0] = {}) {
  enableSrt();
  const page = openStream({ streamKey, ...change });
  await page.user.click(await screen.findByRole('tab', { name: 'SRT' }));
  // The tab loads its code when it is opened.
  await screen.findByRole('group', { name: 'SRT URL' });
  return page;
}
const shownUrl = () => screen.getByRole('group', { name: 'SRT URL' }).textContent;

test('a server without SRT has no SRT tab', async () => {
  openStream({ streamKey });
  await screen.findByRole('tab', { name: 'OBS Studio' });
  expect(screen.queryByRole('tab', { name: 'SRT' })).toBeNull();
});

test('the URL contains the key and the passphrase, both masked', async () => {
  await openSrtTab({ srtPassphrase });
  expect(shownUrl()).toBe(`${srtUrl}?streamid=••••-••••-••••-••••&passphrase=${'•'.repeat(16)}&pbkeylen=32`);
  expect(document.body.textContent).not.toMatch(new RegExp(`${streamKey}|${srtPassphrase}`));
});

test('the tab also has a GStreamer command and a QR code for a phone', async () => {
  const { user } = await openSrtTab({ srtPassphrase });
  expect(document.body.textContent).toContain(`srtsink uri='${srtUrl}?streamid=••••`);
  await user.click(screen.getByRole('button', { name: 'Show QR code' }));
  await screen.findByRole('img', { name: 'QR code for Larix Broadcaster' });
});

test('enabling encryption sends a passphrase of 24 characters, disabling it sends null', async () => {
  service().on(updateStream, undefined);
  const { user, changeStream } = await openSrtTab();
  expect(shownUrl()).toBe(`${srtUrl}?streamid=••••-••••-••••-••••`);
  changeStream({ srtPassphrase });
  await user.click(screen.getByRole('switch', { name: 'Encrypt with a passphrase' }));
  await screen.findByRole('group', { name: 'Passphrase' });
  await user.click(screen.getByRole('switch', { name: 'Encrypt with a passphrase' }));
  const sentPassphrases = service()
    .callsOf(updateStream)
    .map(({ body }) => body.srtPassphrase);
  expect([typeof sentPassphrases[0], sentPassphrases[0]?.length, sentPassphrases[1]]).toEqual([
    'string',
    24,
    null,
  ]);
});
