import ipaddr from 'ipaddr.js';

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
}

const addressOf = (candidate: string): string => candidate.replace(/:\d+$/, '').replace(/^\[|\]$/g, '');
const isPublic = (candidate: string): boolean => {
  const address = addressOf(candidate);
  return ipaddr.isValid(address) && ipaddr.parse(address).range() === 'unicast';
};

/** What is wrong, where, and what to do; the last sentence is good news if it works. */
export function explainFindings({ url, status, candidates, connected }: RtcFindings): {
  readonly works: boolean;
  readonly lines: readonly string[];
} {
  const fails = (...lines: string[]) => ({ works: false, lines });
  const { protocol, hostname, port } = new URL(url);
  const tcp = port || (protocol === 'https:' ? '443' : '80');
  if (status === null)
    return fails(
      `Nothing answers at ${url}.`,
      `Open TCP port ${tcp} of ${hostname} (MEDIA_PORT, or the port of the proxy in front of it).`,
    );
  if (status === 404 || status === 405)
    return fails(
      `${url} answers, but takes no offer (status ${status}).`,
      'Check the stream key. The stream must not be suspended or live. On the server, RTC_PORT must be set.',
    );
  if (status !== 201)
    return fails(`${url} answers with status ${status}.`, 'See the log of the server: its process is "rtc".');
  const named = `The server names ${candidates.join(', ') || 'no address'}.`;
  if (connected !== null)
    return { works: true, lines: [named, `UDP ${connected} answers: WebRTC works from here.`] };
  const udp = [
    ...new Set(candidates.map((candidate) => candidate.slice(candidate.lastIndexOf(':') + 1))),
  ].join(', ');
  const advice = candidates.some(isPublic)
    ? `Open UDP port ${udp} in the firewall of the server and of its provider. If it is open, this network blocks UDP: name a TURN server in ICE_SERVERS.`
    : `All of these are private addresses. On the server, set RTC_PUBLIC_ADDRESSES to the address where UDP port ${udp} is reached from outside.`;
  return fails(named, `No answer over UDP from any of them.`, advice);
}
