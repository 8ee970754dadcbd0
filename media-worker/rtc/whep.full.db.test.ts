import { type ChildProcess, spawn } from 'node:child_process';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { revokePlaybackToken, createPlaybackToken } from '@/lib/domain/access';
import { updateStream } from '@/lib/domain/streams';
import { testDatabase } from '@/lib/infra/testing/test-database';
import { workerFixtures } from '@/media-worker/testing/worker-fixtures';
import { killed, soon } from '@/media-worker/vod/tasks/testing/jobs-process';
import { BrowserViewer } from './testing/browser-viewer';
import { type RtcProcesses, startRtcProcesses } from './testing/rtc-processes';

const { ctx, db, account, stream, reread } = workerFixtures(await testDatabase());
let processes: RtcProcesses;
let browser: BrowserViewer;
const encoders: ChildProcess[] = [];

beforeAll(async () => {
  processes = await startRtcProcesses(ctx.settings);
  await untilAnswering();
  browser = await BrowserViewer.open(`${processes.url}/healthz`);
});
afterEach(() => Promise.all(encoders.splice(0).map(killed)));
afterAll(async () => {
  await browser.close();
  await processes.end();
});

const untilAnswering = () =>
  soon(async () => {
    const response = await fetch(`${processes.url}/webrtc/x`, { method: 'HEAD' }).catch(() => null);
    return response?.ok === true ? true : undefined;
  });

/** Publishes a picture and a tone until the test is over. */
function publish(streamKey: string, video = '-tune zerolatency'): void {
  const input = '-re -f lavfi -i testsrc2=size=320x180:rate=30 -f lavfi -i sine=frequency=440';
  const output = `-c:v libx264 -preset ultrafast ${video} -g 60 -pix_fmt yuv420p -c:a aac -ac 2 -f flv`;
  const args = `-v error ${input} ${output} ${processes.rtmpUrl}${streamKey}`.split(' ');
  encoders.push(spawn('ffmpeg', args, { stdio: 'ignore' }));
}

async function live(video?: string) {
  const teamId = await account();
  const row = await stream(teamId);
  publish(row.streamKey, video);
  await expect.poll(async () => (await reread(row.id)).isActive).toBe(true);
  return { ...row, own: { ...ctx, actor: { kind: 'cli', teamId } } as const };
}

const whep = (playbackId: string, query = '') => `${processes.url}/webrtc/${playbackId}${query}`;

describe('a viewer', () => {
  test('sees a picture at once and hears the sound, is counted, and is over when it leaves', async () => {
    const { id, playbackId } = await live();
    const { status, session } = await browser.watch(whep(playbackId));
    expect(status).toBe(201);
    await expect.poll(async () => (await browser.seen()).frames).toBeGreaterThan(30);
    await expect.poll(async () => (await browser.seen()).soundEnergy).toBeGreaterThan(0.0001);
    const { width, firstPictureMs } = await browser.seen();
    expect(width).toBe(320);
    console.log('first picture', firstPictureMs);
    await expect.poll(async () => (await reread(id)).isHealthy).toBe(true);
    const counted = () => db.streamViewers.aggregate({ where: { streamId: id }, _sum: { views: true } });
    await expect.poll(async () => (await counted())._sum.views).toBe(1);
    const ended = await fetch(`${processes.url}${session ?? ''}`, { method: 'DELETE' });
    expect(ended.status).toBe(200);
    const again = await fetch(`${processes.url}${session ?? ''}`, { method: 'DELETE' });
    expect(again.status).toBe(404);
  });

  test('needs the token, and is ended when it is revoked', async () => {
    const { id, playbackId, own } = await live();
    await updateStream(own, { id, change: { playbackPolicy: { type: 'jwt' } } });
    await expect
      .poll(async () => (await browser.watch(whep(playbackId))).body)
      .toContain('A token is required to watch this.');
    const { token } = await createPlaybackToken(own, { id: playbackId, expiresIn: 600 });
    expect((await browser.watch(whep(playbackId, `?token=${token}`))).status).toBe(201);
    await expect.poll(async () => (await browser.seen()).frames).toBeGreaterThan(5);
    await revokePlaybackToken(own, { id: playbackId, token });
    await expect
      .poll(
        async () => {
          const before = (await browser.seen()).frames;
          await new Promise((resolve) => setTimeout(resolve, 1_000));
          return (await browser.seen()).frames - before;
        },
        { timeout: 60_000 },
      )
      .toBe(0);
    expect((await browser.watch(whep(playbackId, `?token=${token}`))).body).toContain('revoked');
  });

  test('of a process that was killed starts again', async () => {
    const { playbackId } = await live();
    expect((await browser.watch(whep(playbackId))).status).toBe(201);
    await expect.poll(async () => (await browser.seen()).frames).toBeGreaterThan(5);
    await processes.restartRtc();
    await expect.poll(async () => (await browser.watch(whep(playbackId))).status).toBe(201);
    await expect.poll(async () => (await browser.seen()).frames).toBeGreaterThan(5);
  });

  test('goes on with another publish of the encoder', async () => {
    const { playbackId, streamKey } = await live();
    expect((await browser.watch(whep(playbackId))).status).toBe(201);
    await expect.poll(async () => (await browser.seen()).frames).toBeGreaterThan(5);
    await Promise.all(encoders.splice(0).map(killed));
    const { frames } = await browser.seen();
    publish(streamKey);
    await expect.poll(async () => (await browser.seen()).frames).toBeGreaterThan(frames + 60);
    expect((await browser.seen()).state).toBe('connected');
  });
});

test('B-frames are refused with a sentence, which is among the issues of the stream, too', async () => {
  const { id, playbackId } = await live('-bf 2');
  const { status, body } = await browser.watch(whep(playbackId));
  expect([status, JSON.parse(body) as object]).toEqual([
    406,
    { errors: [expect.stringContaining('B-frames')], reason: 'b_frames' },
  ]);
  await expect
    .poll(async () => (await reread(id)).issues)
    .toContain('Hint: WebRTC cannot play B-frames: set them to 0 in the encoder, or viewers get HLS instead');
});
