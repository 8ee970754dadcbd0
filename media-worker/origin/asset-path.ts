import type { LocatedAsset } from '@/lib/assets';
import { assetKey } from '@/lib/core/storage-keys';

/** A file of an asset, as its address below `/asset` names it. */
export interface AssetPath {
  readonly playbackId: string;
  readonly file: string;
}

const grammar =
  /^\/([a-z0-9]{16})\/((?:[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}\/){0,3}[A-Za-z0-9_-][A-Za-z0-9._-]{0,63})$/;
const pictures = /^(?:poster\.jpg|storyboard\.vtt|storyboard-\d{1,4}\.jpg)$/;
const hls = /\.(?:m3u8|m4s|mp4)$/;

/** @param path what follows `/asset`, without a query; nothing in it is decoded */
export function parseAssetPath(path: string): AssetPath | null {
  const [, playbackId, file] = grammar.exec(path) ?? [];
  return playbackId && file ? { playbackId, file } : null;
}

export interface AssetFile {
  readonly key: string;
  readonly contentType: string;
  /** Offered under the asset's name when it is saved. */
  readonly named: boolean;
  /** Never changes under this address. */
  readonly immutable: boolean;
  /** Holds a part of the film; not so playlists and pictures. */
  readonly media: boolean;
}

const types: Readonly<Record<string, string>> = {
  m3u8: 'application/vnd.apple.mpegurl',
  m4s: 'video/iso.segment',
  mp4: 'video/mp4',
  vtt: 'text/vtt; charset=utf-8',
  jpg: 'image/jpeg',
};

/** The object that a URL names; null for one that no asset has. */
export function assetFileAt({ assetId, videoKey, sourceKey }: LocatedAsset, file: string): AssetFile | null {
  const whole = { contentType: 'video/mp4', named: true, immutable: false, media: true };
  if (file === 'video' || file === 'video/download.mp4') return { ...whole, key: videoKey };
  if (file === 'source') return { ...whole, key: sourceKey };
  const contentType = types[file.split('.').at(-1) ?? ''];
  if (contentType === undefined) return null;
  if (pictures.test(file))
    return { key: assetKey(assetId, file), contentType, named: false, immutable: false, media: false };
  if (!hls.test(file)) return null;
  return {
    key: assetKey(assetId, `hls/${file}`),
    contentType,
    named: false,
    immutable: file.endsWith('.m4s'),
    media: file.endsWith('.m4s'),
  };
}
