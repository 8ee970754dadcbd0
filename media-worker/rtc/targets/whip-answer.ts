import { isIP } from 'node:net';
import { attributeOf, codecsOf, type SdpMedia, type SessionDescription } from '@/media-worker/rtc/sdp';

/** An ICE candidate of an answer. */
export interface AnsweredCandidate {
  /** `mid` of the media section that contains the candidate. */
  readonly mid: string;
  /** The attribute without `a=`. */
  readonly candidate: string;
  /** IP address. */
  readonly address: string;
}

const MAX_CANDIDATES = 32;

/**
 * Parses the UDP candidates that have an IP address. Host names are ignored, because the library would resolve
 * them without the egress policy.
 */
export function parseCandidates({ media }: SessionDescription): AnsweredCandidate[] {
  const candidates = media.flatMap(({ mid, lines }) =>
    lines.flatMap((line) => parseCandidate(line, mid) ?? []),
  );
  // Endpoints with several media sections repeat their candidates in each of them.
  const byText = new Map(candidates.map((candidate) => [candidate.candidate, candidate]));
  return [...byText.values()].slice(0, MAX_CANDIDATES);
}

function parseCandidate(line: string, mid: string): AnsweredCandidate | null {
  // Component 1 carries RTP and RTCP; answers with another component for RTCP are not supported.
  const [, candidate = '', address = ''] =
    /^a=(candidate:[\w+/]{1,32} 1 udp \d{1,10} ([\da-f.:]{2,45}) \d{1,5} typ (?:host|srflx|prflx|relay)\b.*)$/i.exec(
      line,
    ) ?? [];
  return isIP(address) === 0 ? null : { mid, candidate, address };
}

/** Whether a section of the answer receives the codec that was offered for it. */
export function acceptsCodec(
  { media }: SessionDescription,
  { mid, payloadType }: { readonly mid: string; readonly payloadType: number },
): boolean {
  const section = media.find((candidate) => candidate.mid === mid);
  return (
    section !== undefined &&
    receivesMedia(section) &&
    codecsOf(section).some((codec) => codec.payloadType === payloadType)
  );
}

/** Whether a section is not rejected (port 0) and its side receives media. */
const receivesMedia = ({ lines, direction }: SdpMedia): boolean =>
  !/^m=\w+ 0 /.test(lines[0] ?? '') && (direction === 'recvonly' || direction === 'sendrecv');

/** Whether the answer contains the fingerprint of a certificate, without which the connection cannot be verified. */
export const hasFingerprint = ({ session, media }: SessionDescription): boolean =>
  attributeOf([...session, ...media.flatMap(({ lines }) => lines)], 'fingerprint') !== null;
