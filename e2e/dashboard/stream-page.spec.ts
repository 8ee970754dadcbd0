import { expect, test, type Page } from '@playwright/test';
import { Encoder, sourceFile } from '../media/testing/encoder';
import { rtmpUrl } from '../media/testing/service';
import { lookAround } from './look';
import { expectAboveTheFold, expectOrder } from './places';
import { createStream, expectPlaying, logIn } from './session';

const encoders: Encoder[] = [];
test.afterEach(() => Promise.all(encoders.splice(0).map((encoder) => encoder.kill())));

async function publish(streamKey: string, output?: readonly string[]): Promise<Encoder> {
  const encoder = new Encoder(await sourceFile(), rtmpUrl(streamKey), output);
  encoders.push(encoder);
  return encoder;
}

const desktop = { width: 1440, height: 900 };
const phone = { width: 360, height: 740 };

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const testPattern = (page: Page) =>
  page.getByRole('main').getByRole('button', { name: /^(Send|Stop) test pattern$|^Actions for / });

test('an idle stream shows first how to connect, and no empty sections', async ({ page }) => {
  await logIn(page);
  const stream = await createStream(page, 'Harbour');
  for (const size of [desktop, phone]) {
    await page.setViewportSize(size);
    await page.goto(`/streams/${stream.id}`);
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
    const connect = region(page, 'Connect an encoder');
    await expectAboveTheFold(
      page,
      connect.getByRole('group', { name: 'Server' }),
      connect.getByRole('group', { name: 'Stream key' }),
      connect.getByRole('button', { name: 'Copy server' }),
      connect.getByRole('button', { name: 'Copy stream key' }),
      connect.getByRole('button', { name: 'Reveal stream key' }),
      connect.getByRole('button', { name: 'Replace key' }),
      testPattern(page),
    );
    await expect(connect.getByRole('group', { name: 'Server' })).toHaveText(/^rtmps?:\/\//);
    await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveText([
      'Connect an encoder',
      'Targets',
    ]);
  }
  await page.setViewportSize(desktop);
  await expectAboveTheFold(page, page.getByLabel('ffmpeg command', { exact: true }));
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollHeight))
    .toBeLessThanOrEqual(1.6 * 900);

  // Every encoder has its tab, and the code for phones is available on demand.
  const encoder = (name: string) => page.getByRole('tab', { name });
  await encoder('OBS Studio').click();
  await expect(page.getByRole('tabpanel', { name: 'OBS Studio' })).toContainText('Keyframe interval');
  await encoder('Phone').click();
  await page.getByRole('button', { name: 'Show QR code' }).click();
  await expect(page.getByRole('img', { name: 'QR code for Larix Broadcaster' })).toBeVisible();
  await lookAround(page, 'stream-phone');
});

test('a live stream shows first frame, health and viewers, and an ended one how to connect', async ({
  page,
  browser,
}) => {
  test.slow();
  await logIn(page);
  const stream = await createStream(page, 'Regatta');
  await page.setViewportSize(desktop);
  await page.goto(`/streams/${stream.id}`);
  const connect = region(page, 'Connect an encoder');
  const server = connect.getByRole('group', { name: 'Server' });
  await expect(server).toBeVisible();
  const encoder = await publish(stream.streamKey);
  await expectPlaying(page);
  await expect(server).toBeHidden();
  const player = region(page, `Player: ${stream.name}`);
  const health = region(page, 'Health');
  const pill = page.getByRole('status').getByRole('button', { name: 'Healthy' });
  await expect(health).toHaveCount(0);
  await pill.click();
  await expect(health.getByRole('term').filter({ hasText: 'Frame rate' })).toBeVisible();
  await expectAboveTheFold(page, player, region(page, 'Targets'), pill, health.getByRole('term').last());
  await expect(region(page, 'Viewers')).toHaveCount(0);

  const viewers = await browser.newContext();
  const viewer = await viewers.newPage();
  await viewer.goto(new URL(`/watch/${stream.playbackId}`, page.url()).href);
  await expectPlaying(viewer);
  await expect(region(page, 'Viewers')).toBeVisible();
  await expect(page.getByRole('main')).toContainText('1 viewer now');
  await expectAboveTheFold(page, page.getByRole('main').getByText('1 viewer now'));
  await expectOrder(page, health, connect);
  await page.setViewportSize(phone);
  await expectOrder(page, player, region(page, 'Targets'), health, region(page, 'Viewers'), connect);
  await viewers.close();

  // The section for another encoder unfolds with mouse and keyboard.
  await connect.locator('summary').focus();
  await page.keyboard.press('Enter');
  await expect(server).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(server).toBeHidden();
  await lookAround(page, 'stream-live');

  await page.reload();
  await expectPlaying(page);
  await encoder.stop();
  await expect(server).toBeVisible();
  await page.setViewportSize(phone);
  await expectOrder(page, connect, player, region(page, 'Targets'), region(page, 'Viewers'));
  await expectAboveTheFold(page, server, connect.getByRole('group', { name: 'Stream key' }));
  await lookAround(page, 'stream-ended');
});
