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
  /** The stream key; null if the address contains it. */
  readonly token: string | null;
  /** `flashes`: a white frame and a tone at the same time, once a second. */
  readonly source: 'camera' | 'flashes';
  /** Scales of the layers by RID (RFC 8853), in order; null: one layer. */
  readonly layers: Readonly<Record<string, number>> | null;
}

/** Publishes from a page by WHIP. The page keeps the connection as `window.connection`. */
export function publishFrom(
  page: Page,
  url: string,
  { token = null, source = 'camera', layers = null }: Partial<Omit<PublishOptions, 'url'>> = {},
): Promise<{ status: number; session: string | null; etag: string | null }> {
  return page.evaluate(publishInPage, { url, token, source, layers });
}

export const framesOf = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const { connection } = globalThis as unknown as { connection: RTCPeerConnection };
    const stats = [...(await connection.getStats()).values()] as Record<string, unknown>[];
    const video = stats.find(({ type, kind }) => type === 'outbound-rtp' && kind === 'video');
    return Number(video?.framesEncoded ?? 0);
  });

async function publishInPage({ url, token, source, layers }: PublishOptions) {
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
  const camera = { audio: true, video: { width: 1280, height: 720, frameRate: 30 } };
  const media = source === 'flashes' ? flashesAndBeeps() : await navigator.mediaDevices.getUserMedia(camera);
  const connection = new RTCPeerConnection();
  Object.assign(globalThis, { connection });
  const encodings = Object.entries(layers ?? {}).map(([rid, scaleResolutionDownBy]) => ({
    rid,
    scaleResolutionDownBy,
  }));
  for (const track of media.getTracks())
    connection.addTransceiver(track, {
      ...{ direction: 'sendonly', streams: [media] },
      ...(track.kind === 'video' && layers ? { sendEncodings: encodings } : {}),
    });
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
  const { status, headers } = response;
  if (status === 201) await connection.setRemoteDescription({ type: 'answer', sdp: await response.text() });
  return { status, session: headers.get('Location'), etag: headers.get('ETag') };
}
