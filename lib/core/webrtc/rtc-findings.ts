import type { Reason } from '../reasons/find-reasons';
import { webrtc } from '../reasons/messages/webrtc';
import { isLocalAddress } from './local-address';

/** Observations of an attempt to publish by WHIP. */
export interface RtcFindings {
  /** URL of the media server. */
  readonly url: string;
  /** HTTP status of the answer to the offer; null: no answer. */
  readonly status: number | null;
  /** Addresses with ports in the SDP answer. */
  readonly candidates: readonly string[];
  /** Candidate that answered; null: none. */
  readonly connected: string | null;
  /** Whether a TURN server relayed the connection. */
  readonly relayed?: boolean;
}

/** Message in English, and its code for other languages. */
export interface RtcFinding {
  readonly message: string;
  readonly reason: Reason;
}

export interface RtcVerdict {
  readonly works: boolean;
  readonly findings: readonly RtcFinding[];
}

/** Address with port in URL syntax. Some browsers already include the brackets of IPv6. */
export const endpointOf = (address: string, port: number | string): string =>
  `${address.includes(':') && !address.startsWith('[') ? `[${address}]` : address}:${port}`;

/** Addresses with ports of an SDP answer. */
export const hostCandidatesOf = (answer: string): string[] =>
  [...answer.matchAll(/^a=candidate:\S+ \d+ \S+ \d+ (\S+) (\d+) typ host/gm)].map(
    ([, address = '', port = '']) => endpointOf(address, port),
  );

const addressOf = (candidate: string): string => candidate.replace(/:\d+$/, '').replace(/^\[|\]$/g, '');
const portOf = (candidate: string): string => candidate.slice(candidate.lastIndexOf(':') + 1);

function findingOf(code: keyof typeof webrtc, params: Reason['params'] = {}): RtcFinding {
  const message = webrtc[code].replaceAll(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? ''));
  return { message, reason: { code, params } };
}

/** Findings with instructions; the last one reports success if the connection works. */
export function explainFindings(findings: RtcFindings): RtcVerdict {
  const { url, status, candidates, connected, relayed = false } = findings;
  const fails = (...list: RtcFinding[]): RtcVerdict => ({ works: false, findings: list });
  if (status === null) return fails(findingOf('rtc_nothing_answers', { url, ...serverOf(url) }));
  if (status === 404 || status === 405) return fails(findingOf('rtc_offer_refused', { url, status }));
  if (status === 406) return fails(findingOf('rtc_codec_refused', { url, status }));
  if (status !== 201) return fails(findingOf('rtc_unexpected_status', { url, status }));
  if (candidates.length === 0) return fails(findingOf('rtc_no_addresses'));
  const named = findingOf('rtc_addresses', { addresses: candidates.join(', ') });
  if (connected !== null) {
    const good = findingOf(relayed ? 'rtc_relayed' : 'rtc_connected', { address: connected });
    return { works: true, findings: [named, good] };
  }
  const port = [...new Set(candidates.map(portOf))].join(', ');
  const isInside = candidates.every((candidate) => isLocalAddress(addressOf(candidate)));
  return fails(named, findingOf(isInside ? 'rtc_private_addresses' : 'rtc_udp_shut', { port }));
}

/** Host and port of the signalling of a media server. */
function serverOf(url: string): { readonly host: string; readonly port: string } {
  const { protocol, hostname, port } = new URL(url);
  return { host: hostname, port: port || (protocol === 'https:' ? '443' : '80') };
}
