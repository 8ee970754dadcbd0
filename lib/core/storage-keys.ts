/**
 * Keys of objects in the storage. A key consists of segments joined by slashes and starts with the prefix of its owner, so
 * that all files of one asset or session can be listed and deleted by prefix. No key is the prefix folder of another key.
 */

/** The first segments of all keys that a backup or a move of the storage must include: all except those of renditions. */
export const storageRoots = [
  'asset/',
  'brand/',
  'directUpload/',
  'ipfs/',
  'ipfs-archive/',
  'poster/',
  'recording/',
  'slate/',
] as const;

/**
 * Prefix of all files of one asset.
 * @param filesId id of its files (`Asset.filesId`): the id of the asset, or another id after its file was replaced
 */
export const assetPrefix = (filesId: string): string => `asset/${filesId}/`;

/** One file of an asset, such as `source.mp4` or `hls/index.m3u8`. */
export const assetKey = (filesId: string, file: string): string => `${assetPrefix(filesId)}${file}`;

/** Prefix of the HLS files of an asset whose HLS is stored, because it can't be made from an index. */
export const hlsPrefix = (filesId: string): string => assetKey(filesId, 'hls/');

/** The index of an asset's file, from which its HLS is made. */
export const indexKey = (filesId: string): string => assetKey(filesId, 'file.index');

/** Prefix of all renditions that are encoded on demand. They can be evicted at any time, and are encoded again if needed. */
export const renditionRoot = 'rendition/';

/** Prefix of all renditions of one asset that are encoded on demand. */
export const renditionPrefix = (filesId: string): string => `${renditionRoot}${filesId}/`;

/** Key of one file of a rendition, such as `480p/init.mp4`, that is encoded on demand. */
export const renditionKey = (filesId: string, file: string): string => `${renditionPrefix(filesId)}${file}`;

/** Prefix of team logos. */
export const logoPrefix = 'brand/';

/**
 * Key of a logo.
 * @param file file name of the logo
 */
export const logoKey = (file: string): string => `${logoPrefix}${file}`;

/** Prefix of the slate pictures of streams. */
export const slatePrefix = 'slate/';

/**
 * Key of a slate picture.
 * @param file file name of the picture
 */
export const slateKey = (file: string): string => `${slatePrefix}${file}`;

/** Prefix of the posters uploaded for streams and assets. */
export const posterPrefix = 'poster/';

/**
 * Key of a poster.
 * @param file file name of the poster
 */
export const posterKey = (file: string): string => `${posterPrefix}${file}`;

/** Prefix of all files recorded in one session. */
export const recordingPrefix = (sessionId: string): string => `recording/${sessionId}/`;

/** Key of one file of a recorded session. */
export const recordingKey = (sessionId: string, file: string): string =>
  `${recordingPrefix(sessionId)}${file}`;

const MAX_KEY_LENGTH = 512;
/** Pattern of keys. No segment starts with a dot, so there is no `.` or `..`, and no character needs decoding. */
const keyPattern = /^(?:[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}\/)*[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/;

/** Whether a text can be a storage key. Keys can't lead out of the storage. */
export function isStorageKey(text: string): boolean {
  return text.length <= MAX_KEY_LENGTH && keyPattern.test(text);
}

/** Whether a text can be a prefix of storage keys: a key with a slash at its end. */
export function isStoragePrefix(text: string): boolean {
  return text.endsWith('/') && isStorageKey(text.slice(0, -1));
}

/** Key of a file that is stored for IPFS, by its content identifier. Several assets may have the same file. */
export const ipfsKey = (cid: string): string => `ipfs/${cid}`;

/** Key of the head of the CAR file of a file that is stored for IPFS: the blocks above those with the bytes of the file. */
export const ipfsArchiveKey = (cid: string): string => `ipfs-archive/${cid}`;
