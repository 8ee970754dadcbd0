import { act, cleanup, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { GoLiveView } from '@/app/(dashboard)/streams/[id]/go-live/go-live-view';
import { findEnglishTexts } from '@/components/testing/find-english';
import { exampleOf, setUpFakeService } from '@/components/testing/fake-service';
import { renderPage } from '@/components/testing/render-page';
import { noTestPattern } from '@/components/testing/stream-page';
import { stubBrowser } from '@/lib/client/whip/testing/fake-browser';
import { listIngests } from '@/lib/contract/service';
import type { Stream } from '@/lib/contract/streams/stream';
import { getStream } from '@/lib/contract/streams/stream-endpoints';
import { getTestPattern } from '@/lib/contract/streams/test-pattern';

const service = setUpFakeService();
let browser: ReturnType<typeof stubBrowser>;

beforeEach(() => {
  browser = stubBrowser();
  // happy-dom accepts only its own MediaStream objects.
  vi.spyOn(HTMLMediaElement.prototype, 'srcObject', 'set').mockReturnValue(undefined);
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const { id } = exampleOf(getStream);

const ingest = {
  ingest: 'rtmp://media.example/live',
  ingestTls: null,
  ingestSrt: null,
  region: null,
  headroom: null,
  playback: 'https://media.example/hls',
  base: 'https://headwater.example',
};

interface OpenOptions {
  readonly whip?: string | null;
  readonly language?: 'en' | 'de';
  readonly isTestPatternRunning?: boolean;
}

function openPage(
  change: Partial<Stream> = {},
  { whip = 'https://media.example/webrtc', language = 'en', isTestPatternRunning = false }: OpenOptions = {},
) {
  service().on(
    getStream,
    exampleOf(getStream, { streamKey: 'abcd-ef12-3456-7890', isActive: false, ...change }),
  );
  service().on(getTestPattern, { ...noTestPattern, running: isTestPatternRunning });
  service().on(listIngests, [{ ...ingest, ingestWhip: whip }]);
  return renderPage(<GoLiveView id={id} />, { at: `/streams/${id}/go-live`, language });
}

const findButton = (name: string | RegExp) => screen.findByRole('button', { name });
const connectPeer = async () => {
  await expect.poll(() => browser.peers.at(-1)?.setRemoteDescription.mock.calls.length).toBe(1);
  act(() => browser.peers.at(-1)?.setConnectionState('connected'));
};

async function goLive() {
  const page = openPage();
  await page.user.click(await findButton('Use camera and microphone'));
  await page.user.click(await findButton('Go live'));
  await connectPeer();
  await screen.findByText('Live');
  return page;
}

describe('the page explains why it cannot publish', () => {
  test('if WebRTC is off on the server', async () => {
    openPage({}, { whip: null });
    await screen.findByText('WebRTC is off on this server');
    screen.getByText(/setting RTC_PORT/);
    expect(screen.queryByRole('button', { name: /camera/ })).toBeNull();
  });

  test('if the role of the member cannot see the stream key', async () => {
    const { streamKey: _, ...streamWithoutKey } = exampleOf(getStream, { isActive: false });
    service().on(getStream, streamWithoutKey);
    service().onExamples(listIngests);
    renderPage(<GoLiveView id={id} />);
    await screen.findByText('Your role can’t publish to this stream');
  });

  test('if the browser does not support WebRTC', async () => {
    vi.stubGlobal('RTCPeerConnection', undefined);
    Reflect.deleteProperty(window, 'RTCPeerConnection');
    openPage();
    await screen.findByText('This browser can’t go live');
  });
});

test('ending the stream needs a confirmation, and then links to the recordings', async () => {
  const { user } = await goLive();
  await user.click(await findButton('End stream'));
  const group = screen.getByRole('group', { name: 'End the stream for all viewers?' });
  await user.click(within(group).getByRole('button', { name: 'Keep streaming' }));
  expect(screen.queryByRole('group', { name: /^End the/ })).toBeNull();
  // WHIP publishes with POST and ends with DELETE.
  expect(browser.requests.at(-1)?.method).toBe('POST');
  await user.click(await findButton('End stream'));
  await user.click(await findButton('End now'));
  await screen.findByText('The stream has ended');
  expect(browser.requests.at(-1)?.method).toBe('DELETE');
  expect(screen.getByRole('link', { name: 'Recordings' }).getAttribute('href')).toBe(
    `/streams/${id}?tab=sessions`,
  );
  await user.click(await findButton('Go live again'));
  await findButton('Go live');
});

test('the browser asks before the page is left while live, and leaving the page ends the stream', async () => {
  const asksBeforeLeaving = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
  const { unmount } = await goLive();
  expect(asksBeforeLeaving()).toBe(true);
  unmount();
  expect(asksBeforeLeaving()).toBe(false);
  expect(browser.requests.at(-1)?.method).toBe('DELETE');
});

test('a link within the dashboard loads a new document while live', async () => {
  const assign = vi.spyOn(window.location, 'assign').mockReturnValue(undefined);
  const { user, visitedPaths } = await goLive();
  await user.click(screen.getByRole('link', { name: 'Stream' }));
  expect(assign.mock.calls.map(([url]) => new URL(String(url)).pathname)).toEqual([`/streams/${id}`]);
  expect(visitedPaths).toEqual([]);
});

test('the panel shows what the browser sends and what limits the quality', async () => {
  await goLive();
  const stats = (timestamp: number, bytesSent: number): [string, object][] => [
    [
      'v',
      {
        type: 'outbound-rtp',
        kind: 'video',
        timestamp,
        bytesSent,
        framesPerSecond: 30,
        frameWidth: 1280,
        frameHeight: 720,
        qualityLimitationReason: 'bandwidth',
      },
    ],
    ['r', { type: 'remote-inbound-rtp', fractionLost: 0.012, roundTripTime: 0.042 }],
  ];
  const peer = browser.peers.at(-1);
  if (peer) peer.stats = stats(1_000, 0);
  const panel = await screen.findByRole('region', { name: 'Sending' });
  await within(panel).findByText('1.2 %');
  // 250,000 bytes in one second are 2 Mbit/s.
  if (peer) peer.stats = stats(2_000, 250_000);
  await within(panel).findByText('2.0 Mbit/s');
  within(panel).getByText('42 ms');
  within(panel).getByText('1280 × 720, 30 fps');
  within(panel).getByText(/^Your connection limits the video quality/);
});

test('several sizes can be chosen before going live', async () => {
  const { user } = openPage();
  await user.click(await findButton('Use camera and microphone'));
  const sizes = screen.getByRole('combobox', { name: 'Sizes to send' });
  const choices = () =>
    within(sizes)
      .getAllByRole('option')
      .map(({ textContent }) => textContent);
  expect(choices()).toEqual(['720p', '720p + 360p', '720p + 360p + 180p']);
  await user.selectOptions(screen.getByRole('combobox', { name: 'Resolution' }), '1080p');
  expect(choices()).toEqual(['1080p', '1080p + 540p', '1080p + 540p + 270p']);
  await user.selectOptions(sizes, '1080p + 540p + 270p');
  await user.click(await findButton('Go live'));
  await connectPeer();
  expect(browser.peers.at(-1)?.senders[0]?.parameters.encodings).toMatchObject([
    { rid: 'h' }, // high
    { rid: 'm' }, // medium
    { rid: 'l' }, // low
  ]);
  await screen.findByText('Live');
  expect(sizes.hasAttribute('disabled')).toBe(true);
});

test('the meter shows the level of the microphone, or that it is muted or missing', async () => {
  const { user } = openPage();
  await user.click(await findButton('Use camera and microphone'));
  const meter = await screen.findByRole('meter', { name: 'Microphone level' });
  // The fake microphone has a peak of 0.5, which is -6 dB.
  await expect.poll(() => meter.getAttribute('aria-valuenow')).toBe('-6');
  expect(meter.getAttribute('aria-valuetext')).toBe('-6 dB');
  await user.click(await findButton('Mute audio'));
  expect(meter.getAttribute('aria-valuetext')).toBe('Muted');
  await user.selectOptions(screen.getByRole('combobox', { name: 'Microphone' }), 'None');
  await expect.poll(() => meter.getAttribute('aria-valuetext')).toBe('No microphone');
});

test('the preview of the front camera is mirrored, that of the back camera is not', async () => {
  const { user } = openPage();
  await user.click(await findButton('Use camera and microphone'));
  await findButton('Go live');
  const video = document.querySelector('video');
  expect(video?.className).toContain('-scale-x-100');
  const { mediaDevices } = navigator;
  const getUserMedia = mediaDevices.getUserMedia.bind(mediaDevices);
  vi.spyOn(mediaDevices, 'getUserMedia').mockImplementation(async (constraints) => {
    const stream = await getUserMedia(constraints);
    Object.assign(browser.tracks.at(-1) ?? {}, { settings: { facingMode: 'environment', deviceId: 'back' } });
    return stream;
  });
  await user.click(await findButton('Switch camera'));
  await expect.poll(() => video?.className).not.toContain('-scale-x-100');
});

test('a denied permission is explained', async () => {
  browser.denial = 'NotAllowedError';
  const { user } = openPage();
  await user.click(await findButton('Use camera and microphone'));
  await screen.findByText(/^Access was not allowed/);
  await findButton('Use camera and microphone');
});

test('going live is not possible while another encoder is live', async () => {
  const { user } = openPage({ isActive: true });
  await user.click(await findButton('Use camera and microphone'));
  expect((await findButton('Go live')).hasAttribute('disabled')).toBe(true);
  screen.getByText(/^Another encoder is live/);
});

test('going live is possible while the test pattern runs', async () => {
  const { user } = openPage({ isActive: true }, { isTestPatternRunning: true });
  await user.click(await findButton('Use camera and microphone'));
  expect((await findButton('Go live')).hasAttribute('disabled')).toBe(false);
});

test('the connection test shows that WebRTC works, or what to check', async () => {
  const { user } = openPage();
  const panel = await screen.findByRole('region', { name: 'Connection test' });
  await user.click(within(panel).getByRole('button', { name: 'Test connection' }));
  await expect.poll(() => browser.peers.at(-1)?.setRemoteDescription.mock.calls.length).toBe(1);
  const peer = browser.peers.at(-1);
  if (peer)
    peer.stats = [
      ['p', { type: 'candidate-pair', state: 'succeeded', nominated: true, remoteCandidateId: 'c' }],
      ['c', { type: 'remote-candidate', address: '203.0.113.7', port: 8189 }],
    ];
  await connectPeer();
  await within(panel).findByText('UDP 203.0.113.7:8189 answers: WebRTC works from here.');
  expect(browser.requests.at(-1)?.method).toBe('DELETE');
  browser.answer = () => new Response(null, { status: 404 });
  await user.click(within(panel).getByRole('button', { name: 'Test connection' }));
  await within(panel).findByText(/Check the stream key/);
});

test('the page and its errors are in German if the language is German', async () => {
  const { user } = openPage({ name: 'Rathaus' }, { language: 'de' });
  browser.answer = () => new Response(null, { status: 404 });
  await user.click(await findButton('Verbindung testen'));
  await screen.findByText(/Prüfen Sie den Stream-Schlüssel/);
  await user.click(await findButton('Kamera und Mikrofon verwenden'));
  await user.click(await findButton('Live gehen'));
  await screen.findByText(/^Der Server hat den Stream nicht angenommen/);
  expect(findEnglishTexts(document.body)).toEqual([]);
});
