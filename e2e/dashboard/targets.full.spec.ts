import { expect, test } from '@playwright/test';
import { startIngest } from '@/media-worker/ingest/rtmp/testing/ingest-harness';
import { expectAccessible, checkPage } from './page-checks';
import { createStream, logIn, setTestPattern } from './page-actions';

test('a target is created from a preset, disabled, changed, and deleted from its stream too', async ({
  page,
}) => {
  await logIn(page);
  const stream = await createStream(page, 'Town hall');
  await page.goto('/targets');
  await expect(page.getByRole('heading', { name: 'No targets yet' })).toBeVisible();

  await page.getByRole('button', { name: 'Create target' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'Twitch' }).click();
  await dialog.getByLabel('Stream key').fill('not a key');
  await expect(dialog.getByText('This does not look like a Twitch stream key.')).toBeVisible();
  await dialog.getByRole('radio', { name: 'Custom' }).click();
  await dialog.getByLabel('URL').fill('ftp://example.com/x');
  await dialog.getByRole('button', { name: 'Create target' }).click();
  await expect(dialog.getByText('Must be an rtmp://, rtmps://, srt:// or https:// (WHIP) URL')).toBeVisible();
  await dialog.getByRole('radio', { name: 'Twitch' }).click();
  await dialog.getByLabel('Stream key').fill('live_123456_secretkey');
  await dialog.getByRole('button', { name: 'Create target' }).click();

  const row = page.getByRole('row', { name: /Twitch/ });
  await expect(row).toContainText('Enabled');
  await expect(row).toContainText('No stream');
  await expect(page.getByRole('main')).not.toContainText('secretkey');

  await page.getByRole('button', { name: 'Actions for Twitch' }).click();
  await page.getByRole('menuitem', { name: 'Disable' }).click();
  await expect(row).toContainText('Disabled');

  await page.getByRole('button', { name: 'Actions for Twitch' }).click();
  await page.getByRole('menuitem', { name: 'Rename or replace URL' }).click();
  await dialog.getByLabel('Name').fill('Second channel');
  await dialog.getByLabel('New URL').fill('nonsense');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('Must be an rtmp://, rtmps://, srt:// or https:// (WHIP) URL')).toBeVisible();
  await dialog.getByLabel('New URL').fill('rtmps://live.example.com/app/other-key');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('row', { name: /Second channel/ })).toBeVisible();

  await page.goto(`/streams/${stream.id}`);
  const panel = page.getByRole('region', { name: 'Targets' });
  await expect(panel).toContainText('No targets.');
  await panel.getByRole('button', { name: 'Add target' }).click();
  await expect(dialog.getByLabel('Target')).toContainText('Second channel (disabled)');
  await dialog.getByLabel('Without audio').check();
  await dialog.getByRole('button', { name: 'Add to stream' }).click();
  await expect(panel.getByRole('listitem')).toContainText('Second channel · source, without audio');
  await expect(panel.getByRole('listitem')).toContainText('Disabled');
  await panel.getByRole('button', { name: 'Add target' }).click();
  await expect(dialog.getByText('All targets of your team are already added')).toBeVisible();
  await page.keyboard.press('Escape');

  // A deleted target is also removed from its streams.
  await page.goto('/targets');
  await page.getByRole('button', { name: 'Actions for Second channel' }).click();
  await page.getByRole('menuitem', { name: 'Delete target' }).click();
  const confirmDialog = page.getByRole('alertdialog');
  await confirmDialog.getByLabel('Type “delete” to confirm').fill('delete');
  await confirmDialog.getByRole('button', { name: 'Delete target' }).click();
  await expect(page.getByRole('heading', { name: 'No targets yet' })).toBeVisible();
  await page.goto(`/streams/${stream.id}`);
  await expect(panel).toContainText('No targets.');
});

test('a target is created in the dialog that adds it to a stream, and its connection is tested', async ({
  page,
}) => {
  await using ingest = await startIngest();
  const server = `rtmp://127.0.0.1:${ingest.port}/live`;
  await logIn(page);
  const stream = await createStream(page, 'Town hall');
  await page.goto(`/streams/${stream.id}`);
  const panel = page.getByRole('region', { name: 'Targets' });
  await panel.getByRole('button', { name: 'Add target' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('Your team has no targets yet.')).toBeVisible();
  await dialog.getByRole('radio', { name: 'Custom' }).click();
  await dialog.getByLabel('URL').fill(`${server}/bad-secret-key`);
  await dialog.getByRole('button', { name: 'Test connection' }).click();
  await expect(dialog.getByRole('status')).toContainText('127.0.0.1 rejected the stream');
  await expect(dialog.getByRole('status')).not.toContainText('secret');
  await checkPage(page, 'target-test-rejected');
  await dialog.getByLabel('URL').fill(`${server}/good-key`);
  await expect(dialog.getByText('rejected the stream')).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Test connection' }).click();
  await expect(dialog.getByRole('status')).toContainText('127.0.0.1 accepted the stream key.');
  await dialog.getByLabel('Name (optional)').fill('Friends');
  await dialog.getByRole('button', { name: 'Create target' }).click();
  await expect(panel.getByRole('listitem')).toContainText('Friends · source');

  await page.goto('/targets');
  await page.getByRole('button', { name: 'Actions for Friends' }).click();
  await page.getByRole('menuitem', { name: 'Test connection' }).click();
  await expect(dialog.getByRole('status')).toContainText('accepted the stream key');
  await checkPage(page, 'target-test-accepted');
});

test('the page of a live stream shows its target, renditions, session and events, and its key can be replaced', async ({
  page,
}) => {
  await using ingest = await startIngest();
  await logIn(page);
  const url = `rtmp://127.0.0.1:${ingest.port}/live/good-key`;
  const targets = [{ profile: 'source', spec: { url, name: 'Friends' } }];
  const stream = await createStream(page, 'Choir', { multistream: { targets } });
  await setTestPattern(page, stream.id, true);
  await page.goto(`/streams/${stream.id}`);
  const item = page.getByRole('region', { name: 'Targets' }).getByRole('listitem');
  await expect(item).toContainText('Live');
  await expect(item).toContainText('bit/s');
  // The test pattern is smaller than this profile, so no rendition is encoded.
  const openTab = (name: string) => page.getByRole('tab', { name }).click();
  await openTab('Settings');
  const renditions = page.getByRole('region', { name: 'Renditions' });
  await renditions.getByRole('button', { name: 'Edit renditions' }).click();
  const dialog = page.getByRole('dialog', { name: 'Renditions' });
  await dialog.getByRole('button', { name: '1080p' }).click();
  await dialog.getByLabel('Width').fill('12');
  await dialog.getByRole('button', { name: 'Save renditions' }).click();
  await expect(dialog.getByText('Must be at least 128')).toBeVisible();
  await checkPage(page, 'stream-renditions');
  await dialog.getByLabel('Width').fill('1920');
  await dialog.getByRole('button', { name: 'Save renditions' }).click();
  await expect(renditions.getByRole('listitem')).toContainText('Left out');
  await openTab('Recordings');
  const sessions = page.getByRole('list', { name: 'Sessions' });
  await expect(sessions.getByRole('listitem')).toContainText('Live');
  await openTab('Events');
  const events = page.getByRole('list', { name: 'Events' }).getByRole('listitem');
  await expect(events.filter({ hasText: 'Target connected' })).toContainText('Friends');
  await expect(events.filter({ hasText: 'Went live' })).toHaveCount(1);
  const headers = { origin: new URL(page.url()).origin };
  const testResponse = await page.request.post('/api/multistream/target/test', { data: { url }, headers });
  expect(testResponse.status()).toBe(409);
  expect(await testResponse.text()).toContain('is sending to this target now');

  await openTab('Overview');
  await page.getByText('Connect an encoder').click();
  await page.getByRole('button', { name: 'Replace key' }).click();
  const confirmDialog = page.getByRole('alertdialog', { name: 'Replace the key of “Choir”?' });
  await expectAccessible(page, 'replace key');
  await confirmDialog.getByLabel('Type “replace” to confirm').fill('replace');
  await confirmDialog.getByRole('button', { name: 'Replace key' }).click();
  await expect(page.getByText('Stream key replaced')).toBeVisible();
  await openTab('Overview');
  await expect(item).toContainText(/Not sending|Received the last session/);
  const response = await page.request.get(`/api/stream/${stream.id}`);
  const { streamKey } = (await response.json()) as { streamKey: string };
  expect(streamKey).not.toBe(stream.streamKey);
});
