import { endpointOf, hostCandidatesOf, type RtcFindings } from '@/lib/core/webrtc/rtc-findings';
import { endSession, readIceServers, sendOffer } from '@/lib/client/webrtc/signalling';
import { preferH264 } from './prefer-h264';
import type { WhipEndpoint } from './whip-connection';

const ANSWER_MS = 15_000;
const CONNECT_MS = 8_000;

/** Connects by WHIP like a publisher without sending media, and returns the findings. The stream must not be live. */
export async function checkConnection(
  { url, streamKey }: WhipEndpoint,
  signal: AbortSignal,
): Promise<RtcFindings> {
  const result = { url: new URL(url).origin, status: null, candidates: [], connected: null };
  let peer: RTCPeerConnection | null = null;
  let session: string | null = null;
  try {
    const answerBy = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
    peer = new RTCPeerConnection({ iceServers: await readIceServers(url, answerBy) });
    preferH264(peer.addTransceiver('video', { direction: 'sendonly' }));
    await peer.setLocalDescription();
    const sdp = peer.localDescription?.sdp ?? '';
    const answer = await sendOffer(url, { sdp, bearer: streamKey, signal: answerBy });
    session = answer.session;
    if (answer.status !== 201) return { ...result, status: answer.status };
    const candidates = hostCandidatesOf(answer.text);
    const whenConnected = untilConnected(peer, AbortSignal.any([signal, AbortSignal.timeout(CONNECT_MS)]));
    await peer.setRemoteDescription({ type: 'answer', sdp: answer.text });
    if (!(await whenConnected)) return { ...result, status: 201, candidates };
    // All addresses have the same port, so one of them is enough to test it.
    const [firstCandidate = null] = candidates;
    return { ...result, status: 201, candidates, connected: firstCandidate, ...(await answeredFrom(peer)) };
  } catch {
    // No answer in time.
    return result;
  } finally {
    if (session !== null) await endSession(session);
    peer?.close();
  }
}

function untilConnected(peer: RTCPeerConnection, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const look = () => {
      if (peer.connectionState === 'connected') resolve(true);
      else if (peer.connectionState === 'failed') resolve(false);
    };
    peer.addEventListener('connectionstatechange', look, { signal });
    signal.addEventListener('abort', () => resolve(false), { once: true });
  });
}

/** Address of the server in the selected candidate pair, and whether TURN was used; null: the browser does not report it. */
async function answeredFrom(
  peer: RTCPeerConnection,
): Promise<Pick<RtcFindings, 'connected' | 'relayed'> | null> {
  const transport = peer.getSenders()[0]?.transport?.iceTransport as Partial<RTCIceTransport> | undefined;
  const selected = transport?.getSelectedCandidatePair?.();
  if (selected?.remote.address && selected.remote.port !== null) {
    const { address, port } = selected.remote;
    return { connected: endpointOf(address, port), relayed: selected.local.type === 'relay' };
  }
  // Statistics may be slightly older than the connection state.
  const reports = new Map([...(await peer.getStats())] as [string, Record<string, unknown>][]);
  const pair = [...reports.values()].find(
    ({ type, state }) => type === 'candidate-pair' && state === 'succeeded',
  );
  const remote = reports.get(String(pair?.['remoteCandidateId']));
  if (!remote) return null;
  const relayed = reports.get(String(pair?.['localCandidateId']))?.['candidateType'] === 'relay';
  return { connected: endpointOf(String(remote['address']), Number(remote['port'])), relayed };
}
