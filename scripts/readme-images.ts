import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import { root } from './checks/step';
import { createStream, waitUntil, waitUntilPlaying } from './recording/dashboard-session';
import { createSourceVideo, startEncoder, startReceiver } from './recording/encoder';
import { withRecordedService } from './recording/recorded-service';
import { encodeFrames, type Frame, kilobytes, listFrames, startScreencast } from './recording/screencast';
import { findFreePort } from './service/ports';

const size = { width: 1280, height: 800 };
const imageSize = { width: 1440, height: 900 };
const images = join(root, 'docs', 'images');
/** Playback speed of the recording, relative to real time. */
const SPEED = 1.5;
const FRAMES_PER_SECOND = 6;

const log = (line: string) => void process.stderr.write(`${line}\n`);

/** `npm run readme-images`: makes the images of README.md with a temporary service. */
export default async function readmeImages(): Promise<void> {
  await withRecordedService(log, async ({ folder, browser, baseURL, rtmpUrl, signal }) => {
    const context = await browser.newContext({ viewport: size, colorScheme: 'dark', baseURL });
    const page = await context.newPage();
    await writeTour(folder, await recordTour(page, folder), signal);
    const source = await createSourceVideo(folder, log, signal);
    const publish = (key: string) => startEncoder(source, `${rtmpUrl}/${key}`);
    await writeWalk(folder, await recordWalk(page, folder, publish), signal);
    await captureDashboardImage(page, await browser.newPage({ baseURL }), publish);
  });
}

async function recordTour(page: Page, folder: string): Promise<Frame[]> {
  await page.goto('/signup');
  await page.getByRole('button', { name: 'Create account' }).waitFor();
  const stop = await startScreencast(page, folder, 'tour');
  await captureTour(page);
  return stop();
}

/** The page of a live stream with two encoders, a slate, a target and a viewer. */
async function captureDashboardImage(
  page: Page,
  viewer: Page,
  publish: (key: string) => ChildProcess,
): Promise<void> {
  const receiverPort = await findFreePort();
  const children = [startReceiver(receiverPort)];
  try {
    const target = { name: 'City website', url: `rtmp://127.0.0.1:${receiverPort}/live/example-key` };
    const { id, playbackId, streamKey, backupStreamKey } = await createStream(page, 'Harbour festival', {
      backup: true,
      slate: true,
      multistream: { targets: [{ profile: 'source', spec: target }] },
    });
    children.push(publish(streamKey), publish(backupStreamKey ?? ''));
    await page.setViewportSize(imageSize);
    await page.goto(`/streams/${id}`);
    await waitUntilPlaying(page);
    await viewer.goto(`/watch/${playbackId}`);
    await waitUntilPlaying(viewer);
    await waitUntil(() => page.getByText('1 watching').first().isVisible(), 'a viewer');
    await waitUntil(() => page.getByText('Ready').first().isVisible(), 'the standby encoder');
    await sleep(20_000);
    const path = join(images, 'dashboard.png');
    await page.screenshot({ path });
    log(`${path} (${await kilobytes(path)} kB)`);
  } finally {
    for (const child of children) child.kill('SIGKILL');
  }
}

/** Signs up, creates a stream and goes live. The pauses let viewers follow the recording. */
async function captureTour(page: Page): Promise<void> {
  await sleep(800);
  await page.getByLabel('Email').pressSequentially('ada@example.com', { delay: 60 });
  await page.getByLabel('Password').pressSequentially('quiet river stones 42', { delay: 40 });
  await sleep(500);
  await page.getByRole('button', { name: 'Create account' }).click();
  const create = page.getByRole('button', { name: 'Create my first stream' });
  await create.waitFor();
  await sleep(1_500);
  await create.click();
  const start = page.getByRole('button', { name: 'Send test pattern' });
  await start.waitFor();
  await sleep(2_000);
  await start.click();
  await page.locator('[data-phase="playing"]').waitFor({ timeout: 60_000 });
  await sleep(3_000);
  await page.getByRole('link', { name: 'My first stream' }).first().click();
  await page.getByRole('heading', { level: 1, name: 'My first stream' }).waitFor();
  await page.locator('[data-phase="playing"]').waitFor({ timeout: 60_000 });
  await sleep(5_000);
}

async function recordWalk(
  page: Page,
  folder: string,
  publish: (key: string) => ChildProcess,
): Promise<Frame[]> {
  await page.goto('/streams');
  await page.getByRole('button', { name: 'Create stream' }).first().waitFor();
  const stop = await startScreencast(page, folder, 'walk');
  const encoders: ChildProcess[] = [];
  try {
    await captureWalk(page, (key) => {
      const encoder = publish(key);
      encoders.push(encoder);
      return encoder;
    });
  } finally {
    for (const encoder of encoders) encoder.kill('SIGKILL');
  }
  return stop();
}

/** From a new stream to a shared recording, with a second encoder that is rejected. */
async function captureWalk(page: Page, publish: (key: string) => ChildProcess): Promise<void> {
  await page.getByRole('button', { name: 'Create stream' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Create stream' });
  await dialog.getByLabel('Name').pressSequentially('Harbour camera', { delay: 60 });
  await sleep(1_000);
  await dialog.getByRole('button', { name: 'Create stream' }).click();
  await page.getByRole('heading', { level: 1, name: 'Harbour camera' }).waitFor();
  await page.getByRole('region', { name: 'Connect an encoder' }).waitFor();
  await sleep(3_000);
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  const answer = await page.request.get(`/api/stream/${id}`);
  const { streamKey, playbackId } = (await answer.json()) as { streamKey: string; playbackId: string };
  const encoder = publish(streamKey);
  await page.locator('[data-phase="playing"]').waitFor({ timeout: 60_000 });
  await sleep(8_000);
  publish(streamKey);
  await page.getByText('Encoder rejected').first().waitFor({ timeout: 30_000 });
  await sleep(4_000);
  encoder.kill('SIGINT');
  await page.getByText('Idle', { exact: true }).first().waitFor({ timeout: 30_000 });
  await sleep(2_000);
  await page.getByRole('tab', { name: 'Recordings' }).click();
  await sleep(3_000);
  await page.goto(`/watch/${playbackId}`);
  await page.getByRole('link', { name: 'Watch the recording' }).click({ timeout: 120_000 });
  await page.locator('[data-phase="playing"]').waitFor({ timeout: 60_000 });
  await sleep(3_000);
  await page.getByRole('button', { name: 'Share' }).click();
  await page.getByRole('dialog', { name: 'Share' }).waitFor();
  await sleep(4_000);
}

/**
 * Writes the frames as an animated WebP, which browsers and GitHub show inline. At a lower quality, the encoder ignores
 * small differences, so that dark parts of earlier frames stay visible.
 */
async function writeTour(folder: string, frames: readonly Frame[], signal: AbortSignal): Promise<void> {
  const list = await listFrames(folder, frames, SPEED);
  const filters = `fps=${FRAMES_PER_SECOND},scale=960:-1:flags=lanczos`;
  const output = ['-c:v', 'libwebp_anim', '-quality', '90', '-compression_level', '5', '-loop', '0'];
  await encodeFrames({
    list,
    output: ['-vf', filters, ...output],
    path: join(images, 'tour.webp'),
    log,
    signal,
  });
}

/** A video, because the recording is too long for an animated picture. */
async function writeWalk(folder: string, frames: readonly Frame[], signal: AbortSignal): Promise<void> {
  const list = await listFrames(folder, frames, 1);
  const video = ['-c:v', 'libx264', '-preset', 'slow', '-crf', '27', '-pix_fmt', 'yuv420p'];
  const output = ['-vf', 'fps=12', ...video, '-movflags', '+faststart'];
  await encodeFrames({ list, output, path: join(images, 'walk.mp4'), log, signal });
}
