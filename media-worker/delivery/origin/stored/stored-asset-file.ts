import type { LocatedAsset } from '@/lib/domain/assets';
import { parseVersionedPath, versionFolder } from '@/lib/core/hls/file-version';

/** A file of an asset, in the version that its URL names. */
export interface StoredAssetFile {
  /** The asset, with the storage folder of this version. */
  readonly asset: LocatedAsset;
  /** Path below the folder of the version. */
  readonly file: string;
  /** Prefix for the relative URLs in the file. */
  readonly folder: string;
}

/**
 * Finds the version that a path names, or the current version.
 * @returns null for a version that does not exist
 */
export function fileOfVersion(asset: LocatedAsset, path: string): StoredAssetFile | null {
  const { version: currentVersion = 0, replacedFiles = [] } = asset;
  const { version, file } = parseVersionedPath(path);
  if (version === null) return { asset, file, folder: versionFolder(currentVersion) };
  if (version === currentVersion) return { asset, file, folder: '' };
  const previousFile = replacedFiles.find((candidate) => candidate.version === version);
  return previousFile ? { asset: { ...asset, ...previousFile }, file, folder: '' } : null;
}
