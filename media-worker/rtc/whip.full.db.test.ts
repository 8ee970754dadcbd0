import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testDatabase } from '@/lib/infra/testing/test-database';
import { soon } from '@/media-worker/vod/tasks/testing/jobs-process';
import { workerFixtures } from '@/media-worker/testing/worker-fixtures';
import { BrowserPublisher } from './testing/browser-publisher';
import { type RtcProcesses, startRtcProcesses } from './testing/rtc-processes';

const { ctx, account, stream, reread } = workerFixtures(await testDatabase());
let processes: RtcProcesses;
let browser: BrowserPublisher;

beforeAll(async () => {
  processes = await startRtcProcesses(ctx.settings);
  const isUp = async () =>
    (await fetch(`${processes.url}/webrtc/x`, { method: 'HEAD' }).catch(() => null))?.ok === true;
  await soon(async () => ((await isUp()) ? true : undefined));
  browser = await BrowserPublisher.open(`${processes.url}/healthz`);
});
afterAll(async () => {
  await browser.close();
  await processes.end();
});

const playlist = async (playbackId: string, file: string) => {
  const response = await fetch(`${processes.url}/hls/${playbackId}/${file}`);
  return response.status === 200 ? await response.text() : '';
};

describe('a browser', () => {
  test('publishes by WHIP, and HLS plays', async () => {
    const row = await stream(await account());
    const { status, session } = await browser.publish(`${processes.url}/webrtc/${row.streamKey}`);
    expect(status).toBe(201);
    expect(session).toMatch(/^\/webrtc\/session\//);
    await expect.poll(async () => (await reread(row.id)).isActive).toBe(true);
    await expect.poll(() => playlist(row.playbackId, 'index.m3u8?ll=0')).toContain('#EXT-X-STREAM-INF');
    console.log(await playlist(row.playbackId, 'index.m3u8?ll=0'), await browser.sent());
    await new Promise((r) => setTimeout(r, 15000));
    console.log(await playlist(row.playbackId, 'source/index.m3u8?ll=0'), await browser.sent());
    const ended = await fetch(`${processes.url}${session ?? ''}`, { method: 'DELETE' });
    expect(ended.status).toBe(200);
    await expect.poll(async () => (await reread(row.id)).isActive).toBe(false);
  });
});
