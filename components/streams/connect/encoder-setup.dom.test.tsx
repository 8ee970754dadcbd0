import { screen, within } from '@testing-library/react';
import decodeQR from 'qr/decode.js';
import { describe, expect, test, vi } from 'vitest';
import { setUpFakeService } from '@/components/testing/fake-service';
import { renderPage } from '@/components/testing/render-page';
import { larixLink } from '@/lib/core/streams/encoder-commands';
import { EncoderSetup } from './encoder-setup';

setUpFakeService();

const streamKey = 'abcd-ef12-3456-7890';
const name = 'Town hall';

async function openPhoneTab(rtmpUrl: string) {
  const page = renderPage(
    <EncoderSetup urls={{ rtmp: rtmpUrl, rtmps: null }} streamKey={streamKey} name={name} />,
  );
  await page.user.click(screen.getByRole('tab', { name: 'Phone' }));
  // The tab loads its code when it is opened.
  const showQrCode = async () => page.user.click(await screen.findByRole('button', { name: 'Show QR code' }));
  return { ...page, showQrCode };
}

/**
 * Decodes the QR code like a phone camera. Each dark module of the code is a subpath of one square unit at x and y; it
 * is drawn as 4 × 4 black pixels of a white RGBA image.
 */
function decodeQrCode(image: SVGElement): string {
  const moduleCount = Number(image.getAttribute('viewBox')?.split(' ')[2]);
  const pixelsPerModule = 4;
  const sidePixels = moduleCount * pixelsPerModule;
  const rgbaPixels = new Uint8Array(sidePixels * sidePixels * 4).fill(255);
  const path = image.querySelector('path')?.getAttribute('d') ?? '';
  for (const [, x, y] of path.matchAll(/M(\d+) (\d+)h1v1h-1z/g))
    for (let row = 0; row < pixelsPerModule; row += 1) {
      const pixelOffset =
        ((Number(y) * pixelsPerModule + row) * sidePixels + Number(x) * pixelsPerModule) * 4;
      for (let column = 0; column < pixelsPerModule; column += 1)
        rgbaPixels.fill(0, pixelOffset + column * 4, pixelOffset + column * 4 + 3);
    }
  return decodeQR({ width: sidePixels, height: sidePixels, data: rgbaPixels });
}

describe('a phone', () => {
  test('reads server, key and name from the QR code', async () => {
    const rtmpUrl = 'rtmp://video.example.com:1935/live';
    const { showQrCode } = await openPhoneTab(rtmpUrl);
    expect(screen.queryByRole('img')).toBeNull();
    await showQrCode();
    const image = await screen.findByRole<HTMLElement & SVGElement>('img', {
      name: 'QR code for Larix Broadcaster',
    });
    expect(decodeQrCode(image)).toBe(larixLink(rtmpUrl, streamKey, name));
    expect(screen.queryByText(/works on this computer only/)).toBeNull();
  });

  test('has 30 seconds to read the QR code before it is hidden', async () => {
    const { showQrCode } = await openPhoneTab('rtmp://video.example.com:1935/live');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    await showQrCode();
    await screen.findByRole('button', { name: 'Hide QR code' });
    vi.advanceTimersByTime(30_000);
    await screen.findByRole('button', { name: 'Show QR code' });
    expect(screen.queryByRole('img')).toBeNull();
  });

  test('gets a warning if it cannot reach the server', async () => {
    await openPhoneTab('rtmp://localhost:1935/live');
    screen.getByText(/works on this computer only/);
  });
});

test('server and key are shown for every encoder, with a masked key', async () => {
  const { user } = renderPage(
    <EncoderSetup
      urls={{ rtmp: 'rtmp://localhost:1935/live', rtmps: null }}
      streamKey={streamKey}
      name={name}
    />,
  );
  for (const encoder of ['ffmpeg', 'OBS Studio', 'GStreamer', 'Video file', 'Phone', 'Hardware']) {
    await user.click(screen.getByRole('tab', { name: encoder }));
    const tab = within(screen.getByRole('tabpanel', { name: encoder }));
    // Some tabs load their code when they are opened.
    await tab.findAllByText(/./);
    expect(screen.getByRole('group', { name: 'Server' }).textContent).toBe('rtmp://localhost:1935/live');
    expect(screen.getByRole('group', { name: 'Stream key' }).textContent).toBe('••••-••••-••••-••••');
    expect(document.body.textContent).not.toContain(streamKey);
  }
});

test('the TLS server comes first if there is one, and is in the ffmpeg command', async () => {
  const urls = { rtmp: 'rtmp://localhost:1935/live', rtmps: 'rtmps://localhost:1936/live' };
  const { user } = renderPage(<EncoderSetup urls={urls} streamKey={streamKey} name={name} />);
  expect(screen.getByRole('group', { name: 'Server' }).textContent).toBe(urls.rtmps);
  expect(screen.getByRole('group', { name: 'Server without TLS' }).textContent).toBe(urls.rtmp);
  await user.click(screen.getByRole('tab', { name: 'ffmpeg' }));
  expect(screen.getByRole('tabpanel', { name: 'ffmpeg' }).textContent).toContain(`${urls.rtmps}/`);
});
