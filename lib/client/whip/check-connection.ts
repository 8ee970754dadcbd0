import { formatEndpoint, parseHostCandidates, type RtcObservations } from '@/lib/core/webrtc/rtc-findings';
import { endSession, readIceServers, sendOffer } from '@/lib/client/webrtc/signalling';
import { preferH264 } from './prefer-h264';
import type { WhipEndpoint } from './whip-connection';

const ANSWER_TIMEOUT_MS = 15_000;
const CONNECT_TIMEOUT_MS = 8_000;

/** Connects by WHIP like a publisher without sending media, and returns the findings. The stream must not be live. */
export async function checkConnection(
  { url, streamKey }: WhipEndpoint,
  signal: AbortSignal,
): Promise<RtcObservations> {
  const noFindings = { url: new URL(url).origin, status: null, candidates: [], connected: null };
  let peer: RTCPeerConnection | null = null;
  let sessionUrl: string | null = null;
  try {
    const answerSignal = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]);
    peer = new RTCPeerConnection({ iceServers: await readIceServers(url, answerSignal) });
    preferH264(peer.addTransceiver('video', { direction: 'sendonly' }));
    await peer.setLocalDescription();
    const sdp = peer.localDescription?.sdp ?? '';
    const answer = await sendOffer(url, { sdp, bearer: streamKey, signal: answerSignal });
    sessionUrl = answer.sessionUrl;
    if (answer.status !== 201) return { ...noFindings, status: answer.status };
    const candidates = parseHostCandidates(answer.text);
    const whenConnected = waitForConnection(
      peer,
      AbortSignal.any([signal, AbortSignal.timeout(CONNECT_TIMEOUT_MS)]),
    );
    await peer.setRemoteDescription({ type: 'answer', sdp: answer.text });
    if (!(await whenConnected)) return { ...noFindings, status: 201, candidates };
    // The first candidate stands for the server address if the browser does not report the selected one.
    const [firstCandidate = null] = candidates;
    return {
      ...noFindings,
      status: 201,
      candidates,
      connected: firstCandidate,
      ...(await readServerAddress(peer)),
    };
  } catch {
    // The server did not respond in time, or the browser failed to create the offer.
    return noFindings;
  } finally {
    if (sessionUrl !== null) await endSession(sessionUrl);
    peer?.close();
  }
}

function waitForConnection(peer: RTCPeerConnection, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const checkState = () => {
      if (peer.connectionState === 'connected') resolve(true);
      else if (peer.connectionState === 'failed') resolve(false);
    };
    peer.addEventListener('connectionstatechange', checkState, { signal });
    signal.addEventListener('abort', () => resolve(false), { once: true });
  });
}

/**
 * Reads the address of the server from the selected candidate pair, and whether TURN was used; null if the browser does
 * not report it.
 */
async function readServerAddress(
  peer: RTCPeerConnection,
): Promise<Pick<RtcObservations, 'connected' | 'relayed'> | null> {
  const transport = peer.getSenders()[0]?.transport?.iceTransport as Partial<RTCIceTransport> | undefined;
  const selected = transport?.getSelectedCandidatePair?.();
  if (selected?.remote.address && selected.remote.port !== null) {
    const { address, port } = selected.remote;
    return { connected: formatEndpoint(address, port), relayed: selected.local.type === 'relay' };
  }
  // The statistics may be older than the connection state and not have the pair yet.
  const reports = new Map([...(await peer.getStats())] as [string, Record<string, unknown>][]);
  const pair = [...reports.values()].find(
    ({ type, state }) => type === 'candidate-pair' && state === 'succeeded',
  );
  const remote = reports.get(String(pair?.['remoteCandidateId']));
  if (!remote) return null;
  const relayed = reports.get(String(pair?.['localCandidateId']))?.['candidateType'] === 'relay';
  return { connected: formatEndpoint(String(remote['address']), Number(remote['port'])), relayed };
}
