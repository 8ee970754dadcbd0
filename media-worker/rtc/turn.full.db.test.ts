import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { build } from 'esbuild';
import { type Browser, chromium, type Page } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findFreePort } from '@/lib/infra/testing/free-port';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { cameraArgs } from '@/e2e/media/testing/whip-page';
import { createWorkerFixtures } from '@/media-worker/testing/worker-fixtures';
import { killAndWait, pollForValue } from '@/media-worker/vod/tasks/testing/jobs-process';
import { type RtcProcesses, startRtcProcesses } from './testing/rtc-processes';

/**
 * Tests of the publisher of the dashboard and of the player in a browser that may connect only through a TURN
 * server.
 */

const root = join(import.meta.dirname, '..', '..');
const turnSecret = 'a-secret-shared-with-coturn';
const hasCoturn = spawnSync('turnserver', ['--version']).error === undefined;

const { ctx, createTeam, createStream, readStream } = createWorkerFixtures(await createTestDatabase());
let processes: RtcProcesses;
let coturn: ChildProcess;
let pages: Server;
let browser: Browser;

const pageScript = `
  import { WhipConnection } from '@/lib/client/whip/whip-connection';
  import { defaultQuality } from '@/lib/core/streams/go-live/quality';
  import { WhepEngine } from '@/components/player/engine/whep-engine';

  const peers = [];
  const forceRelay = (configuration) => ({ ...configuration, iceTransportPolicy: 'relay' });
  const Native = RTCPeerConnection;
  globalThis.RTCPeerConnection = class extends Native {
    constructor(configuration) {
      super(forceRelay(configuration));
      peers.push(this);
    }
    setConfiguration(configuration) {
      super.setConfiguration(forceRelay(configuration));
    }
  };
  globalThis.publish = async (url, streamKey) => {
    const media = await navigator.mediaDevices.getUserMedia({ audio: true, video: { width: 640, height: 360 } });
    const [[video], [audio]] = [media.getVideoTracks(), media.getAudioTracks()];
    const quality = { ...defaultQuality, height: 480 };

    await new Promise((onConnected, reject) => {
      const onFailed = (problem) => reject(new Error(problem));
      new WhipConnection({ url, streamKey, video, audio, quality, onConnected, onFailed }).start();
    });
  };
  globalThis.reports = [];
  globalThis.watch = (url) => {
    const video = document.querySelector('video');
    const report = (name) => (detail) => globalThis.reports.push(name + ' ' + detail);
    const ignore = () => undefined;
    const events = {
      renditions: ignore, rendition: ignore, audioTracks: ignore, recovered: ignore,
      fatalError: report('error'), sourceLost: report('lost'), fellBack: report('fell back'),
    };
    globalThis.engine = new WhepEngine(video, url, events);
    globalThis.engine.start();
  };
  globalThis.candidates = async () => {
    const types = [];
    for (const peer of peers) {
      const stats = await peer.getStats();
      for (const pair of stats.values())
        if (pair.type === 'candidate-pair' && pair.nominated) types.push(stats.get(pair.localCandidateId).candidateType);
    }
    return types;
  };
`;

interface TestPage {
  publish(url: string, streamKey: string): Promise<void>;
  watch(url: string): void;
  candidates(): Promise<string[]>;
  readonly reports: string[];
}

beforeAll(async () => {
  if (!hasCoturn) return;
  const port = await findFreePort();
  const address = ['--listening-ip=127.0.0.1', `--listening-port=${port}`, '--relay-ip=127.0.0.1'];
  const access = ['--use-auth-secret', `--static-auth-secret=${turnSecret}`, '--realm=example.com'];
  const flags = ['--allow-loopback-peers', '--no-cli', '--no-tls', '--no-dtls', '--log-file=stdout'];
  const fileArgs = [
    `--pidfile=${join(ctx.settings.dataDir, 'turn.pid')}`,
    `--db=${join(ctx.settings.dataDir, 'turn.db')}`,
  ];
  coturn = spawn('turnserver', ['-n', ...address, ...access, ...flags, ...fileArgs], { stdio: 'ignore' });
  processes = await startRtcProcesses(ctx.settings, process.env.PATH, {
    ICE_SERVERS: `turn:127.0.0.1:${port}?transport=udp`,
    TURN_SECRET: turnSecret,
  });
  const bundle = await build({
    stdin: { contents: pageScript, resolveDir: root, loader: 'js' },
    bundle: true,
    write: false,
    format: 'iife',
    absWorkingDir: root,
    tsconfig: join(root, 'tsconfig.json'),
  });
  const script = bundle.outputFiles[0]?.text ?? '';
  pages = createServer((request, response) => {
    response.writeHead(200, { 'Content-Type': request.url === '/page.js' ? 'text/javascript' : 'text/html' });
    response.end(
      request.url === '/page.js'
        ? script
        : '<!doctype html><video muted autoplay playsinline></video><script src="/page.js"></script>',
    );
  }).listen(0, '127.0.0.1');
  await once(pages, 'listening');
  const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', ...cameraArgs] });
  await pollForValue(async () => {
    const response = await fetch(`${processes.url}/webrtc/x`, { method: 'HEAD' }).catch(() => null);
    return response?.ok === true ? true : undefined;
  });
});
afterAll(async () => {
  if (!hasCoturn) return;
  await browser.close();
  pages.close();
  await processes.end();
  await killAndWait(coturn);
});

async function openPage(): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${(pages.address() as AddressInfo).port}/`);
  return page;
}

const candidatesOf = (page: Page) => page.evaluate(() => (globalThis as unknown as TestPage).candidates());

describe.skipIf(!hasCoturn)('through coturn with time-limited credentials (apt-get install coturn)', () => {
  test('a stream is published and watched', async () => {
    const { id, streamKey, playbackId } = await createStream(await createTeam());
    const publisher = await openPage();
    const url = `${processes.url}/webrtc`;
    await publisher.evaluate(
      ([to = '', key = '']) => (globalThis as unknown as TestPage).publish(to, key),
      [url, streamKey],
    );
    expect(await candidatesOf(publisher)).toEqual(['relay']);
    await expect.poll(async () => (await readStream(id)).isActive).toBe(true);
    const viewer = await openPage();
    await viewer.evaluate((to) => (globalThis as unknown as TestPage).watch(to), `${url}/${playbackId}`);
    const frames = () =>
      viewer.evaluate(() => document.querySelector('video')?.getVideoPlaybackQuality().totalVideoFrames ?? 0);
    await expect.poll(frames).toBeGreaterThan(30);
    expect(await candidatesOf(viewer)).toEqual(['relay']);
    expect(await viewer.evaluate(() => (globalThis as unknown as TestPage).reports)).toEqual([]);
  });

  test('the username expires in more than 23 hours, and a wrong password gets no relay candidate', async () => {
    const { headers } = await fetch(`${processes.url}/webrtc/x`, { method: 'OPTIONS' });
    const link = headers.get('Link') ?? '';
    const [, username = ''] = /username="(\d+)"/.exec(link) ?? [];
    expect(Number(username) - Date.now() / 1_000).toBeGreaterThan(23 * 3_600);
    // The connections of this page gather only relay candidates.
    const page = await openPage();
    const turnUrl = /<([^>]+)>/.exec(link)?.[1] ?? '';
    const types = await page.evaluate(
      async ({ urls, name }) => {
        const peer = new RTCPeerConnection({ iceServers: [{ urls, username: name, credential: 'wrong' }] });
        peer.createDataChannel('x');
        const candidateTypes: string[] = [];
        const whenGathered = new Promise<void>((resolve) => {
          peer.addEventListener('icecandidate', ({ candidate }) => {
            if (candidate) candidateTypes.push(candidate.type ?? '');
            else resolve();
          });
        });
        await peer.setLocalDescription();
        await whenGathered;
        return candidateTypes;
      },
      { urls: turnUrl, name: username },
    );
    expect(types).toEqual([]);
  });
});
