import { MAX_LAYERS } from '@/media-worker/media/packets/layer-tag';
import type { SdpMedia } from './sdp';

/** The layers of a video track: the same video in several sizes, identified by their RIDs (RFC 8851, RFC 8853). */
export interface OfferedLayers {
  /** RIDs in the order of the offer. */
  readonly rids: readonly string[];
  /** Number of the RTP header extension that contains the RID of a packet. */
  readonly ridExtensionId: number;
  /** Lines of the answer that accept the header extensions for MID and RID. */
  readonly extensionLines: readonly string[];
}

const RID_URI = 'urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id';
const layerExtensionUris: readonly string[] = [
  'urn:ietf:params:rtp-hdrext:sdes:mid',
  RID_URI,
  'urn:ietf:params:rtp-hdrext:sdes:repaired-rtp-stream-id',
];

/**
 * Reads the layers that a media section offers in one codec. Layers after the fourth are not requested.
 * @returns null if there are fewer than two, or their packets cannot be distinguished
 */
export function offeredLayersOf({ lines }: SdpMedia, payloadType: number): OfferedLayers | null {
  const extensions = lines.map(parseExtension).filter((entry) => entry !== null);
  const ridExtensionId = extensions.find(({ uri }) => uri === RID_URI)?.id;
  const sendableRids = new Set(lines.flatMap((line) => parseRid(line, payloadType) ?? []));
  const rids = [...new Set(readSentRids(lines))].filter((rid) => sendableRids.has(rid)).slice(0, MAX_LAYERS);
  if (ridExtensionId === undefined || rids.length < 2) return null;
  return { rids, ridExtensionId, extensionLines: extensions.map(({ id, uri }) => `a=extmap:${id} ${uri}`) };
}

/** Adds the acceptance of all layers to a section of the answer. */
export function withAcceptedLayers(media: SdpMedia, { rids, extensionLines }: OfferedLayers): SdpMedia {
  const acceptedLayers = [
    ...extensionLines,
    ...rids.map((rid) => `a=rid:${rid} recv`),
    `a=simulcast:recv ${rids.join(';')}`,
  ];
  return { ...media, lines: [...media.lines, ...acceptedLayers] };
}

/**
 * The first alternative of each sent layer. `~` marks a layer that is paused at first. The line may also list layers to
 * receive: `a=simulcast:recv 1;2 send 3,4;~5`.
 */
function readSentRids(lines: readonly string[]): string[] {
  const [, layerList] =
    lines.map((line) => /^a=simulcast:(?:.* )?send (\S+)/.exec(line)).find((match) => match !== null) ?? [];
  return (layerList?.split(';') ?? []).map((layer) => (layer.split(',')[0] ?? '').replace(/^~/, ''));
}

/** @returns the RID if the layer can be sent with this payload type */
function parseRid(line: string, payloadType: number): string | null {
  const [, rid, restrictions = ''] = /^a=rid:([\w-]{1,32}) send(?: (.*))?$/.exec(line) ?? [];
  const [, formats] = /(?:^|;)pt=([\d,]+)/.exec(restrictions) ?? [];
  const isSendable = formats === undefined || formats.split(',').includes(String(payloadType));
  return rid !== undefined && isSendable ? rid : null;
}

/** Parses a header extension that identifies layers; null for other lines. */
function parseExtension(line: string): { readonly id: number; readonly uri: string } | null {
  const [, number, uri] = /^a=extmap:(\d{1,3})(?:\/\w+)? (\S+)/.exec(line) ?? [];
  const id = Number(number);
  return uri !== undefined && layerExtensionUris.includes(uri) && id >= 1 && id <= 255 ? { id, uri } : null;
}
