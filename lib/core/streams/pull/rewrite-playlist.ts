import { readUrl } from '../../read-url';

/** A playlist that can't be pulled; the message says why. */
export class PlaylistFault extends Error {
  override readonly name = 'PlaylistFault';
}

/** A live playlist has fewer addresses. */
const maxAddresses = 20_000;

/** Tags that a player needs from a media playlist; other tags are removed. */
const forwardedTags: ReadonlySet<string> = new Set([
  'EXT-X-VERSION', 'EXT-X-TARGETDURATION', 'EXT-X-MEDIA-SEQUENCE', 'EXT-X-DISCONTINUITY-SEQUENCE',
  'EXT-X-DISCONTINUITY', 'EXT-X-ENDLIST', 'EXT-X-PLAYLIST-TYPE', 'EXT-X-INDEPENDENT-SEGMENTS',
  'EXT-X-BYTERANGE', 'EXT-X-PROGRAM-DATE-TIME',
]); // prettier-ignore

type Attributes = ReadonlyMap<string, string>;

interface Line {
  /** Name without `#`; null for a URI line. */
  readonly tag: string | null;
  readonly value: string;
}

/** @param text any response body @returns whether it starts like a playlist (RFC 8216 §4.3.1.1) */
export const isPlaylist = (text: string): boolean => /^\u{FEFF}?#EXTM3U/u.test(text);

/**
 * Replaces every URI of a playlist. A master playlist keeps one variant, the best in H.264 or HEVC.
 * @param base URL of the playlist
 * @param addressOf returns the replacement of an absolute URL
 * @throws PlaylistFault
 */
export function rewritePlaylist(text: string, base: string, addressOf: (url: string) => string): string {
  const lines = linesOf(text);
  const count = lines.filter(({ tag }) => tag === null).length;
  if (count > maxAddresses) throw new PlaylistFault(`the playlist has more than ${maxAddresses} addresses`);
  const replace = (address: string) => addressOf(absolute(address, base));
  const isMaster = lines.some(({ tag }) => tag === 'EXT-X-STREAM-INF');
  const body = isMaster ? masterOf(lines, replace) : mediaOf(lines, replace);
  return `${['#EXTM3U', ...body].join('\n')}\n`;
}

function linesOf(text: string): Line[] {
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

function absolute(address: string, base: string): string {
  const url = readUrl(address, base);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new PlaylistFault('the playlist names an address that is not HTTP');
  return url.href;
}

function mediaOf(lines: readonly Line[], replace: (address: string) => string): string[] {
  return lines.flatMap(({ tag, value }) => {
    if (tag === null) return [replace(value)];
    if (tag === 'EXT-X-KEY') return [keyOf(attributesOf(value), replace)];
    if (tag === 'EXT-X-MAP') return [mapOf(attributesOf(value), replace)];
    // Drops the title.
    if (tag === 'EXTINF') return [`#EXTINF:${/^\d{1,9}(\.\d{1,12})?/.exec(value)?.[0] ?? '0'},`];
    const isPlain = /^[\w.:@+-]*$/.test(value);
    return forwardedTags.has(tag) && isPlain ? [`#${tag}${value === '' ? '' : `:${value}`}`] : [];
  });
}

function keyOf(attributes: Attributes, replace: (address: string) => string): string {
  const method = attributes.get('METHOD');
  if (method === 'NONE') return '#EXT-X-KEY:METHOD=NONE';
  const uri = attributes.get('URI');
  if (method !== 'AES-128' || uri === undefined) throw new PlaylistFault('its media is encrypted with DRM');
  const iv = attributes.get('IV');
  const vector = iv !== undefined && /^0[xX][\da-fA-F]{1,32}$/.test(iv) ? `,IV=${iv}` : '';
  return `#EXT-X-KEY:METHOD=AES-128,URI="${replace(uri)}"${vector}`;
}

function mapOf(attributes: Attributes, replace: (address: string) => string): string {
  const range = attributes.get('BYTERANGE');
  const bytes = range !== undefined && /^\d{1,15}(@\d{1,15})?$/.test(range) ? `,BYTERANGE="${range}"` : '';
  return `#EXT-X-MAP:URI="${replace(attributes.get('URI') ?? '')}"${bytes}`;
}

interface Variant {
  readonly attributes: Attributes;
  readonly address: string;
}

function masterOf(lines: readonly Line[], replace: (address: string) => string): string[] {
  const variants = lines.flatMap(({ tag, value }, index): Variant[] => {
    const next = lines[index + 1];
    if (tag !== 'EXT-X-STREAM-INF' || next?.tag !== null) return [];
    return [{ attributes: attributesOf(value), address: next.value }];
  });
  const usable = variants.filter(({ attributes }) => isReadable(attributes.get('CODECS')));
  const [best] = usable.sort((a, b) => bandwidthOf(b) - bandwidthOf(a));
  if (!best) throw new PlaylistFault('the playlist has no variant in H.264 or HEVC');
  const group = best.attributes.get('AUDIO');
  const audio = group === undefined ? null : audioOf(lines, group);
  const address = audio?.get('URI');
  return [
    ...(address === undefined
      ? []
      : [`#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="a",DEFAULT=YES,URI="${replace(address)}"`]),
    `#EXT-X-STREAM-INF:BANDWIDTH=${bandwidthOf(best)}${address === undefined ? '' : ',AUDIO="a"'}`,
    replace(best.address),
  ];
}

/** The default audio of a group, or its first one. */
function audioOf(lines: readonly Line[], group: string): Attributes | null {
  const variants = lines
    .filter(({ tag }) => tag === 'EXT-X-MEDIA')
    .map(({ value }) => attributesOf(value))
    .filter((each) => each.get('TYPE') === 'AUDIO' && each.get('GROUP-ID') === group);
  return variants.find((each) => each.get('DEFAULT') === 'YES') ?? variants[0] ?? null;
}

const bandwidthOf = ({ attributes }: Variant): number => {
  const bandwidth = Number(attributes.get('BANDWIDTH') ?? '0');
  return Number.isSafeInteger(bandwidth) && bandwidth > 0 ? bandwidth : 0;
};

/** Whether a variant has supported codecs. CODECS is optional, so a variant without it is accepted. */
const isReadable = (codecs: string | undefined): boolean =>
  codecs === undefined || codecs.split(',').some((codec) => /^\s*(avc[13]|hvc1|hev1)/.test(codec));

/** Parses an attribute list (RFC 8216 §4.2). */
function attributesOf(value: string): Attributes {
  const pairs = value.matchAll(/([A-Z\d-]+)=(?:"([^"]*)"|([^",]*))/g);
  return new Map(
    Array.from(pairs, ([, name = '', quotedValue, plain]) => [name, quotedValue ?? plain ?? '']),
  );
}
