/**
 * Names of objects in the storage: segments joined by slashes. Every key starts with its owner's prefix, so that
 * everything of one asset or session can be listed and removed by its prefix. No key is the folder of another one.
 */

/** The prefixes of all keys but those of renditions: together they are what a backup or a move has to keep. */
export const storageRoots = [
  'asset/',
  'brand/',
  'directUpload/',
  'ipfs/',
  'ipfs-archive/',
  'recording/',
  'slate/',
] as const;

/** Everything of one asset. @param filesId its folder: its id, or another one since its file was replaced */
export const assetPrefix = (filesId: string): string => `asset/${filesId}/`;

/** One file of an asset, such as `source.mp4` or `hls/index.m3u8`. */
export const assetKey = (filesId: string, file: string): string => `${assetPrefix(filesId)}${file}`;

/** HLS of an asset that was copied, because it cannot be made from an index. */
export const hlsPrefix = (filesId: string): string => assetKey(filesId, 'hls/');

/** The index of an asset's file, which its HLS is made from. */
export const indexKey = (filesId: string): string => assetKey(filesId, 'file.index');

/** Renditions of assets that are encoded when they are watched; removed at any time, and encoded again. */
export const renditionRoot = 'rendition/';

/** All renditions that were made of the files in one folder. */
export const renditionPrefix = (filesId: string): string => `${renditionRoot}${filesId}/`;

/** One file of a rendition, such as `480p/init.mp4`. */
export const renditionKey = (filesId: string, file: string): string => `${renditionPrefix(filesId)}${file}`;

/** The logos of teams. */
export const logoPrefix = 'brand/';

/** One logo, by its file name. */
export const logoKey = (file: string): string => `${logoPrefix}${file}`;

/** The pictures that streams show while their encoder is away. */
export const slatePrefix = 'slate/';

/** Key of a slate picture. @param file its file name */
export const slateKey = (file: string): string => `${slatePrefix}${file}`;

/** Everything recorded in one session. */
export const recordingPrefix = (sessionId: string): string => `recording/${sessionId}/`;

/** One file of a recorded session. */
export const recordingKey = (sessionId: string, file: string): string =>
  `${recordingPrefix(sessionId)}${file}`;

const maxLength = 512;
/** A segment does not start with a dot (so there is no `.` and no `..`) and needs no decoding. */
const grammar = /^(?:[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}\/)*[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/;

/** Whether a text can name an object: nothing that matches can lead out of the storage. */
export function isStorageKey(text: string): boolean {
  return text.length <= maxLength && grammar.test(text);
}

/** Whether a text names a folder of the storage: a key with a slash at its end. */
export function isStoragePrefix(text: string): boolean {
  return text.endsWith('/') && isStorageKey(text.slice(0, -1));
}

/** A file that is kept for IPFS, by its content identifier; several assets may have the same. */
export const ipfsKey = (cid: string): string => `ipfs/${cid}`;

/** The head of its archive: the blocks above the bytes of the file. */
export const ipfsArchiveKey = (cid: string): string => `ipfs-archive/${cid}`;
