import type { Page } from '@playwright/test';

/** Chromium arguments for a page that publishes with a generated camera and microphone. */
export const cameraArgs = [
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  '--allow-loopback-in-peer-connection',
  '--autoplay-policy=no-user-gesture-required',
];

interface PublishOptions {
  readonly url: string;
  /** The stream key, or null if the URL contains the stream key. */
  readonly token: string | null;
  /** Source of the media: the generated camera, or white frames and a tone at the same time once a second (`flashes`). */
  readonly source: 'camera' | 'flashes';
  /** Factors by which each layer is scaled down, by RID (RFC 8853), in order. Null means one layer of full size. */
  readonly layers: Readonly<Record<string, number>> | null;
}

/** Publishes from a page with WHIP. The page keeps the connection as `window.connection`. */
export function publishFromPage(
  page: Page,
  url: string,
  { token = null, source = 'camera', layers = null }: Partial<Omit<PublishOptions, 'url'>> = {},
): Promise<{ status: number; session: string | null; etag: string | null }> {
  return page.evaluate(publishInPage, { url, token, source, layers });
}

export const readEncodedFrames = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const { connection } = globalThis as unknown as { connection: RTCPeerConnection };
    const stats = [...(await connection.getStats()).values()] as Record<string, unknown>[];
    const video = stats.find(({ type, kind }) => type === 'outbound-rtp' && kind === 'video');
    return Number(video?.framesEncoded ?? 0);
  });

async function publishInPage({ url, token, source, layers }: PublishOptions) {
  const createFlashesAndBeeps = (): MediaStream => {
    const canvas = document.createElement('canvas');
    Object.assign(canvas, { width: 640, height: 360 });
    const canvasContext = canvas.getContext('2d');
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
      if (!canvasContext) return;
      canvasContext.fillStyle = isOn ? 'white' : 'black';
      canvasContext.fillRect(0, 0, 640, 360);
    }, 20);
    return new MediaStream([...canvas.captureStream(30).getTracks(), ...destination.stream.getTracks()]);
  };
  const camera = { audio: true, video: { width: 1280, height: 720, frameRate: 30 } };
  const media =
    source === 'flashes' ? createFlashesAndBeeps() : await navigator.mediaDevices.getUserMedia(camera);
  const connection = new RTCPeerConnection();
  Object.assign(globalThis, { connection });
  const encodings = Object.entries(layers ?? {}).map(([rid, scaleResolutionDownBy]) => ({
    rid,
    scaleResolutionDownBy,
  }));
  for (const track of media.getTracks())
    connection.addTransceiver(track, {
      direction: 'sendonly',
      streams: [media],
      ...(track.kind === 'video' && layers ? { sendEncodings: encodings } : {}),
    });
  const codecs = RTCRtpSender.getCapabilities('video')?.codecs ?? [];
  const isH264 = ({ mimeType }: { mimeType: string }) => Number(mimeType === 'video/H264');
  const sortedCodecs = [...codecs].sort((a, b) => isH264(b) - isH264(a));
  for (const transceiver of connection.getTransceivers())
    if (transceiver.sender.track?.kind === 'video') transceiver.setCodecPreferences(sortedCodecs);
  await connection.setLocalDescription();
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/sdp',
      ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
    },
    body: connection.localDescription?.sdp ?? '',
  });
  const { status, headers } = response;
  if (status === 201) await connection.setRemoteDescription({ type: 'answer', sdp: await response.text() });
  return { status, session: headers.get('Location'), etag: headers.get('ETag') };
}
