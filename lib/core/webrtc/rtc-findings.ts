import type { Reason } from '../reasons/find-reasons';
import { webrtc } from '../reasons/messages/webrtc';
import { isLocalAddress } from './local-address';

/** What an attempt to publish by WHIP has shown. */
export interface RtcFindings {
  /** Of the media server. */
  readonly url: string;
  /** Status of the answer to the offer; null: nothing answered. */
  readonly status: number | null;
  /** Addresses with ports that the answer names. */
  readonly candidates: readonly string[];
  /** The one that answered; null: none did. */
  readonly connected: string | null;
  /** It answered through a TURN server. */
  readonly relayed?: boolean;
}

/** A sentence in English, and its code for other languages. */
export interface RtcFinding {
  readonly message: string;
  readonly reason: Reason;
}

export interface RtcVerdict {
  readonly works: boolean;
  readonly findings: readonly RtcFinding[];
}

/** An address with its port, as URLs write it. Some browsers write the brackets themselves. */
export const endpointOf = (address: string, port: number | string): string =>
  `${address.includes(':') && !address.startsWith('[') ? `[${address}]` : address}:${port}`;

/** Addresses with ports that an SDP answer names. */
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

/** What is wrong, where, and what to do; the last sentence is good news if it works. */
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

/** Where the signalling of a media server is reached. */
function serverOf(url: string): { readonly host: string; readonly port: string } {
  const { protocol, hostname, port } = new URL(url);
  return { host: hostname, port: port || (protocol === 'https:' ? '443' : '80') };
}
