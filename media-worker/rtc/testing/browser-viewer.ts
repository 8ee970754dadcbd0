import { type Browser, chromium, type Page } from 'playwright';

/** What a viewer sees and hears. */
export interface Watched {
  /** Of the connection. */
  readonly state: string;
  /** From the request to the first picture, ms; null: there is none. */
  readonly firstPictureMs: number | null;
  readonly frames: number;
  readonly width: number;
  /** Of all sound so far, as the browser measures it. */
  readonly soundEnergy: number;
  /** Packets of the picture that never came. */
  readonly lost: number;
}

/** Chromium on a page that watches by WHEP. */
export class BrowserViewer {
  readonly #browser: Browser;
  readonly #page: Page;

  private constructor(browser: Browser, page: Page) {
    this.#browser = browser;
    this.#page = page;
  }

  /** @param pageUrl on this machine */
  static async open(pageUrl: string): Promise<BrowserViewer> {
    const browser = await chromium.launch({
      executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
      args: [
        ...['--no-sandbox', '--disable-gpu', '--allow-loopback-in-peer-connection'],
        '--autoplay-policy=no-user-gesture-required',
      ],
    });
    const page = await browser.newPage();
    await page.goto(pageUrl);
    return new BrowserViewer(browser, page);
  }

  /** Starts to watch; a viewer before it goes on. @returns the answer, and where the session is */
  watch(url: string): Promise<{ status: number; session: string | null; body: string }> {
    return this.#page.evaluate(watchInPage, url);
  }

  /** Of the viewer who came last. */
  seen(): Promise<Watched> {
    return this.#page.evaluate(seenInPage);
  }

  async close(): Promise<void> {
    await this.#browser.close();
  }
}

interface Viewer {
  readonly connection: RTCPeerConnection;
  readonly video: HTMLVideoElement;
  firstPictureMs: number | null;
}

async function watchInPage(url: string) {
  const connection = new RTCPeerConnection();
  const video = document.createElement('video');
  const stream = new MediaStream();
  const startedAt = performance.now();
  const viewer: Viewer = { connection, video, firstPictureMs: null };
  Object.assign(globalThis, { viewer });
  video.requestVideoFrameCallback(() => (viewer.firstPictureMs = performance.now() - startedAt));
  connection.addEventListener('track', ({ track }) => stream.addTrack(track));
  video.srcObject = stream;
  document.body.append(video);
  for (const kind of ['video', 'audio']) connection.addTransceiver(kind, { direction: 'recvonly' });
  await connection.setLocalDescription();
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/sdp' },
    body: connection.localDescription?.sdp ?? '',
  });
  const body = await response.text();
  if (response.status === 201) {
    await connection.setRemoteDescription({ type: 'answer', sdp: body });
    void video.play();
  }
  return { status: response.status, session: response.headers.get('Location'), body };
}

async function seenInPage(): Promise<Watched> {
  const { viewer } = globalThis as unknown as { viewer: Viewer };
  const { connection, video, firstPictureMs } = viewer;
  const stats = [...(await connection.getStats()).values()] as Record<string, unknown>[];
  const inbound = (kind: string, name: string) =>
    Number(stats.find((report) => report.type === 'inbound-rtp' && report.kind === kind)?.[name] ?? 0);
  return {
    ...{ state: connection.connectionState, firstPictureMs, width: video.videoWidth },
    frames: inbound('video', 'framesDecoded'),
    soundEnergy: inbound('audio', 'totalAudioEnergy'),
    lost: inbound('video', 'packetsLost'),
  };
}
