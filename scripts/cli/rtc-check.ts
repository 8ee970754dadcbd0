import { EventEmitter, once } from 'node:events';
import { PeerConnection, Video } from 'node-datachannel';
import { formatEndpoint, parseHostCandidates, type RtcObservations } from '@/lib/core/webrtc/rtc-findings';

const REQUEST_TIMEOUT_MS = 15_000;
const CONNECT_TIMEOUT_MS = 8_000;

/** Offers video by WHIP without sending any, to test the connection. */
export async function tryToConnect(url: string, streamKey: string): Promise<RtcObservations> {
  const connection = new PeerConnection('check', { iceServers: [], disableAutoNegotiation: true });
  const states = new EventEmitter();
  connection.onStateChange((state) => states.emit(state));
  const video = new Video('0', 'SendOnly');
  // 96 is the first dynamic payload type of RTP. Nothing is sent, so the SSRC can be any number.
  video.addH264Codec(96);
  video.addSSRC(1, 'check', 'check', 'check');
  const track = connection.addTrack(video);
  try {
    const response = await sendOffer(connection, `${url}/webrtc/${encodeURIComponent(streamKey)}`);
    if (response?.status !== 201)
      return { url, status: response?.status ?? null, candidates: [], connected: null };
    const answer = await response.text();
    const connecting = once(states, 'connected', { signal: AbortSignal.timeout(CONNECT_TIMEOUT_MS) });
    connection.setRemoteDescription(answer, 'answer');
    const isConnected = await connecting.then(
      () => true,
      () => false,
    );
    const remote = isConnected ? connection.getSelectedCandidatePair()?.remote : undefined;
    const session = new URL(response.headers.get('Location') ?? '', url);
    await fetch(session, { method: 'DELETE', signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) }).catch(
      () => null,
    );
    return {
      url,
      status: 201,
      candidates: parseHostCandidates(answer),
      connected: remote ? formatEndpoint(remote.address, remote.port) : null,
    };
  } finally {
    track.close();
    connection.close();
  }
}

async function sendOffer(connection: PeerConnection, url: string): Promise<Response | null> {
  const gathering = new Promise<void>((resolve) =>
    connection.onGatheringStateChange((state) => {
      if (state === 'complete') resolve();
    }),
  );
  connection.setLocalDescription('offer');
  await gathering;
  const body = connection.localDescription()?.sdp ?? '';
  const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  const headers = { 'Content-Type': 'application/sdp' };
  return fetch(url, { method: 'POST', headers, body, signal }).catch(() => null);
}
