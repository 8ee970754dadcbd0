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
        '--autoplay-policy=no-user-gesture-required',
      ],
    });
    const page = await browser.newPage();
    await page.goto(pageUrl);
    return new BrowserPublisher(browser, page);
  }

  /** @returns the answer, without its description */
  publish(
    url: string,
    { token = null, source = 'camera' }: Partial<Omit<PublishOptions, 'url'>> = {},
  ): Promise<{ status: number; session: string | null; etag: string | null }> {
    return this.#page.evaluate(publishInPage, { url, token, source });
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

interface PublishOptions {
  readonly url: string;
  readonly token: string | null;
  readonly source: 'camera' | 'flashes';
}

async function publishInPage({ url, token, source }: PublishOptions) {
  /** A white picture and a tone at the same time, for the third part of each second. */
  const flashesAndBeeps = (): MediaStream => {
    const canvas = document.createElement('canvas');
    Object.assign(canvas, { width: 640, height: 360 });
    const drawing = canvas.getContext('2d');
    const audio = new AudioContext();
    const [tone, gate] = [audio.createOscillator(), audio.createGain()];
    const destination = audio.createMediaStreamDestination();
    gate.gain.value = 0;
    tone.connect(gate).connect(destination);
    tone.start();
    void audio.resume();
    setInterval(() => {
      const isOn = performance.now() % 1_000 < 333;
      gate.gain.setValueAtTime(isOn ? 0.5 : 0, audio.currentTime);
      if (!drawing) return;
      drawing.fillStyle = isOn ? 'white' : 'black';
      drawing.fillRect(0, 0, 640, 360);
    }, 20);
    return new MediaStream([...canvas.captureStream(30).getTracks(), ...destination.stream.getTracks()]);
  };
  const media =
    source === 'flashes'
      ? flashesAndBeeps()
      : await navigator.mediaDevices.getUserMedia({
          audio: true,
          video: { width: 1280, height: 720, frameRate: 30 },
        });
  const connection = new RTCPeerConnection();
  Object.assign(globalThis, { connection });
  for (const track of media.getTracks())
    connection.addTransceiver(track, { direction: 'sendonly', streams: [media] });
  const codecs = RTCRtpSender.getCapabilities('video')?.codecs ?? [];
  const isH264 = ({ mimeType }: { mimeType: string }) => Number(mimeType === 'video/H264');
  const preferred = [...codecs].sort((a, b) => isH264(b) - isH264(a));
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
  const answer = {
    status: response.status,
    session: response.headers.get('Location'),
    etag: response.headers.get('ETag'),
  };
  if (answer.status === 201)
    await connection.setRemoteDescription({ type: 'answer', sdp: await response.text() });
  return answer;
}
