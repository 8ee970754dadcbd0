import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, chromium } from '@playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cameraArgs, publishFromPage } from '@/e2e/media/testing/whip-page';
import { testDatabase } from '@/lib/infra/testing/test-database';
import { workerFixtures } from '@/media-worker/testing/worker-fixtures';
import { pollForValue } from '@/media-worker/vod/tasks/testing/jobs-process';
import { type RtcProcesses, startRtcProcesses } from './testing/rtc-processes';

/** Offers with several RID encodings (RFC 8853), as Chromium creates them. */

const { ctx, newTeam, stream, readStream } = workerFixtures(await testDatabase());
let processes: RtcProcesses;
let pages: Server;
let browser: Browser;

beforeAll(async () => {
  processes = await startRtcProcesses(ctx.settings, process.env.PATH);
  pages = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html>');
  }).listen(0, '127.0.0.1');
  await once(pages, 'listening');
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', ...cameraArgs],
  });
  await pollForValue(async () => {
    const response = await fetch(`${processes.url}/webrtc/x`, { method: 'HEAD' }).catch(() => null);
    return response?.ok === true ? true : undefined;
  });
});
afterAll(async () => {
  await browser.close();
  pages.close();
  await processes.end();
});

test('the first of three RID encodings and the audio are received', async () => {
  const { id, streamKey, playbackId } = await stream(await newTeam());
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${(pages.address() as AddressInfo).port}/`);
  const layers = { h: 1, m: 2, l: 4 };
  const { status } = await publishFromPage(page, `${processes.url}/webrtc`, { token: streamKey, layers });
  expect(status).toBe(201);
  await expect.poll(async () => (await readStream(id)).isActive).toBe(true);
  const master = async () => (await fetch(`${processes.url}/hls/${playbackId}/index.m3u8`)).text();
  await expect
    .poll(master)
    .toMatch(
      /CODECS="avc1\.\w+,mp4a[^\n]*RESOLUTION=1280x720|RESOLUTION=1280x720[^\n]*CODECS="avc1\.\w+,mp4a/,
    );
});
