/** Parsing, reduction and writing of WebRTC session descriptions (RFC 8866), line by line. */

/** Maximum length of a description in characters, which are bytes for ASCII. Browsers and encoders send a few kilobytes. */
export const MAX_SDP_BYTES = 65_536;
const MAX_LINES = 2_000;
/** Maximum number of media sections. */
const MAX_MEDIA = 8;

/** Direction from the view of the describing side: `sendonly` means that it sends. */
export type MediaDirection = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';

const directions = ['sendrecv', 'sendonly', 'recvonly', 'inactive'] as const;

/** A media section: an `m=` line and the lines after it, up to the next section. */
export interface SdpMedia {
  /** `audio`, `video` or `application`. */
  readonly kind: string;
  /** Identification of the section (`a=mid`), unique in the description. */
  readonly mid: string;
  readonly direction: MediaDirection;
  /** All lines of the section, beginning with its `m=` line. */
  readonly lines: readonly string[];
}

export interface SessionDescription {
  /** Lines before the first media section. */
  readonly session: readonly string[];
  readonly media: readonly SdpMedia[];
}

/** One payload type of a media section. */
export interface SdpCodec {
  readonly payloadType: number;
  /** Codec name in upper case, such as `H264` or `OPUS`. */
  readonly name: string;
  readonly clockRate: number;
  /** Parameters of `a=fmtp`, with names in lower case. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** Parses a description; null if it is malformed or too long. */
export function parseSdp(sdp: string): SessionDescription | null {
  if (sdp.length > MAX_SDP_BYTES || !sdp.startsWith('v=0')) return null;
  const lines = sdp.split(/\r\n|\n/).filter((line) => line !== '');
  if (lines.length > MAX_LINES || lines.some((line) => !/^[a-z]=/.test(line))) return null;
  const sectionStarts = lines.flatMap((line, index) => (line.startsWith('m=') ? [index] : []));
  if (sectionStarts.length === 0 || sectionStarts.length > MAX_MEDIA) return null;
  const media = sectionStarts.map((start, index) => parseMedia(lines.slice(start, sectionStarts[index + 1])));
  if (media.includes(null)) return null;
  const sections = media.filter((section) => section !== null);
  if (new Set(sections.map(({ mid }) => mid)).size !== sections.length) return null;
  return { session: lines.slice(0, sectionStarts[0]), media: sections };
}

function parseMedia(lines: readonly string[]): SdpMedia | null {
  const [, kind] = /^m=(audio|video|application) \d{1,5} [A-Z/]+(?: [\w.*+-]+)+$/.exec(lines[0] ?? '') ?? [];
  const mid = attributeOf(lines, 'mid');
  if (kind === undefined || mid === null || !/^[\w.~!#$%&'*+^`{|}-]{1,32}$/.test(mid)) return null;
  const direction = directions.find((candidate) => lines.includes(`a=${candidate}`)) ?? 'sendrecv';
  return { kind, mid, direction, lines };
}

/** Removes the candidates from a description. */
export const withoutCandidates = (description: string): string =>
  description.replace(/^a=(?:candidate|end-of-candidates)\b.*\r?\n/gm, '');

/** Formats a description with CRLF line breaks (RFC 8866 §5). */
export function writeSdp({ session, media }: SessionDescription): string {
  return [...session, ...media.flatMap(({ lines }) => lines)].map((line) => `${line}\r\n`).join('');
}

/** The value of the first `a=name:value` line; null if there is none. */
export function attributeOf(lines: readonly string[], name: string): string | null {
  const prefix = `a=${name}:`;
  return lines.find((line) => line.startsWith(prefix))?.slice(prefix.length) ?? null;
}

/** The codecs of a media section, in the order of preference of the side that described it. */
export function codecsOf({ lines }: SdpMedia): SdpCodec[] {
  // The payload types follow the kind, the port and the protocol.
  const formats = (lines[0] ?? '').split(' ').slice(3);
  const rtpmaps = new Map(lines.map(parseRtpmap).filter((entry) => entry !== null));
  const parameters = new Map(lines.map(parseFmtp).filter((entry) => entry !== null));
  return formats.flatMap((format) => {
    const codec = rtpmaps.get(format);
    return codec ? [{ ...codec, parameters: parameters.get(format) ?? new Map<string, string>() }] : [];
  });
}

function parseRtpmap(line: string): [string, Omit<SdpCodec, 'parameters'>] | null {
  const [, format, name, clockRate] = /^a=rtpmap:(\d{1,3}) ([\w.-]+)\/(\d{1,6})(?:\/\d+)?$/.exec(line) ?? [];
  if (format === undefined || name === undefined) return null;
  return [format, { payloadType: Number(format), name: name.toUpperCase(), clockRate: Number(clockRate) }];
}

function parseFmtp(line: string): [string, Map<string, string>] | null {
  const [, format, parameterText] = /^a=fmtp:(\d{1,3}) (.*)$/.exec(line) ?? [];
  if (format === undefined || parameterText === undefined) return null;
  const entries = parameterText.split(';').map((parameter): [string, string] => {
    const [name = '', ...value] = parameter.trim().split('=');
    return [name.toLowerCase(), value.join('=')];
  });
  return [format, new Map(entries)];
}

/**
 * RTCP feedback that this service supports: retransmission and keyframe requests. Congestion feedback would need a congestion
 * controller.
 */
const supportedFeedback = ['nack', 'nack pli', 'ccm fir'];

/**
 * Reduces a section to one codec, and removes header extensions and unsupported feedback. The library accepts
 * everything in an offer, so the offer is reduced before the library reads it.
 */
export function withCodec(media: SdpMedia, { payloadType }: Pick<SdpCodec, 'payloadType'>): SdpMedia {
  const format = String(payloadType);
  const mediaLineStart = (media.lines[0] ?? '').split(' ').slice(0, 3).join(' ');
  const remainingLines = media.lines.slice(1).filter((line) => {
    const [, lineFormat, feedback = ''] = /^a=(?:rtpmap|fmtp|rtcp-fb):(\d{1,3}|\*) (.*)$/.exec(line) ?? [];
    if (lineFormat === undefined) return !/^a=(?:extmap|extmap-allow-mixed|rid|simulcast)\b/.test(line);
    if (lineFormat !== format && lineFormat !== '*') return false;
    return !line.startsWith('a=rtcp-fb') || supportedFeedback.includes(feedback.trim().toLowerCase());
  });
  return { ...media, lines: [`${mediaLineStart} ${format}`, ...remainingLines] };
}

/** Turns a section of an offer into a rejected section of the answer, with port 0 (RFC 8829 §5.3.1). */
export function rejectSection(media: SdpMedia): SdpMedia {
  const [mediaLine = '', ...attributeLines] = media.lines;
  const remainingLines = attributeLines.filter(
    (line) => !/^a=(?:candidate|end-of-candidates|sendrecv|sendonly|recvonly)\b/.test(line),
  );
  return {
    ...media,
    direction: 'inactive',
    lines: [
      mediaLine.replace(/^m=(\w+) \d+/, 'm=$1 0'),
      ...remainingLines.filter((line) => line !== 'a=inactive'),
      'a=inactive',
    ],
  };
}

/** Appends a line to a section. */
function withLine(media: SdpMedia, line: string): SdpMedia {
  return { ...media, lines: [...media.lines, line] };
}

/** Adds parameters to the `a=fmtp` line of a payload type. */
export function withParameters(media: SdpMedia, payloadType: number, parameters: string): SdpMedia {
  const prefix = `a=fmtp:${payloadType} `;
  const hasParameters = media.lines.some((line) => line.startsWith(prefix));
  if (!hasParameters) return withLine(media, prefix + parameters);
  const lines = media.lines.map((line) => (line.startsWith(prefix) ? `${line};${parameters}` : line));
  return { ...media, lines };
}

/** Adds a host candidate for each public address that the description does not contain yet. */
export function withHostCandidates(
  description: SessionDescription,
  addresses: readonly string[],
  port: number,
): SessionDescription {
  const knownCandidates = description.media
    .flatMap(({ lines }) => lines)
    .filter((line) => line.startsWith('a=candidate:'));
  const missingAddresses = addresses.filter(
    // The fifth field of a candidate is its address.
    (address) => !knownCandidates.some((line) => line.split(' ')[4] === address),
  );
  const candidateLines = missingAddresses.map((address, index) => {
    // Higher priority than candidates of the interfaces (RFC 8445 §5.1.2.1), which may be unreachable from outside.
    // Type preference 126 (host), then the local preference, then 256 minus component 1.
    const priority = 126 * 2 ** 24 + (65_535 - index) * 2 ** 8 + 255;
    return `a=candidate:p${index} 1 UDP ${priority} ${address} ${port} typ host`;
  });
  const [firstSection, ...otherSections] = description.media;
  if (!firstSection || candidateLines.length === 0) return description;
  const insertIndex = firstSection.lines.findIndex((line) =>
    /^a=(?:candidate:|end-of-candidates)/.test(line),
  );
  const lines = [...firstSection.lines];
  lines.splice(insertIndex === -1 ? lines.length : insertIndex, 0, ...candidateLines);
  return { ...description, media: [{ ...firstSection, lines }, ...otherSections] };
}

/** Candidates and credentials that are sent after an offer (RFC 8840). */
export interface TrickleFragment {
  /** ICE username fragment; null if the fragment has none. */
  readonly ufrag: string | null;
  readonly candidates: readonly { readonly mid: string; readonly candidate: string }[];
}

const MAX_CANDIDATES = 64;
const candidateFormat =
  /^a=(candidate:[\w+/]{1,32} \d{1,3} \w{3,4} \d{1,10} [\w.:-]{1,253} \d{1,5} typ \w+.*)$/;

/** Parses a fragment; null if it is malformed or has too many candidates. */
export function parseFragment(fragmentText: string): TrickleFragment | null {
  if (fragmentText.length > MAX_SDP_BYTES) return null;
  const lines = fragmentText.split(/\r\n|\n/).filter((line) => line !== '');
  if (lines.length === 0 || lines.length > MAX_LINES || lines.some((line) => !/^[a-z]=/.test(line)))
    return null;
  const candidates: { mid: string; candidate: string }[] = [];
  let mid: string | null = null;
  for (const line of lines) {
    if (line.startsWith('m=')) mid = null;
    else if (line.startsWith('a=mid:')) mid = line.slice('a=mid:'.length);
    else if (line.startsWith('a=candidate:')) {
      const [, candidate] = candidateFormat.exec(line) ?? [];
      if (candidate === undefined || mid === null) return null;
      candidates.push({ mid, candidate });
    }
  }
  if (candidates.length > MAX_CANDIDATES) return null;
  return { ufrag: attributeOf(lines, 'ice-ufrag'), candidates };
}
