import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

const testFilePattern = /\.(test|spec)\.tsx?$/;

/**
 * Hashes the names and contents of files and folders under `root`. Missing paths count as empty. Tests are ignored,
 * because they do not affect a build.
 * @param ignore paths under `root` that are left out
 * @returns SHA-256 in hexadecimal
 */
export function hashFiles(root: string, paths: readonly string[], ignore: readonly string[] = []): string {
  const hash = createHash('sha256');
  const ignoredPaths = new Set(ignore.map((path) => resolve(root, path)));
  for (const file of paths.flatMap((path) => listFiles(resolve(root, path), ignoredPaths)).sort()) {
    const content = readFileSync(file);
    // The length distinguishes "ab" + "c" from "a" + "bc".
    hash.update(`${relative(root, file)}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

function listFiles(path: string, ignoredPaths: ReadonlySet<string>): string[] {
  if (ignoredPaths.has(path) || testFilePattern.test(path)) return [];
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) return [];
  if (!stat.isDirectory()) return [path];
  return readdirSync(path).flatMap((name) => listFiles(join(path, name), ignoredPaths));
}
