import { type LinkedIceServer, parseIceServerLinks } from '@/lib/core/webrtc/ice-server-links';

/** The response to an SDP offer. */
export interface OfferAnswer {
  readonly status: number;
  /** SDP answer, or the error message. */
  readonly text: string;
  /** URL of the WHIP or WHEP session, which a DELETE request ends; null if the server sent none. */
  readonly sessionUrl: string | null;
  /** STUN and TURN servers for this client. */
  readonly iceServers: readonly LinkedIceServer[];
}

interface OfferOptions {
  readonly sdp: string;
  /** Bearer token: the stream key of a publisher. */
  readonly bearer?: string;
  readonly signal: AbortSignal;
}

/** Sends an offer by WHIP (RFC 9725) or WHEP. Rejects if the server does not respond. */
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
  const sessionUrl = location === null ? null : new URL(location, url).href;
  try {
    const iceServers = parseIceServerLinks(response.headers.get('Link'));
    return { status: response.status, sessionUrl, iceServers, text: await response.text() };
  } catch (error) {
    if (sessionUrl !== null) void endSession(sessionUrl);
    throw error;
  }
}

const END_TIMEOUT_MS = 3_000;

/** Ends a WHIP or WHEP session, even while the page unloads. Resolves even if the server does not respond. */
export async function endSession(sessionUrl: string): Promise<void> {
  const signal = AbortSignal.timeout(END_TIMEOUT_MS);
  await fetch(sessionUrl, { method: 'DELETE', keepalive: true, credentials: 'omit', signal }).catch(
    () => null,
  );
}

/** Reads the STUN and TURN servers of an endpoint. Rejects if the server does not respond. */
export async function readIceServers(url: string, signal: AbortSignal): Promise<LinkedIceServer[]> {
  const { headers } = await fetch(url, { method: 'HEAD', credentials: 'omit', signal });
  return parseIceServerLinks(headers.get('Link'));
}
