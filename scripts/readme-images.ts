import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import { root } from './checks/step';
import { createStream, waitUntil, waitUntilPlaying } from './recording/dashboard-session';
import { createSourceVideo, startEncoder, startReceiver } from './recording/encoder';
import { withRecordedService } from './recording/recorded-service';
import {
  encodeFrames,
  type Frame,
  fileKilobytes,
  writeFrameList,
  startScreencast,
} from './recording/screencast';
import { findFreePort } from './service/ports';

const recordingViewport = { width: 1280, height: 800 };
const screenshotViewport = { width: 1440, height: 900 };
const imagesFolder = join(root, 'docs', 'images');
/** Playback speed of tour.webp, relative to real time. */
const TOUR_SPEED = 1.5;
const TOUR_FRAMES_PER_SECOND = 6;

const log = (line: string) => void process.stderr.write(`${line}\n`);

/**
 * `npm run readme-images`: makes the images of README.md with a temporary service: tour.webp (from the account to the first
 * live stream), walk.mp4 (from a new stream to its shared recording) and dashboard.png.
 */
export default async function readmeImages(): Promise<void> {
  await withRecordedService(log, async ({ folder, browser, baseURL, rtmpUrl, signal }) => {
    const context = await browser.newContext({ viewport: recordingViewport, colorScheme: 'dark', baseURL });
    const page = await context.newPage();
    await encodeTour(folder, await recordTour(page, folder), signal);
    const sourcePath = await createSourceVideo(folder, log, signal);
    const publish = (streamKey: string) => startEncoder(sourcePath, `${rtmpUrl}/${streamKey}`);
    await encodeWalk(folder, await recordWalk(page, folder, publish), signal);
    await captureDashboardImage(page, await browser.newPage({ baseURL }), publish);
  });
}

async function recordTour(page: Page, folder: string): Promise<Frame[]> {
  await page.goto('/signup');
  await page.getByRole('button', { name: 'Create account' }).waitFor();
  const stopScreencast = await startScreencast(page, folder, 'tour');
  await runTourSteps(page);
  return stopScreencast();
}

/** Takes dashboard.png: the page of a live stream with two encoders, a slate, a target and a viewer. */
async function captureDashboardImage(
  page: Page,
  viewer: Page,
  publish: (streamKey: string) => ChildProcess,
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
    await page.setViewportSize(screenshotViewport);
    await page.goto(`/streams/${id}`);
    await waitUntilPlaying(page);
    await viewer.goto(`/watch/${playbackId}`);
    await waitUntilPlaying(viewer);
    await waitUntil(() => page.getByText('1 watching').first().isVisible(), 'a viewer');
    await waitUntil(() => page.getByText('Ready').first().isVisible(), 'the standby encoder');
    // Until the charts of the page have several measurements.
    await sleep(20_000);
    const path = join(imagesFolder, 'dashboard.png');
    await page.screenshot({ path });
    log(`${path} (${await fileKilobytes(path)} kB)`);
  } finally {
    for (const child of children) child.kill('SIGKILL');
  }
}

/** Signs up, creates a stream and goes live. The pauses let viewers follow the recording. */
async function runTourSteps(page: Page): Promise<void> {
  await sleep(800);
  await page.getByLabel('Email').pressSequentially('ada@example.com', { delay: 60 });
  await page.getByLabel('Password').pressSequentially('quiet river stones 42', { delay: 40 });
  await sleep(500);
  await page.getByRole('button', { name: 'Create account' }).click();
  const createButton = page.getByRole('button', { name: 'Create my first stream' });
  await createButton.waitFor();
  await sleep(1_500);
  await createButton.click();
  const startButton = page.getByRole('button', { name: 'Send test pattern' });
  await startButton.waitFor();
  await sleep(2_000);
  await startButton.click();
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
  publish: (streamKey: string) => ChildProcess,
): Promise<Frame[]> {
  await page.goto('/streams');
  await page.getByRole('button', { name: 'Create stream' }).first().waitFor();
  const stopScreencast = await startScreencast(page, folder, 'walk');
  const encoders: ChildProcess[] = [];
  try {
    await runWalkSteps(page, (streamKey) => {
      const encoder = publish(streamKey);
      encoders.push(encoder);
      return encoder;
    });
  } finally {
    for (const encoder of encoders) encoder.kill('SIGKILL');
  }
  return stopScreencast();
}

/**
 * Creates a stream, publishes to it, lets a second encoder be rejected, and opens the recording and its share dialog. The pauses
 * let viewers follow the recording.
 */
async function runWalkSteps(page: Page, publish: (streamKey: string) => ChildProcess): Promise<void> {
  await page.getByRole('button', { name: 'Create stream' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Create stream' });
  await dialog.getByLabel('Name').pressSequentially('Harbour camera', { delay: 60 });
  await sleep(1_000);
  await dialog.getByRole('button', { name: 'Create stream' }).click();
  await page.getByRole('heading', { level: 1, name: 'Harbour camera' }).waitFor();
  await page.getByRole('region', { name: 'Connect an encoder' }).waitFor();
  await sleep(3_000);
  const streamId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  const response = await page.request.get(`/api/stream/${streamId}`);
  const { streamKey, playbackId } = (await response.json()) as { streamKey: string; playbackId: string };
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
 * Encodes the frames as an animated WebP, which browsers and GitHub show inline. The quality is 90 because the encoder
 * ignores small differences at a lower one, so that dark parts of earlier frames stay visible.
 */
async function encodeTour(folder: string, frames: readonly Frame[], signal: AbortSignal): Promise<void> {
  const listPath = await writeFrameList(folder, frames, TOUR_SPEED);
  const filters = `fps=${TOUR_FRAMES_PER_SECOND},scale=960:-1:flags=lanczos`;
  const encoding = ['-c:v', 'libwebp_anim', '-quality', '90', '-compression_level', '5', '-loop', '0'];
  await encodeFrames({
    listPath,
    outputOptions: ['-vf', filters, ...encoding],
    outputPath: join(imagesFolder, 'tour.webp'),
    log,
    signal,
  });
}

/** Encodes the frames as an MP4 video, because they are too many for an animated image. */
async function encodeWalk(folder: string, frames: readonly Frame[], signal: AbortSignal): Promise<void> {
  const listPath = await writeFrameList(folder, frames, 1);
  const video = ['-c:v', 'libx264', '-preset', 'slow', '-crf', '27', '-pix_fmt', 'yuv420p'];
  // With `+faststart`, browsers can play the file before they have all of it.
  const outputOptions = ['-vf', 'fps=12', ...video, '-movflags', '+faststart'];
  await encodeFrames({ listPath, outputOptions, outputPath: join(imagesFolder, 'walk.mp4'), log, signal });
}
