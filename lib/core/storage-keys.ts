/**
 * Keys of objects in the storage: segments joined by slashes. Every key starts with its owner's prefix, so that all files
 * of one asset or session can be listed and deleted by prefix. No key is the folder of another one.
 */

/** The prefixes of all keys except renditions, which a backup or a move must keep. */
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

/** Prefix of all files of one asset. @param filesId its files folder: its id, or another one after its file was replaced */
export const assetPrefix = (filesId: string): string => `asset/${filesId}/`;

/** One file of an asset, such as `source.mp4` or `hls/index.m3u8`. */
export const assetKey = (filesId: string, file: string): string => `${assetPrefix(filesId)}${file}`;

/** Prefix of an asset's HLS that is stored as segments, because it can't be made from an index. */
export const hlsPrefix = (filesId: string): string => assetKey(filesId, 'hls/');

/** The index of an asset's file, from which its HLS is made. */
export const indexKey = (filesId: string): string => assetKey(filesId, 'file.index');

/** Renditions of assets that are encoded on demand. They can be evicted at any time, and are then encoded again. */
export const renditionRoot = 'rendition/';

/** Prefix of all renditions of the files in one folder. */
export const renditionPrefix = (filesId: string): string => `${renditionRoot}${filesId}/`;

/** Key of one file of a rendition, such as `480p/init.mp4`. */
export const renditionKey = (filesId: string, file: string): string => `${renditionPrefix(filesId)}${file}`;

/** Prefix of team logos. */
export const logoPrefix = 'brand/';

/** Key of a logo. @param file its file name */
export const logoKey = (file: string): string => `${logoPrefix}${file}`;

/** Prefix of the pictures that streams show while their encoder is away. */
export const slatePrefix = 'slate/';

/** Key of a slate picture. @param file its file name */
export const slateKey = (file: string): string => `${slatePrefix}${file}`;

/** Prefix of the posters uploaded for streams and assets. */
export const posterPrefix = 'poster/';

/** Key of a poster. @param file its file name */
export const posterKey = (file: string): string => `${posterPrefix}${file}`;

/** Prefix of all files recorded in one session. */
export const recordingPrefix = (sessionId: string): string => `recording/${sessionId}/`;

/** Key of one file of a recorded session. */
export const recordingKey = (sessionId: string, file: string): string =>
  `${recordingPrefix(sessionId)}${file}`;

const maxLength = 512;
/** No segment starts with a dot (so there is no `.` or `..`), and no character needs decoding. */
const grammar = /^(?:[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}\/)*[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/;

/** Whether a text can be a storage key. Keys can't lead out of the storage. */
export function isStorageKey(text: string): boolean {
  return text.length <= maxLength && grammar.test(text);
}

/** Whether a text is a folder of the storage: a key that ends with a slash. */
export function isStoragePrefix(text: string): boolean {
  return text.endsWith('/') && isStorageKey(text.slice(0, -1));
}

/** Key of a file stored for IPFS, by its content identifier; several assets may share one. */
export const ipfsKey = (cid: string): string => `ipfs/${cid}`;

/** Key of the head of its CAR file: the blocks above those with the bytes of the file. */
export const ipfsArchiveKey = (cid: string): string => `ipfs-archive/${cid}`;
