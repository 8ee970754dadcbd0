type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
export type JsonObject = Readonly<Record<string, Json>>;

/** The properties of an exported video that its default metadata contains. */
export interface VideoToDescribe {
  readonly name: string;
  readonly playbackId: string;
  /** Content identifier of the video file on IPFS. */
  readonly cid: string;
  /** URLs of the poster, the watch page and the embedded player. */
  readonly imageUrl: string;
  readonly pageUrl: string;
  readonly playerUrl: string;
}

/**
 * Templates of the default metadata. `player`: marketplaces show the embedded player. `file`: marketplaces show the video
 * file.
 */
export type NftTemplate = 'player' | 'file';

/** The default metadata of an exported video, in the JSON format that NFT marketplaces read. */
export function createNftMetadata(video: VideoToDescribe, template: NftTemplate): JsonObject {
  const { name, playbackId, cid, imageUrl, pageUrl, playerUrl } = video;
  const fileUrl = `ipfs://${cid}`;
  const common = { name, description: `Video of the asset "${name}"`, image: imageUrl };
  if (template === 'file') return { ...common, animation_url: fileUrl };
  return {
    ...common,
    animation_url: `${playerUrl}?v=${cid}&loop=1`,
    external_url: pageUrl,
    properties: { video: fileUrl, 'com.livepeer.playbackId': playbackId },
  };
}

/** Property names with a special meaning in JavaScript. */
const reservedKeys = new Set(['__proto__', 'constructor', 'prototype']);

/** Merges a change into metadata. Objects are merged at every depth, other values are replaced, and null deletes a field. */
export function mergeMetadata(base: JsonObject, change: JsonObject): JsonObject {
  const entries = new Map(Object.entries(base));
  for (const [name, value] of Object.entries(change)) {
    if (reservedKeys.has(name)) continue;
    const previousValue = entries.get(name);
    if (value === null) entries.delete(name);
    else if (isObject(value))
      entries.set(name, mergeMetadata(isObject(previousValue) ? previousValue : {}, value));
    else entries.set(name, value);
  }
  return Object.fromEntries(entries);
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
