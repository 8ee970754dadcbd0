import { expect, test, type Page } from '@playwright/test';
import { createSourceFile, type Encoder, setUpEncoders } from '../media/testing/encoder';
import { rtmpUrl } from '../media/testing/service';
import { checkPage } from './page-checks';
import { createStream, logIn } from './page-actions';

const startEncoder = setUpEncoders();

async function publish(streamKey: string): Promise<Encoder> {
  return startEncoder(await createSourceFile(), rtmpUrl(streamKey));
}

/** Timeout for a busy machine. It is not an expected duration. */
const longTimeout = { timeout: 240_000 };

const controlPanel = (page: Page) => page.getByRole('region', { name: 'Control panel' });
const inputTile = (page: Page, name: string) => controlPanel(page).getByRole('listitem', { name });
const expectOnAir = (page: Page, name: string) =>
  expect(inputTile(page, name)).toContainText('On air', longTimeout);

test('the control panel switches between two encoders and a slate, and shows the input that takes over when encoders are lost', async ({
  page,
}) => {
  await logIn(page);
  const { id, streamKey } = await createStream(page, 'Service');
  await page.goto(`/streams/${id}?tab=settings`);
  const settings = page.getByRole('region', { name: 'If the encoder drops' });
  await settings.getByRole('switch', { name: 'Standby encoder' }).click();
  await settings.getByRole('button', { name: 'Reveal Backup stream key' }).click();
  const key = settings.getByRole('group', { name: 'Backup stream key' });
  await expect(key).toHaveText(/^([0-9a-z]{4}-){3}[0-9a-z]{4}$/);
  await settings.getByRole('switch', { name: 'Slate', exact: true }).click();
  await expect(settings.getByRole('combobox', { name: 'Show the slate for' })).toBeVisible();
  const backupKey = (await key.textContent()) ?? '';

  const primary = await publish(streamKey);
  await page.goto(`/streams/${id}`);
  await expectOnAir(page, 'Primary');
  await expect(inputTile(page, 'Standby')).toContainText('Not connected');
  const standby = await publish(backupKey);
  await expect(inputTile(page, 'Standby')).toContainText('Ready', longTimeout);

  await controlPanel(page).getByRole('button', { name: 'Switch to Standby' }).click();
  await controlPanel(page).getByRole('button', { name: 'Switch now' }).click();
  await expectOnAir(page, 'Standby');
  await controlPanel(page).getByRole('button', { name: 'Show slate' }).click();
  await controlPanel(page).getByRole('button', { name: 'Show slate now' }).click();
  await expectOnAir(page, 'Slate');
  await expect(controlPanel(page)).toContainText('chosen manually');

  await checkPage(page, 'control-panel', { always: true });
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);

  await controlPanel(page).getByRole('button', { name: 'Switch to Primary' }).click();
  await controlPanel(page).getByRole('button', { name: 'Switch now' }).click();
  await expectOnAir(page, 'Primary');
  await primary.kill();
  await expectOnAir(page, 'Standby');
  await standby.kill();
  await expectOnAir(page, 'Slate');
});
