import { readUrl } from '../../read-url';

/** The error for a playlist that can't be pulled. Its message names the reason. */
export class PlaylistError extends Error {
  override readonly name = 'PlaylistError';
}

/** Maximum number of URIs in a playlist; a live playlist has fewer. */
const MAX_URIS = 20_000;

/** Tags of media playlists that are kept as they are. Other tags are rewritten or removed. */
const forwardedTags: ReadonlySet<string> = new Set([
  'EXT-X-VERSION', 'EXT-X-TARGETDURATION', 'EXT-X-MEDIA-SEQUENCE', 'EXT-X-DISCONTINUITY-SEQUENCE',
  'EXT-X-DISCONTINUITY', 'EXT-X-ENDLIST', 'EXT-X-PLAYLIST-TYPE', 'EXT-X-INDEPENDENT-SEGMENTS',
  'EXT-X-BYTERANGE', 'EXT-X-PROGRAM-DATE-TIME',
]); // prettier-ignore

type Attributes = ReadonlyMap<string, string>;

interface Line {
  /** Name of the tag without `#`; null for a line with a URI. */
  readonly tag: string | null;
  readonly value: string;
}

/** Whether a response body starts like a playlist (RFC 8216 §4.3.1.1). */
export const isPlaylist = (text: string): boolean => /^\u{FEFF}?#EXTM3U/u.test(text);

/**
 * Replaces every URI of a playlist. A master playlist keeps one variant: the one with the highest bandwidth, of those that
 * have H.264 or HEVC or do not name their codecs.
 * @param playlistUrl URL of the playlist
 * @param replacementOf returns the URL that replaces an absolute URL
 * @throws PlaylistError for a playlist that can't be pulled
 */
export function rewritePlaylist(
  text: string,
  playlistUrl: string,
  replacementOf: (url: string) => string,
): string {
  const lines = parseLines(text);
  const uriCount = lines.filter(({ tag }) => tag === null).length;
  if (uriCount > MAX_URIS) throw new PlaylistError(`the playlist has more than ${MAX_URIS} addresses`);
  const replace = (uri: string) => replacementOf(resolveUrl(uri, playlistUrl));
  const isMaster = lines.some(({ tag }) => tag === 'EXT-X-STREAM-INF');
  const body = isMaster ? rewriteMaster(lines, replace) : rewriteMedia(lines, replace);
  return `${['#EXTM3U', ...body].join('\n')}\n`;
}

function parseLines(text: string): Line[] {
  return text
    .split(/\r?\n|\r/)
    .map((line) => line.trim())
    .flatMap((line): Line[] => {
      if (line === '') return [];
      if (!line.startsWith('#')) return [{ tag: null, value: line }];
      const [, tag = '', value = ''] = /^#(EXT[A-Z\d-]*):?(.*)$/.exec(line) ?? [];
      return tag === '' ? [] : [{ tag, value }];
    });
}

function resolveUrl(uri: string, playlistUrl: string): string {
  const url = readUrl(uri, playlistUrl);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new PlaylistError('the playlist names an address that is not HTTP');
  return url.href;
}

function rewriteMedia(lines: readonly Line[], replace: (uri: string) => string): string[] {
  return lines.flatMap(({ tag, value }) => {
    if (tag === null) return [replace(value)];
    if (tag === 'EXT-X-KEY') return [rewriteKey(parseAttributes(value), replace)];
    if (tag === 'EXT-X-MAP') return [rewriteMap(parseAttributes(value), replace)];
    // The title is dropped.
    if (tag === 'EXTINF') return [`#EXTINF:${/^\d{1,9}(\.\d{1,12})?/.exec(value)?.[0] ?? '0'},`];
    const isSafeValue = /^[\w.:@+-]*$/.test(value);
    return forwardedTags.has(tag) && isSafeValue ? [`#${tag}${value === '' ? '' : `:${value}`}`] : [];
  });
}

function rewriteKey(attributes: Attributes, replace: (keyUri: string) => string): string {
  const method = attributes.get('METHOD');
  if (method === 'NONE') return '#EXT-X-KEY:METHOD=NONE';
  const uri = attributes.get('URI');
  if (method !== 'AES-128' || uri === undefined) throw new PlaylistError('its media is encrypted with DRM');
  const iv = attributes.get('IV');
  const ivAttribute = iv !== undefined && /^0[xX][\da-fA-F]{1,32}$/.test(iv) ? `,IV=${iv}` : '';
  return `#EXT-X-KEY:METHOD=AES-128,URI="${replace(uri)}"${ivAttribute}`;
}

function rewriteMap(attributes: Attributes, replace: (uri: string) => string): string {
  const range = attributes.get('BYTERANGE');
  const byteRangeAttribute =
    range !== undefined && /^\d{1,15}(@\d{1,15})?$/.test(range) ? `,BYTERANGE="${range}"` : '';
  return `#EXT-X-MAP:URI="${replace(attributes.get('URI') ?? '')}"${byteRangeAttribute}`;
}

interface Variant {
  readonly attributes: Attributes;
  readonly uri: string;
}

function rewriteMaster(lines: readonly Line[], replace: (audioUri: string) => string): string[] {
  const variants = lines.flatMap(({ tag, value }, index): Variant[] => {
    const next = lines[index + 1];
    if (tag !== 'EXT-X-STREAM-INF' || next?.tag !== null) return [];
    return [{ attributes: parseAttributes(value), uri: next.value }];
  });
  const readableVariants = variants.filter(({ attributes }) => isReadable(attributes.get('CODECS')));
  const [best] = readableVariants.sort((a, b) => bandwidthOf(b) - bandwidthOf(a));
  if (!best) throw new PlaylistError('the playlist has no variant in H.264 or HEVC');
  const group = best.attributes.get('AUDIO');
  const audio = group === undefined ? null : findAudio(lines, group);
  const audioUri = audio?.get('URI');
  return [
    ...(audioUri === undefined
      ? []
      : [`#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="a",DEFAULT=YES,URI="${replace(audioUri)}"`]),
    `#EXT-X-STREAM-INF:BANDWIDTH=${bandwidthOf(best)}${audioUri === undefined ? '' : ',AUDIO="a"'}`,
    replace(best.uri),
  ];
}

/** The default audio of a group, or the first audio of the group. */
function findAudio(lines: readonly Line[], group: string): Attributes | null {
  const audioTracks = lines
    .filter(({ tag }) => tag === 'EXT-X-MEDIA')
    .map(({ value }) => parseAttributes(value))
    .filter((media) => media.get('TYPE') === 'AUDIO' && media.get('GROUP-ID') === group);
  return audioTracks.find((audioTrack) => audioTrack.get('DEFAULT') === 'YES') ?? audioTracks[0] ?? null;
}

const bandwidthOf = ({ attributes }: Variant): number => {
  const bandwidth = Number(attributes.get('BANDWIDTH') ?? '0');
  return Number.isSafeInteger(bandwidth) && bandwidth > 0 ? bandwidth : 0;
};

/** Whether a variant has supported codecs. CODECS is optional, so a variant without it is accepted. */
const isReadable = (codecs: string | undefined): boolean =>
  codecs === undefined || codecs.split(',').some((codec) => /^\s*(avc[13]|hvc1|hev1)/.test(codec));

/** Parses an attribute list (RFC 8216 §4.2). */
function parseAttributes(value: string): Attributes {
  const pairs = value.matchAll(/([A-Z\d-]+)=(?:"([^"]*)"|([^",]*))/g);
  return new Map(
    Array.from(pairs, ([, name = '', quotedValue, plain]) => [name, quotedValue ?? plain ?? '']),
  );
}
