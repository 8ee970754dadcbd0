import type { Reason } from '../reasons/find-reasons';
import { webrtc } from '../reasons/messages/webrtc';
import { isLocalAddress } from './local-address';

/** Observations of an attempt to publish by WHIP. */
export interface RtcObservations {
  /** URL of the media server. */
  readonly url: string;
  /** HTTP status of the response to the offer; null without a response. */
  readonly status: number | null;
  /** Addresses with ports in the SDP answer. */
  readonly candidates: readonly string[];
  /** Candidate to which media could be sent; null if there was none. */
  readonly connected: string | null;
  /** Whether a TURN server relayed the connection. */
  readonly relayed?: boolean;
}

/** A message in English, with its reason for other languages. */
export interface RtcFinding {
  readonly message: string;
  readonly reason: Reason;
}

export interface RtcVerdict {
  readonly works: boolean;
  readonly findings: readonly RtcFinding[];
}

/** Formats an address with a port as in URLs. Some browsers already add the brackets of IPv6. */
export const formatEndpoint = (address: string, port: number | string): string =>
  `${address.includes(':') && !address.startsWith('[') ? `[${address}]` : address}:${port}`;

/** The addresses, with ports, of the host candidates in an SDP answer. */
export const parseHostCandidates = (answer: string): string[] =>
  [...answer.matchAll(/^a=candidate:\S+ \d+ \S+ \d+ (\S+) (\d+) typ host/gm)].map(
    ([, address = '', port = '']) => formatEndpoint(address, port),
  );

const addressOf = (candidate: string): string => candidate.replace(/:\d+$/, '').replace(/^\[|\]$/g, '');
const portOf = (candidate: string): string => candidate.slice(candidate.lastIndexOf(':') + 1);

function createFinding(code: keyof typeof webrtc, params: Reason['params'] = {}): RtcFinding {
  const message = webrtc[code].replaceAll(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? ''));
  return { message, reason: { code, params } };
}

/**
 * Explains the observations of an attempt to publish, with instructions. If the connection works, the last finding reports
 * success.
 */
export function explainObservations(observations: RtcObservations): RtcVerdict {
  const { url, status, candidates, connected, relayed = false } = observations;
  const createFailure = (...findings: RtcFinding[]): RtcVerdict => ({ works: false, findings });
  if (status === null) return createFailure(createFinding('rtc_nothing_answers', { url, ...serverOf(url) }));
  if (status === 404 || status === 405)
    return createFailure(createFinding('rtc_offer_refused', { url, status }));
  if (status === 406) return createFailure(createFinding('rtc_codec_refused', { url, status }));
  if (status !== 201) return createFailure(createFinding('rtc_unexpected_status', { url, status }));
  if (candidates.length === 0) return createFailure(createFinding('rtc_no_addresses'));
  const addressesFinding = createFinding('rtc_addresses', { addresses: candidates.join(', ') });
  if (connected !== null) {
    const successFinding = createFinding(relayed ? 'rtc_relayed' : 'rtc_connected', { address: connected });
    return { works: true, findings: [addressesFinding, successFinding] };
  }
  const port = [...new Set(candidates.map(portOf))].join(', ');
  const areAllLocal = candidates.every((candidate) => isLocalAddress(addressOf(candidate)));
  return createFailure(
    addressesFinding,
    createFinding(areAllLocal ? 'rtc_private_addresses' : 'rtc_udp_shut', { port }),
  );
}

/** Host and port of the URL of a media server. */
function serverOf(url: string): { readonly host: string; readonly port: string } {
  const { protocol, hostname, port } = new URL(url);
  return { host: hostname, port: port || (protocol === 'https:' ? '443' : '80') };
}
