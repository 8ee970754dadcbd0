import { expect, test, type Page } from '@playwright/test';
import { createSourceFile, type Encoder, setUpEncoders } from '../media/testing/encoder';
import { rtmpUrl } from '../media/testing/service';
import { checkPage } from './page-checks';
import { expectAboveTheFold, expectOrder, readRectangles } from './positions';
import { createStream, expectPlaying, logIn } from './page-actions';

const startEncoder = setUpEncoders();

async function publish(streamKey: string, outputArgs?: readonly string[]): Promise<Encoder> {
  return startEncoder(await createSourceFile(), rtmpUrl(streamKey), outputArgs);
}

const desktop = { width: 1440, height: 900 };
const phone = { width: 360, height: 740 };

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const streamMenu = (page: Page, name: string) => page.getByRole('button', { name: `Actions for ${name}` });

test('the page of an idle stream shows how to connect an encoder without scrolling, and has three sections', async ({
  page,
}) => {
  await logIn(page);
  const stream = await createStream(page, 'Harbour');
  for (const size of [desktop, phone]) {
    await page.setViewportSize(size);
    await page.goto(`/streams/${stream.id}`);
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
    const connectRegion = region(page, 'Connect an encoder');
    await expectAboveTheFold(
      page,
      connectRegion.getByRole('group', { name: 'Server' }),
      connectRegion.getByRole('group', { name: 'Stream key' }),
      connectRegion.getByRole('button', { name: 'Copy server' }),
      connectRegion.getByRole('button', { name: 'Copy key' }),
      connectRegion.getByRole('button', { name: 'Reveal stream key' }),
      connectRegion.getByRole('button', { name: 'Replace key' }),
      streamMenu(page, stream.name),
    );
    await expect(connectRegion.getByRole('group', { name: 'Server' })).toHaveText(/^rtmps?:\/\//);
    await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveText([
      'What viewers see',
      'Before you go live',
      'Connect an encoder',
    ]);
    const checks = region(page, 'Before you go live');
    await expect(checks).toContainText('1 of 3 ready');
    await expect(checks.getByRole('listitem')).toHaveCount(4);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(size.width);
  }
  await page.setViewportSize(desktop);
  // The primary action of the page is in its upper half.
  const [copyKey] = await readRectangles(page, [page.getByRole('button', { name: 'Copy key' })]);
  expect(copyKey?.bottom).toBeLessThanOrEqual(440);
  await expectAboveTheFold(
    page,
    page.getByLabel('ffmpeg command', { exact: true }),
    region(page, 'Before you go live'),
    page.getByRole('button', { name: 'Preview a test pattern' }),
  );
  // The page is at most 1.6 windows high.
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollHeight))
    .toBeLessThanOrEqual(1.6 * desktop.height);

  // Each kind of encoder has a tab, and the tab for phones can show a QR code.
  const encoderTab = (name: string) => page.getByRole('tab', { name });
  await encoderTab('OBS Studio').click();
  await expect(page.getByRole('tabpanel', { name: 'OBS Studio' })).toContainText('Keyframe interval');
  await encoderTab('Phone').click();
  await page.getByRole('button', { name: 'Show QR code' }).click();
  await expect(page.getByRole('img', { name: 'QR code for Larix Broadcaster' })).toBeVisible();
  await checkPage(page, 'stream-phone');
});

test('the page of a live stream first shows player, health and viewers, and after its end how to connect', async ({
  page,
  browser,
}) => {
  test.slow();
  await logIn(page);
  const stream = await createStream(page, 'Regatta');
  await page.setViewportSize(desktop);
  await page.goto(`/streams/${stream.id}`);
  const connectRegion = region(page, 'Connect an encoder');
  const server = connectRegion.getByRole('group', { name: 'Server' });
  await expect(server).toBeVisible();
  const encoder = await publish(stream.streamKey);
  await expectPlaying(page);
  await expect(server).toBeHidden();
  const player = region(page, `Player: ${stream.name}`);
  const health = region(page, 'Health');
  const healthButton = page.getByRole('status').getByRole('button', { name: 'Healthy' });
  await expect(health).toHaveCount(0);
  await healthButton.click();
  await expect(health.getByRole('term').filter({ hasText: 'Frame rate' })).toBeVisible();
  await expectAboveTheFold(
    page,
    player,
    region(page, 'Targets'),
    page.getByRole('link', { name: 'Add a second encoder' }),
    page.getByRole('button', { name: 'Turn on the slate' }),
    healthButton,
    health.getByRole('term').last(),
  );
  await expect(region(page, 'Viewers')).toHaveCount(0);

  const viewerContext = await browser.newContext();
  const viewer = await viewerContext.newPage();
  await viewer.goto(new URL(`/watch/${stream.playbackId}`, page.url()).href);
  await expectPlaying(viewer);
  await expect(region(page, 'Viewers')).toBeVisible();
  await expect(page.getByRole('main')).toContainText('1 watching');
  await expectAboveTheFold(page, page.getByRole('main').getByText('1 watching', { exact: true }));
  await expectOrder(page, health, connectRegion);
  await page.setViewportSize(phone);
  await expectOrder(page, player, region(page, 'Targets'), health, region(page, 'Viewers'), connectRegion);
  await viewerContext.close();

  // The section for another encoder unfolds with mouse and keyboard.
  await connectRegion.locator('summary').focus();
  await page.keyboard.press('Enter');
  await expect(server).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(server).toBeHidden();
  await checkPage(page, 'stream-live');

  await page.reload();
  await expectPlaying(page);
  await encoder.stop();
  await expect(server).toBeVisible();
  await page.setViewportSize(phone);
  await expectOrder(page, connectRegion, player, region(page, 'Targets'), region(page, 'Viewers'));
  await expectAboveTheFold(page, server, connectRegion.getByRole('group', { name: 'Stream key' }));
  await checkPage(page, 'stream-ended');
});
