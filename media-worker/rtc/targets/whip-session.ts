import { text } from 'node:stream/consumers';
import type { TargetTestFinding } from '@/lib/core/targets/target-finding';
import type { WhipDestination } from '@/lib/core/targets/whip-url';
import type { Egress, EgressReply } from '@/lib/infra/egress/egress';
import { EgressError } from '@/lib/infra/egress/egress-error';
import { readUrl } from '@/lib/core/read-url';
import { findingOfConnection } from '@/media-worker/live/multistream/target-finding';
import { MAX_SDP_BYTES, parseSdp, type SessionDescription } from '@/media-worker/rtc/sdp';

/** A session at a WHIP endpoint, which ends when it is deleted. */
export interface WhipSession {
  readonly answer: SessionDescription;
  /** Deletes the session at the endpoint. Never rejects. */
  end(): Promise<void>;
}

const ANSWER_TIMEOUT_MS = 5_000;
const DELETE_TIMEOUT_MS = 3_000;
const MAX_REDIRECTS = 2;

/**
 * Sends an offer to a WHIP endpoint (RFC 9725 §4.2).
 * @param offer session description of this side, as text
 * @returns the session, or the outcome of a failed attempt
 */
export async function openWhipSession(
  egress: Pick<Egress, 'fetch'>,
  destination: WhipDestination,
  offer: string,
): Promise<WhipSession | TargetTestFinding> {
  const { url: endpointUrl, token } = destination;
  try {
    const reply = await egress.fetch(endpointUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/sdp', ...authorizationHeader(token) },
      body: offer,
      timeoutMs: ANSWER_TIMEOUT_MS,
      maxRedirects: MAX_REDIRECTS,
      maxReplyBytes: MAX_SDP_BYTES,
    });
    const answerText = await text(reply.body);
    const sessionUrl = sessionUrlOf(reply);
    const end = () =>
      sessionUrl === null ? Promise.resolve() : deleteSession(egress, sessionUrl, endpointUrl, token);
    if (reply.status !== 201 && reply.status !== 200) return findingOfStatus(reply.status);
    const answer = parseSdp(answerText);
    if (answer) return { answer, end };
    await end();
    return { outcome: 'handshake_failed' };
  } catch (error) {
    if (error instanceof EgressError) return findingOfConnection(error, destination);
    throw error;
  }
}

/**
 * The reason why an endpoint rejected an offer. Status 405, 415 and statuses below 400 are those of a server
 * without WHIP.
 */
function findingOfStatus(status: number): TargetTestFinding {
  if (status === 405 || status === 415 || status < 400) return { outcome: 'handshake_failed' };
  const detail = `status ${status}`;
  if (status === 401 || status === 403) return { outcome: 'token_rejected', detail };
  if (status === 404 || status === 410) return { outcome: 'endpoint_missing', detail };
  if (status === 406 || status === 422) return { outcome: 'codec_refused' };
  return status >= 500 ? { outcome: 'endpoint_failed', detail } : { outcome: 'publish_rejected', detail };
}

const authorizationHeader = (token: string | null): Record<string, string> =>
  token === null ? {} : { authorization: `Bearer ${token}` };

/** The URL in the `Location` header; null without a valid one. */
function sessionUrlOf({ headers, url }: EgressReply): string | null {
  const { location } = headers;
  return typeof location === 'string' ? (readUrl(location, url)?.href ?? null) : null;
}

/** Deletes a session. The token is sent only to the origin in the URL of the target. */
async function deleteSession(
  egress: Pick<Egress, 'fetch'>,
  sessionUrl: string,
  endpointUrl: string,
  token: string | null,
): Promise<void> {
  const isSameOrigin = new URL(sessionUrl).origin === new URL(endpointUrl).origin;
  const headers = authorizationHeader(isSameOrigin ? token : null);
  const deletion = egress.fetch(sessionUrl, { method: 'DELETE', headers, timeoutMs: DELETE_TIMEOUT_MS });
  // A session that cannot be deleted expires at the endpoint, because no media arrives any more.
  await deletion.then(({ body }) => void body.destroy()).catch(() => undefined);
}
