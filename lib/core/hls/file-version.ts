/**
 * Paths of the files of an asset, below its folder. Files that a playlist or storyboard references are below
 * `v<number>/`, so that versions never mix; the first version has no such folder.
 */

/** The folder of a version; empty for the first version. */
export const versionFolder = (version: number): string => (version === 0 ? '' : `v${version}/`);

const versionedPath = /^v(\d{1,6})\/(.+)$/;
const unversionedPath = /^(?!video\/|tracks\/)[^/]+\/|^storyboard-\d/;

export interface VersionedFile {
  /** Null: the current version of the asset. */
  readonly version: number | null;
  /** Path below the folder of the version. */
  readonly file: string;
}

/** Splits the version from a path. */
export function readVersion(path: string): VersionedFile {
  const [, number, filePath] = versionedPath.exec(path) ?? [];
  if (number !== undefined && filePath !== undefined) return { version: Number(number), file: filePath };
  return { version: unversionedPath.test(path) ? 0 : null, file: path };
}

/** A master playlist with the URIs of its renditions prefixed by a folder. */
export function playlistBelow(folder: string, master: string): string {
  if (folder === '') return master;
  return master
    .split('\n')
    .map((line) =>
      line === '' || line.startsWith('#') ? line.replace(/URI="/, `URI="${folder}`) : folder + line,
    )
    .join('\n');
}

/** A storyboard with the URIs of its pictures prefixed by a folder. */
export const storyboardBelow = (folder: string, cues: string): string =>
  cues.replaceAll(/^(?=storyboard-)/gm, folder);
