import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, type Page } from '@playwright/test';
import { ensureChromium } from './checks/chromium';
import { root } from './checks/step';
import { startTestService } from './checks/test-service';
import { diesWithParent } from './postgres/child';
import { generateClient } from './generate';
import { ensureFfmpeg } from './service/ffmpeg';
import { runToEnd } from './service/run-to-end';

const size = { width: 1280, height: 800 };
const images = join(root, 'docs', 'images');
/** Longest time for which an unchanged page is shown, in milliseconds, to shorten loading times in the recording. */
const maxStillMs = 1_200;
/** Playback speed of the recording, relative to real time. */
const speed = 1.5;
const framesPerSecond = 6;

interface Frame {
  readonly file: string;
  readonly atMs: number;
}

const say = (line: string) => void process.stderr.write(`${line}\n`);

/** `npm run readme-images`: makes the images of README.md with a temporary service. */
export default async function readmeImages(): Promise<void> {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());
  const folder = await mkdtemp(join(tmpdir(), 'headwater-images-'));
  try {
    await generateClient(say);
    await ensureFfmpeg(say, stopping.signal);
    const executablePath = await ensureChromium(say, stopping.signal);
    say('Building and starting the service …');
    // The recording of the tour is ready this long after its encoder stopped.
    process.env.SESSION_RECONNECT_SECONDS = '5';
    const service = await startTestService(folder, stopping.signal, { issuer: false });
    try {
      const browser = await chromium.launch({
        ...(executablePath ? { executablePath } : {}),
        args: ['--no-sandbox', '--disable-gpu', '--autoplay-policy=no-user-gesture-required'],
      });
      const baseURL = service.environment.BASE_URL ?? '';
      const context = await browser.newContext({ viewport: size, colorScheme: 'dark', baseURL });
      try {
        const page = await context.newPage();
        await writeTour(folder, await recordTour(page, folder), stopping.signal);
        const source = await makeSource(folder, stopping.signal);
        const publish = (key: string) => startEncoder(source, `${service.environment.RTMP_URL ?? ''}/${key}`);
        await writeWalk(folder, await recordWalk(page, folder, publish), stopping.signal);
      } finally {
        await browser.close();
      }
    } finally {
      await service.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function recordTour(page: Page, folder: string): Promise<Frame[]> {
  await page.goto('/signup');
  await page.getByRole('button', { name: 'Create account' }).waitFor();
  const stop = await startScreencast(page, folder, 'tour');
  await takeTour(page);
  const frames = await stop();
  const path = join(images, 'dashboard.png');
  await page.screenshot({ path });
  say(`${path} (${await kilobytes(path)} kB)`);
  return frames;
}

/** Signs up, creates a stream and goes live. The pauses let viewers follow the recording. */
async function takeTour(page: Page): Promise<void> {
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
    await takeWalk(page, (key) => {
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
async function takeWalk(page: Page, publish: (key: string) => ChildProcess): Promise<void> {
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

/** Creates the video that the encoders of the tour send in a loop. */
async function makeSource(folder: string, signal: AbortSignal): Promise<string> {
  const path = join(folder, 'source.mp4');
  const input = [
    '-f',
    'lavfi',
    '-i',
    'testsrc2=size=1280x720:rate=30',
    '-f',
    'lavfi',
    '-i',
    'sine=frequency=330',
  ];
  const video = ['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', '-g', '60', '-bf', '0'];
  const args = ['-v', 'error', '-y', ...input, '-t', '20', ...video, '-c:a', 'aac', path];
  await runToEnd({ command: 'ffmpeg', args }, say, signal);
  return path;
}

function startEncoder(source: string, url: string): ChildProcess {
  const args = ['-v', 'error', '-re', '-stream_loop', '-1', '-i', source, '-c', 'copy', '-f', 'flv', url];
  const command = diesWithParent({ command: 'ffmpeg', args });
  return spawn(command.command, command.args, { stdio: 'ignore' });
}

/**
 * Records a frame whenever the page changes.
 * @returns a function that stops and returns the frames
 */
async function startScreencast(page: Page, folder: string, name: string): Promise<() => Promise<Frame[]>> {
  const session = await page.context().newCDPSession(page);
  const writing: Promise<Frame>[] = [];
  session.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
    const file = join(folder, `${name}-${String(writing.length).padStart(5, '0')}.jpg`);
    const atMs = (metadata.timestamp ?? 0) * 1_000;
    writing.push(writeFile(file, Buffer.from(data, 'base64')).then(() => ({ file, atMs })));
    void session.send('Page.screencastFrameAck', { sessionId }).catch(() => undefined);
  });
  await session.send('Page.startScreencast', { format: 'jpeg', quality: 92, everyNthFrame: 2 });
  return async () => {
    await session.send('Page.stopScreencast');
    return Promise.all(writing);
  };
}

/**
 * Writes the frames as an animated WebP, which browsers and GitHub show inline. At a lower quality, the encoder ignores
 * small differences, so that dark parts of earlier frames stay visible.
 */
async function writeTour(folder: string, frames: readonly Frame[], signal: AbortSignal): Promise<void> {
  const list = await listFrames(folder, frames, speed);
  const filters = `fps=${framesPerSecond},scale=960:-1:flags=lanczos`;
  const output = ['-c:v', 'libwebp_anim', '-quality', '90', '-compression_level', '5', '-loop', '0'];
  await encode(list, ['-vf', filters, ...output], join(images, 'tour.webp'), signal);
}

/** A video, because the recording is too long for an animated picture. */
async function writeWalk(folder: string, frames: readonly Frame[], signal: AbortSignal): Promise<void> {
  const list = await listFrames(folder, frames, 1);
  const video = ['-c:v', 'libx264', '-preset', 'slow', '-crf', '27', '-pix_fmt', 'yuv420p'];
  const output = ['-vf', 'fps=12', ...video, '-movflags', '+faststart'];
  await encode(list, output, join(images, 'walk.mp4'), signal);
}

/** @param faster speed relative to real time */
async function listFrames(folder: string, frames: readonly Frame[], faster: number): Promise<string> {
  const list = join(folder, 'frames.txt');
  const lines = frames.flatMap(({ file, atMs }, index) => {
    const shownMs = (frames[index + 1]?.atMs ?? atMs + maxStillMs) - atMs;
    const seconds = Math.min(Math.max(shownMs, 0), maxStillMs) / 1_000 / faster;
    // ffmpeg does not accept exponents.
    return [`file '${file}'`, `duration ${seconds.toFixed(4)}`];
  });
  await writeFile(list, lines.join('\n'));
  return list;
}

async function encode(
  list: string,
  output: readonly string[],
  path: string,
  signal: AbortSignal,
): Promise<void> {
  const input = ['-v', 'error', '-y', '-f', 'concat', '-safe', '0', '-i', list];
  await runToEnd({ command: 'ffmpeg', args: [...input, ...output, path] }, say, signal);
  say(`${path} (${await kilobytes(path)} kB)`);
}

const kilobytes = async (path: string) => Math.round((await stat(path)).size / 1_000);
