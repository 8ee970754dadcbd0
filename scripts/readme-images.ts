import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, type Page } from '@playwright/test';
import { ensureChromium } from './checks/chromium';
import { root } from './checks/step';
import { startTestService } from './checks/test-service';
import { generateClient } from './generate';
import { ensureFfmpeg } from './service/ffmpeg';
import { runToEnd } from './service/run-to-end';

const size = { width: 1280, height: 800 };
const images = join(root, 'docs', 'images');
/** Longest time for which an unchanged page is shown, to shorten loading times in the recording. */
const maxStillMs = 1_200;
/** How much faster than real time the recording plays. */
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
    const service = await startTestService(folder, stopping.signal);
    try {
      const frames = await recordTour(folder, service.environment.BASE_URL ?? '', executablePath);
      await encode(folder, frames, stopping.signal);
    } finally {
      await service.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function recordTour(folder: string, baseUrl: string, executablePath: string): Promise<Frame[]> {
  const browser = await chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    args: ['--no-sandbox', '--disable-gpu', '--autoplay-policy=no-user-gesture-required'],
  });
  try {
    const context = await browser.newContext({ viewport: size, colorScheme: 'dark', baseURL: baseUrl });
    const page = await context.newPage();
    await page.goto('/signup');
    await page.getByRole('button', { name: 'Create account' }).waitFor();
    const stop = await startScreencast(page, folder);
    await takeTour(page);
    const frames = await stop();
    const path = join(images, 'dashboard.png');
    await page.screenshot({ path });
    say(`${path} (${await kilobytes(path)} kB)`);
    return frames;
  } finally {
    await browser.close();
  }
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

/** Records a frame whenever the page changes. @returns a function that stops and returns the frames */
async function startScreencast(page: Page, folder: string): Promise<() => Promise<Frame[]>> {
  const session = await page.context().newCDPSession(page);
  const writing: Promise<Frame>[] = [];
  session.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
    const file = join(folder, `${String(writing.length).padStart(5, '0')}.jpg`);
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
async function encode(folder: string, frames: readonly Frame[], signal: AbortSignal): Promise<void> {
  const list = join(folder, 'frames.txt');
  const lines = frames.flatMap(({ file, atMs }, index) => {
    const shownMs = (frames[index + 1]?.atMs ?? atMs + maxStillMs) - atMs;
    const seconds = Math.min(Math.max(shownMs, 0), maxStillMs) / 1_000 / speed;
    // ffmpeg does not accept exponents.
    return [`file '${file}'`, `duration ${seconds.toFixed(4)}`];
  });
  await writeFile(list, lines.join('\n'));
  const path = join(images, 'tour.webp');
  const input = ['-v', 'error', '-y', '-f', 'concat', '-safe', '0', '-i', list];
  const filters = `fps=${framesPerSecond},scale=960:-1:flags=lanczos`;
  const output = ['-c:v', 'libwebp_anim', '-quality', '90', '-compression_level', '5', '-loop', '0', path];
  await runToEnd({ command: 'ffmpeg', args: [...input, '-vf', filters, ...output] }, say, signal);
  say(`${path} (${await kilobytes(path)} kB)`);
}

const kilobytes = async (path: string) => Math.round((await stat(path)).size / 1_000);
