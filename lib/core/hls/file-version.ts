/**
 * Addresses of the files of an asset, below its folder. What is named by a playlist or a storyboard never mixes with the
 * files of another version: it is below `v<number>/`, except for the first version.
 */

/** The folder of a version; empty for the first. */
export const versionFolder = (version: number): string => (version === 0 ? '' : `v${version}/`);

const versionedPath = /^v(\d{1,6})\/(.+)$/;
const unversionedPath = /^(?!video\/|tracks\/)[^/]+\/|^storyboard-\d/;

export interface VersionedFile {
  /** Null: of whichever version the asset has now. */
  readonly version: number | null;
  /** Below the folder of the version. */
  readonly file: string;
}

/** The version that an address means. */
export function readVersion(path: string): VersionedFile {
  const [, number, filePath] = versionedPath.exec(path) ?? [];
  if (number !== undefined && filePath !== undefined) return { version: Number(number), file: filePath };
  return { version: unversionedPath.test(path) ? 0 : null, file: path };
}

/** A master playlist whose renditions are in a folder. */
export function playlistBelow(folder: string, master: string): string {
  if (folder === '') return master;
  return master
    .split('\n')
    .map((line) =>
      line === '' || line.startsWith('#') ? line.replace(/URI="/, `URI="${folder}`) : folder + line,
    )
    .join('\n');
}

/** A storyboard whose pictures are in a folder. */
export const storyboardBelow = (folder: string, cues: string): string =>
  cues.replaceAll(/^(?=storyboard-)/gm, folder);
