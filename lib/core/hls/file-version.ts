/**
 * Paths of the files of an asset, below its folder. Files that a playlist or storyboard references are below
 * `v<number>/`, so that versions never mix; the first version has no such folder.
 */

/** The folder of a version; empty for the first version. */
export const versionFolder = (version: number): string => (version === 0 ? '' : `v${version}/`);

const versionedPath = /^v(\d{1,6})\/(.+)$/;
/** Paths of files that a playlist or storyboard of the first version references. */
const firstVersionPath = /^(?!video\/|tracks\/)[^/]+\/|^storyboard-\d/;

export interface VersionedFile {
  /** Number of the version; null for the current version of the asset. */
  readonly version: number | null;
  /** Path below the folder of the version. */
  readonly file: string;
}

/** Splits a path of a file of an asset into the version and the path below its folder. */
export function parseVersionedPath(path: string): VersionedFile {
  const [, number, filePath] = versionedPath.exec(path) ?? [];
  if (number !== undefined && filePath !== undefined) return { version: Number(number), file: filePath };
  return { version: firstVersionPath.test(path) ? 0 : null, file: path };
}

/** Prefixes the URIs in a master playlist with a folder. */
export function prefixPlaylistUris(folder: string, masterPlaylist: string): string {
  if (folder === '') return masterPlaylist;
  return masterPlaylist
    .split('\n')
    .map((line) =>
      line === '' || line.startsWith('#') ? line.replace(/URI="/, `URI="${folder}`) : folder + line,
    )
    .join('\n');
}

/** Prefixes the URIs of the pictures in a storyboard with a folder. */
export const prefixStoryboardUris = (folder: string, cues: string): string =>
  cues.replaceAll(/^(?=storyboard-)/gm, folder);
