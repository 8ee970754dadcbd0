import { type LinkedIceServer, iceServersOf } from '@/lib/core/webrtc/ice-server-links';

/** The answer to an SDP offer. */
export interface OfferAnswer {
  readonly status: number;
  /** SDP answer, or the error message. */
  readonly text: string;
  /** Session URL, which DELETE ends; null: the server sent none. */
  readonly session: string | null;
  /** STUN and TURN servers for this client. */
  readonly iceServers: readonly LinkedIceServer[];
}

interface OfferOptions {
  readonly sdp: string;
  /** Bearer token: the stream key of a publisher. */
  readonly bearer?: string;
  readonly signal: AbortSignal;
}

/** Sends an offer by WHIP (RFC 9725) or WHEP. Rejects without an answer. */
export async function sendOffer(url: string, { sdp, bearer, signal }: OfferOptions): Promise<OfferAnswer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/sdp',
      ...(bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` }),
    },
    body: sdp,
    credentials: 'omit',
    signal,
  });
  const location = response.headers.get('Location');
  const session = location === null ? null : new URL(location, url).href;
  try {
    const iceServers = iceServersOf(response.headers.get('Link'));
    return { status: response.status, session, iceServers, text: await response.text() };
  } catch (error) {
    if (session !== null) void endSession(session);
    throw error;
  }
}

const ENDED_WITHIN_MS = 3_000;

/** Ends a session, even while the page unloads. Resolves with or without an answer of the server. */
export async function endSession(session: string): Promise<void> {
  const signal = AbortSignal.timeout(ENDED_WITHIN_MS);
  await fetch(session, { method: 'DELETE', keepalive: true, credentials: 'omit', signal }).catch(() => null);
}

/** STUN and TURN servers of an endpoint. Rejects without an answer. */
export async function readIceServers(url: string, signal: AbortSignal): Promise<LinkedIceServer[]> {
  const { headers } = await fetch(url, { method: 'HEAD', credentials: 'omit', signal });
  return iceServersOf(headers.get('Link'));
}
