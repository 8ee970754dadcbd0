import { spawn } from 'node:child_process';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, type Page } from '@playwright/test';
import { cleanup } from 'node-datachannel';
import { ViewerClient } from '@/media-worker/rtc/testing/viewer-client';
import { ensureChromium } from '../scripts/checks/chromium';
import { publishClock, readFrameAge } from './glass-to-glass';
import type { Bench } from './lib/bench';
import { formatNumber, markdownTable, percentile } from './lib/figures';
import { startHeadwater } from './lib/headwater';
import { readPlaylist } from './lib/hls-reader';
import { startLossyRelay } from './lib/lossy-relay';
import { findFreePorts, waitFor } from './lib/network';
import { cpuSeconds } from './lib/process-tree';
import type { StreamUrls } from './lib/rtmp-service';
import type { Scope } from './lib/scope';

const SAMPLE_INTERVAL_MS = 100;
const VIEWER_COUNT = 10;
const MAX_VIEWER_COUNT = 100;
/** A poor network that still supports calls: one-way delay in milliseconds, and fraction of datagrams lost. */
const poorNetwork = { delayMs: 25, lossRatio: 0.015 };

/** Publishes 720p30 at 2 Mbit/s from an encoded file, because encoding would take CPU time from the measurement. */
async function publishClip(scope: Scope, directory: string, { publishUrl }: StreamUrls): Promise<void> {
  const file = join(directory, 'clip.flv');
  const source = '-f lavfi -i testsrc2=size=1280x720:rate=30 -f lavfi -i sine=frequency=440 -t 20';
  const encodeArgs =
    '-c:v libx264 -preset ultrafast -tune zerolatency -g 60 -b:v 2M -minrate 2M -maxrate 2M -bufsize 2M';
  const encoder = spawn(
    'ffmpeg',
    `-v error ${source} ${encodeArgs} -pix_fmt yuv420p -c:a aac -f flv ${file}`.split(' '),
  );
  await new Promise((resolve) => encoder.once('exit', resolve));
  const publisher = spawn(
    'ffmpeg',
    `-v error -re -stream_loop -1 -i ${file} -c copy -f flv ${publishUrl}`.split(' '),
  );
  scope.defer(() => void publisher.kill('SIGKILL'));
}

/** Adds viewers that receive packets without decoding them. Failed connections are retried for 60 s. */
async function addViewers(scope: Scope, url: string, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    await waitFor(`viewer ${index + 1}`, () => tryAddViewer(scope, url), { timeoutMs: 60_000 });
  }
}

async function tryAddViewer(scope: Scope, url: string): Promise<true | undefined> {
  const client = new ViewerClient();
  const response = await fetch(url, {
    method: 'POST',
    // Connections are not reused, because the origin closes idle connections during a measurement.
    headers: { 'Content-Type': 'application/sdp', Connection: 'close' },
    body: await client.offer(),
  });
  if (response.status !== 201) throw new Error(`WHEP: ${response.status} ${await response.text()}`);
  client.accept(await response.text());
  const deadline = performance.now() + 10_000;
  while (client.state !== 'connected' && client.state !== 'failed' && performance.now() < deadline)
    await sleep(20);
  if (client.state !== 'connected') {
    client.close();
    return undefined;
  }
  client.discardPackets();
  scope.defer(() => client.close());
  return true;
}

/**
 * Plays a stream with WHEP on a page.
 * @param relayPort UDP port of the lossy relay, written into the ICE candidates of the answer; undefined connects directly
 * @returns milliseconds until the first frame
 */
async function measureFirstFrameMs(
  page: Page,
  pageUrl: string,
  whepUrl: string,
  relayPort: number | undefined,
): Promise<number> {
  await page.goto(pageUrl);
  // tsx compiles functions to calls of `__name`, which does not exist in the page.
  await page.evaluate('globalThis.__name = (each) => each');
  return page.evaluate(
    async ({ whepUrl, relayPort }) => {
      const startedAt = performance.now();
      const connection = new RTCPeerConnection();
      const video = document.body.appendChild(document.createElement('video'));
      const stream = new MediaStream();
      Object.assign(video, { muted: true, autoplay: true, srcObject: stream });
      connection.addEventListener('track', ({ track, receiver }) => {
        if ('jitterBufferTarget' in receiver) receiver.jitterBufferTarget = 0;
        stream.addTrack(track);
      });
      for (const kind of ['video', 'audio']) connection.addTransceiver(kind, { direction: 'recvonly' });
      await connection.setLocalDescription();
      const offerSdp = connection.localDescription?.sdp ?? '';
      const response = await fetch(whepUrl, {
        method: 'POST',
        headers: { 'Content-Type': 'application/sdp' },
        body: offerSdp,
      });
      const answer = await response.text();
      const sdp =
        relayPort === undefined
          ? answer
          : answer.replace(/^(a=candidate:\S+ \d UDP \d+ \S+) \d+/gm, `$1 ${relayPort}`);
      await connection.setRemoteDescription({ type: 'answer', sdp });
      await new Promise((resolve) => video.requestVideoFrameCallback(resolve));
      return performance.now() - startedAt;
    },
    { whepUrl, relayPort },
  );
}

async function readFrameAges(page: Page, seconds: number): Promise<number[]> {
  const frameAges: number[] = [];
  const deadline = performance.now() + seconds * 1_000;
  while (performance.now() < deadline) {
    const age = await readFrameAge(page);
    if (age !== null) frameAges.push(age);
    await sleep(SAMPLE_INTERVAL_MS);
  }
  return frameAges;
}

const measureCpuSecondsPerMinute = async (pid: number, seconds: number): Promise<number> => {
  const secondsBefore = cpuSeconds([pid]);
  await sleep(seconds * 1_000);
  return ((cpuSeconds([pid]) - secondsBefore) * 60) / seconds;
};

export const whep: Bench = {
  title: 'Viewers over WebRTC',
  explanation:
    'Each frame of a published video shows the time when it was drawn, as in "Glass to glass". Chromium watches by WHEP ' +
    'beside nine viewers that decode nothing: on loopback, and through a relay that delays each direction by 25 ms and ' +
    'loses 1.5 % of the datagrams. Goals: p95 at most 150 ms and 400 ms, first frame within 500 ms. The second table has the ' +
    'CPU time of the processes in seconds a minute, with a stream of 2 Mbit/s. Goals: at most 0.25 a viewer at ten viewers ' +
    'and more; live is at most 5 % busier with 100 of them.',
  defaults: { runs: 1, window: 60, warmUp: 5 },
  async run(scope, directory, options) {
    // node-datachannel's threads would keep the process alive.
    scope.defer(cleanup);
    const [rtcPort = 0] = await findFreePorts(1);
    const service = await startHeadwater(scope, directory, { RTC_PORT: String(rtcPort) });
    const executablePath = await ensureChromium(options.progress, new AbortController().signal);
    const browser = await chromium.launch({
      ...(executablePath ? { executablePath } : {}),
      args: [
        ...['--no-sandbox', '--disable-gpu', '--autoplay-policy=no-user-gesture-required'],
        '--allow-loopback-in-peer-connection',
      ],
    });
    scope.defer(() => browser.close());
    const [clockStream, clipStream] = await service.openStreams(2);
    if (!clockStream || !clipStream) throw new Error('no stream');
    const whepUrlOf = ({ playlistUrl }: StreamUrls) =>
      `${service.cdnUrl}/webrtc/${/\/hls\/([^/]+)\//.exec(playlistUrl)?.[1] ?? ''}`;
    publishClock(scope, clockStream);
    await waitFor('a playlist', () => readPlaylist(clockStream.playlistUrl), { timeoutMs: 60_000 });
    await addViewers(scope, whepUrlOf(clockStream), VIEWER_COUNT - 1);
    const relayPort = await startLossyRelay(scope, rtcPort, poorNetwork);
    const latencyRows = [];
    for (const [name, port] of [
      ['loopback', undefined],
      ['50 ms and 1.5 % loss', relayPort],
    ] as const) {
      options.progress(name);
      const page = await browser.newPage();
      const firstFrameMs = await measureFirstFrameMs(
        page,
        `${service.cdnUrl}/healthz`,
        whepUrlOf(clockStream),
        port,
      );
      await sleep(options.warmUp * 1_000);
      const frameAges = await readFrameAges(page, options.window);
      const ageCells = [0.5, 0.95, 1].map((fraction) => formatNumber(percentile(frameAges, fraction), 0));
      latencyRows.push([
        name,
        formatNumber(firstFrameMs, 0),
        ...ageCells,
        frameAges.length,
        formatNumber(loadavg()[0] ?? 0, 1),
      ]);
      await page.close();
    }
    await publishClip(scope, directory, clipStream);
    await waitFor('a playlist', () => readPlaylist(clipStream.playlistUrl), { timeoutMs: 60_000 });
    const cpuRows = [];
    let joinedCount = 0;
    for (const count of [0, 1, VIEWER_COUNT, MAX_VIEWER_COUNT]) {
      options.progress(`${count} viewers`);
      await addViewers(scope, whepUrlOf(clipStream), count - joinedCount);
      joinedCount = count;
      await sleep(options.warmUp * 1_000);
      const [rtc, live] = await Promise.all(
        ['rtc', 'live'].map((role) => measureCpuSecondsPerMinute(service.pidOf(role), options.window)),
      );
      cpuRows.push([
        count,
        formatNumber(rtc ?? 0, 2),
        formatNumber(live ?? 0, 2),
        formatNumber(loadavg()[0] ?? 0, 1),
      ]);
    }
    return [
      markdownTable(
        ['network', 'first frame (ms)', 'median (ms)', 'p95 (ms)', 'longest (ms)', 'samples', 'load'],
        latencyRows,
      ),
      markdownTable(
        ['viewers of 2 Mbit/s', 'rtc (CPU s a minute)', 'live (CPU s a minute)', 'load'],
        cpuRows,
      ),
    ].join('\n\n');
  },
};
