import { expect, type Page, test } from '@playwright/test';
import { createSourceFile, setUpEncoders } from '../media/testing/encoder';
import { ApiAccount, rtmpUrl, waitUntil } from '../media/testing/service';

// Playback over WebRTC on the watch page.

let owner: ApiAccount;
let source: string;
const startEncoder = setUpEncoders();

test.beforeAll(async () => {
  [owner, source] = await Promise.all([ApiAccount.create(), createSourceFile({ size: '320x180' })]);
});

async function startLiveStream({
  fields = {},
  outputArgs = ['-c', 'copy'],
}: { fields?: object; outputArgs?: string[] } = {}) {
  const stream = await owner.createStream(fields);
  const encoder = startEncoder(source, rtmpUrl(stream.streamKey), outputArgs);
  await owner.waitUntilActive(stream.id);
  return { ...stream, encoder };
}

const watchUrl = (playbackId: string, query = '') => `/watch/${playbackId}?lat=rtc${query}`;

/** Reads whether the video of a page plays over WebRTC or HLS, or null if it does not play. */
const readPlaybackProtocol = (page: Page) =>
  page.evaluate(() => {
    const video = document.querySelector('video');
    if (!video || video.readyState < 2) return null;
    return video.srcObject ? 'webrtc' : 'hls';
  });

/**
 * Measures playback for two seconds.
 * @returns seconds of media that played, the largest deviation of the audio from silence (0 to 128) and the picture width
 */
function measureWebrtcPlayback(page: Page): Promise<{ seconds: number; audio: number; width: number }> {
  return page.evaluate(async () => {
    const video = document.querySelector('video');
    if (!video) throw new Error('no video');
    const timeBefore = video.currentTime;
    const context = new AudioContext();
    const analyser = context.createAnalyser();
    context.createMediaStreamSource(video.srcObject as MediaStream).connect(analyser);
    let audio = 0;
    for (let sampleIndex = 0; sampleIndex < 20; sampleIndex++) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      const samples = new Uint8Array(analyser.fftSize);
      analyser.getByteTimeDomainData(samples);
      audio = Math.max(audio, ...samples.map((sample) => Math.abs(sample - 128)));
    }
    await context.close();
    return { seconds: video.currentTime - timeBefore, audio, width: video.videoWidth };
  });
}

const fetchViewerCount = async (id: string): Promise<number> => {
  const response = await owner.request('GET', `/api/data/views/now?streamId=${id}`);
  const views = (await response.json()) as { viewCount?: number }[];
  return views[0]?.viewCount ?? 0;
};

test('a viewer sees and hears a stream over WebRTC in real time, and is counted', async ({ page }) => {
  const { id, playbackId } = await startLiveStream();
  const playbackInfo = await owner.request('GET', `/api/playback/${playbackId}`);
  const { meta } = (await playbackInfo.json()) as { meta: { source: { type: string }[] } };
  expect(meta.source.find(({ type }) => type === 'html5/video/h264')).toEqual({
    hrn: 'WebRTC (H264)',
    type: 'html5/video/h264',
    url: `${process.env.CDN_URL}/webrtc/${playbackId}`,
  });
  await page.goto(watchUrl(playbackId));
  await expect.poll(() => readPlaybackProtocol(page)).toBe('webrtc');
  // Browsers start an AudioContext only after an input of the viewer.
  await page.mouse.click(5, 5);
  await expect.poll(async () => (await measureWebrtcPlayback(page)).audio).toBeGreaterThan(5);
  const { seconds, width } = await measureWebrtcPlayback(page);
  expect(seconds).toBeGreaterThan(1);
  expect(width).toBe(320);
  await waitUntil(async () => (await fetchViewerCount(id)) === 1);
});

test('WebRTC playback continues after the encoder has reconnected', async ({ page }) => {
  const stream = await startLiveStream();
  await page.goto(watchUrl(stream.playbackId));
  await expect.poll(() => readPlaybackProtocol(page)).toBe('webrtc');
  await stream.encoder.kill();
  startEncoder(source, rtmpUrl(stream.streamKey));
  await expect
    .poll(
      async () =>
        (await readPlaybackProtocol(page)) !== null && (await measureWebrtcPlayback(page)).seconds > 1,
    )
    .toBe(true);
  expect(await readPlaybackProtocol(page)).toBe('webrtc');
});

test('if UDP is blocked, the player plays HLS and shows the reason', async ({ page }) => {
  const { playbackId } = await startLiveStream();
  // The browser gets an SDP answer without ICE candidates, so none of its connectivity checks reaches the server.
  await page.route('**/webrtc/**', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    const response = await route.fetch();
    const body = (await response.text()).replace(/^a=candidate:.*\r\n/gm, '');
    return route.fulfill({ response, body });
  });
  await page.goto(watchUrl(playbackId));
  await expect.poll(() => readPlaybackProtocol(page)).toBe('hls');
  await expect(page.getByText('UDP is blocked on this network')).toBeVisible();
});

test('a stream with B-frames plays over HLS, and an issue says that WebRTC cannot play B-frames', async ({
  page,
}) => {
  const output = ['-c:v', 'libx264', '-preset', 'superfast', '-bf', '2', '-g', '60', '-c:a', 'copy'];
  const { id, playbackId } = await startLiveStream({ outputArgs: output });
  await page.goto(watchUrl(playbackId));
  await expect.poll(() => readPlaybackProtocol(page)).toBe('hls');
  await waitUntil(async () =>
    ((await owner.readStream(id)).issues ?? []).some((issue) =>
      issue.includes('WebRTC cannot play B-frames'),
    ),
  );
  const playbackInfo = await owner.request('GET', `/api/playback/${playbackId}`);
  expect(await playbackInfo.text()).not.toContain('html5/video/h264');
});

test('WebRTC playback of a stream with a password is rejected without the password and plays with it', async ({
  page,
  request,
}) => {
  const { playbackId } = await startLiveStream({
    fields: { playbackPolicy: { type: 'password', password: 'open sesame' } },
  });
  const playbackInfo = await owner.request('GET', `/api/playback/${playbackId}`);
  const { meta } = (await playbackInfo.json()) as { meta: { source: { type: string; url: string }[] } };
  const whepUrl = meta.source.find(({ type }) => type === 'html5/video/h264')?.url ?? '';
  const rejectedResponse = await request.post(whepUrl, {
    headers: { 'Content-Type': 'application/sdp' },
    data: 'v=0',
  });
  expect([rejectedResponse.status(), (await rejectedResponse.json()) as object]).toEqual([
    403,
    expect.objectContaining({ refusal: 'password_required' }),
  ]);
  await page.goto(watchUrl(playbackId));
  await page.getByLabel('Password').fill('open sesame');
  await page.getByRole('button', { name: 'Watch' }).click();
  await expect.poll(() => readPlaybackProtocol(page)).toBe('webrtc');
});
