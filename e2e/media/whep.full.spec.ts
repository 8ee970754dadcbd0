import { expect, type Page, test } from '@playwright/test';
import { Encoder, sourceFile } from './testing/encoder';
import { Owner, rtmpUrl, until } from './testing/service';

/** The player of the watch page over WebRTC, with a real browser and a real encoder. */

let owner: Owner;
let source: string;
const encoders: Encoder[] = [];

test.beforeAll(async () => {
  [owner, source] = await Promise.all([Owner.create(), sourceFile({ size: '320x180' })]);
});
test.afterEach(() => Promise.all(encoders.splice(0).map((encoder) => encoder.kill())));

async function live({ fields = {}, output = ['-c', 'copy'] }: { fields?: object; output?: string[] } = {}) {
  const stream = await owner.newStream(fields);
  encoders.push(new Encoder(source, rtmpUrl(stream.streamKey), output));
  await owner.untilActive(stream.id, true);
  return stream;
}

const watchUrl = (playbackId: string, more = '') => `/watch/${playbackId}?lat=rtc${more}`;

/** Whether the video plays over WebRTC or HLS; null if neither. */
const playbackSource = (page: Page) =>
  page.evaluate(() => {
    const video = document.querySelector('video');
    if (!video || video.readyState < 2) return null;
    return video.srcObject ? 'webrtc' : 'hls';
  });

/** Seconds of media that played within two seconds, and the largest deviation of the audio from silence, 0 to 128. */
function measureWebrtcPlayback(page: Page): Promise<{ seconds: number; audio: number; width: number }> {
  return page.evaluate(async () => {
    const video = document.querySelector('video');
    if (!video) throw new Error('no video');
    const before = video.currentTime;
    const context = new AudioContext();
    const analyser = context.createAnalyser();
    context.createMediaStreamSource(video.srcObject as MediaStream).connect(analyser);
    let audio = 0;
    for (let times = 0; times < 20; times++) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      const samples = new Uint8Array(analyser.fftSize);
      analyser.getByteTimeDomainData(samples);
      audio = Math.max(audio, ...samples.map((sample) => Math.abs(sample - 128)));
    }
    await context.close();
    return { seconds: video.currentTime - before, audio, width: video.videoWidth };
  });
}

const viewersOf = async (id: string): Promise<number> => {
  const response = await owner.request('GET', `/api/data/views/now?streamId=${id}`);
  const views = (await response.json()) as { viewCount?: number }[];
  return views[0]?.viewCount ?? 0;
};

test('a viewer sees and hears the stream in real time, and is counted', async ({ page }) => {
  const { id, playbackId } = await live();
  const info = await owner.request('GET', `/api/playback/${playbackId}`);
  const { meta } = (await info.json()) as { meta: { source: { type: string }[] } };
  expect(meta.source.find(({ type }) => type === 'html5/video/h264')).toEqual({
    hrn: 'WebRTC (H264)',
    type: 'html5/video/h264',
    url: `${process.env.CDN_URL}/webrtc/${playbackId}`,
  });
  await page.goto(watchUrl(playbackId));
  await expect.poll(() => playbackSource(page)).toBe('webrtc');
  await page.mouse.click(5, 5);
  await expect.poll(async () => (await measureWebrtcPlayback(page)).audio).toBeGreaterThan(5);
  const { seconds, width } = await measureWebrtcPlayback(page);
  expect(seconds).toBeGreaterThan(1);
  expect(width).toBe(320);
  await until(async () => (await viewersOf(id)) === 1);
});

test('the same connection follows an encoder that reconnects', async ({ page }) => {
  const stream = await live();
  await page.goto(watchUrl(stream.playbackId));
  await expect.poll(() => playbackSource(page)).toBe('webrtc');
  await encoders.pop()?.kill();
  encoders.push(new Encoder(source, rtmpUrl(stream.streamKey)));
  await expect
    .poll(
      async () => (await playbackSource(page)) !== null && (await measureWebrtcPlayback(page)).seconds > 1,
    )
    .toBe(true);
  expect(await playbackSource(page)).toBe('webrtc');
});

test('if UDP is blocked, HLS plays within seconds and the player shows the reason', async ({ page }) => {
  const { playbackId } = await live();
  // An answer without ICE candidates: no connectivity check of the browser reaches the server.
  await page.route('**/webrtc/**', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    const response = await route.fetch();
    const body = (await response.text()).replace(/^a=candidate:.*\r\n/gm, '');
    return route.fulfill({ response, body });
  });
  await page.goto(watchUrl(playbackId));
  await expect.poll(() => playbackSource(page)).toBe('hls');
  await expect(page.getByText('UDP is blocked on this network')).toBeVisible();
});

test('a stream with B-frames plays over HLS, and its issues say how to change that', async ({ page }) => {
  const output = ['-c:v', 'libx264', '-preset', 'superfast', '-bf', '2', '-g', '60', '-c:a', 'copy'];
  const { id, playbackId } = await live({ output });
  await page.goto(watchUrl(playbackId));
  await expect.poll(() => playbackSource(page)).toBe('hls');
  await until(async () =>
    ((await owner.stream(id)).issues ?? []).some((issue) => issue.includes('WebRTC cannot play B-frames')),
  );
  const info = await owner.request('GET', `/api/playback/${playbackId}`);
  expect(await info.text()).not.toContain('html5/video/h264');
});

test('a viewer with the password watches over WebRTC', async ({ page, request }) => {
  const { playbackId } = await live({
    fields: { playbackPolicy: { type: 'password', password: 'open sesame' } },
  });
  const info = await owner.request('GET', `/api/playback/${playbackId}`);
  const { meta } = (await info.json()) as { meta: { source: { type: string; url: string }[] } };
  const whep = meta.source.find(({ type }) => type === 'html5/video/h264')?.url ?? '';
  const refusedResponse = await request.post(whep, {
    headers: { 'Content-Type': 'application/sdp' },
    data: 'v=0',
  });
  expect([refusedResponse.status(), (await refusedResponse.json()) as object]).toEqual([
    403,
    expect.objectContaining({ refusal: 'password_required' }),
  ]);
  await page.goto(watchUrl(playbackId));
  await page.getByLabel('Password').fill('open sesame');
  await page.getByRole('button', { name: 'Watch' }).click();
  await expect.poll(() => playbackSource(page)).toBe('webrtc');
});
