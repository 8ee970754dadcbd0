import { type Browser, chromium, type Page } from 'playwright';

/** Chromium with a camera and a microphone of its own, on a page that publishes by WHIP. */
export class BrowserPublisher {
  readonly #browser: Browser;
  readonly #page: Page;

  private constructor(browser: Browser, page: Page) {
    this.#browser = browser;
    this.#page = page;
  }

  /** @param pageUrl on this machine: such a page may use a camera without TLS, and reach a server beside it */
  static async open(pageUrl: string): Promise<BrowserPublisher> {
    const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
    const browser = await chromium.launch({
      executablePath,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--use-fake-device-for-media-stream',
        '--use-fake-ui-for-media-stream',
        '--allow-loopback-in-peer-connection',
      ],
    });
    const page = await browser.newPage();
    await page.goto(pageUrl);
    return new BrowserPublisher(browser, page);
  }

  /** @returns the status of the answer, and where the session is */
  publish(
    url: string,
    token?: string,
  ): Promise<{ status: number; session: string | null; states: string[] }> {
    return this.#page.evaluate(publishInPage, { url, token: token ?? null });
  }

  /** Frames that were sent, and the size of the last one. */
  sent(): Promise<{ frames: number; width: number; height: number; state: string }> {
    return this.#page.evaluate(async () => {
      const { connection } = globalThis as unknown as { connection: RTCPeerConnection };
      const stats = [...(await connection.getStats()).values()] as Record<string, unknown>[];
      const video = stats.find(({ type, kind }) => type === 'outbound-rtp' && kind === 'video');
      const number = (name: string) => Number(video?.[name] ?? 0);
      return {
        frames: number('framesEncoded'),
        width: number('frameWidth'),
        height: number('frameHeight'),
        state: connection.connectionState,
      };
    });
  }

  /** Closes the connection without a word, as a tab does. */
  async drop(): Promise<void> {
    await this.#page.evaluate(() => {
      (globalThis as unknown as { connection: RTCPeerConnection }).connection.close();
    });
  }

  async close(): Promise<void> {
    await this.#browser.close();
  }
}

async function publishInPage({ url, token }: { url: string; token: string | null }) {
  const media = await navigator.mediaDevices.getUserMedia({
    audio: true,
    video: { width: 1280, height: 720, frameRate: 30 },
  });
  const connection = new RTCPeerConnection();
  Object.assign(globalThis, { connection });
  const states: string[] = [];
  connection.addEventListener('connectionstatechange', () => states.push(connection.connectionState));
  for (const track of media.getTracks())
    connection.addTransceiver(track, { direction: 'sendonly', streams: [media] });
  const codecs = RTCRtpSender.getCapabilities('video')?.codecs ?? [];
  const preferred = [...codecs].sort(
    (a, b) => Number(b.mimeType === 'video/H264') - Number(a.mimeType === 'video/H264'),
  );
  for (const transceiver of connection.getTransceivers())
    if (transceiver.sender.track?.kind === 'video') transceiver.setCodecPreferences(preferred);
  await connection.setLocalDescription();
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/sdp',
      ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
    },
    body: connection.localDescription?.sdp ?? '',
  });
  const session = response.headers.get('Location');
  if (response.status === 201)
    await connection.setRemoteDescription({ type: 'answer', sdp: await response.text() });
  return { status: response.status, session, states };
}
