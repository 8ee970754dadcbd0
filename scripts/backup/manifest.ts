import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { openLocalStorage } from '@/lib/infra/storage/local-driver';
import { storageRoots } from '@/lib/core/storage-keys';
import type { Migration } from '../migrate';
import { ExpectedError } from '../service/expected-error';

/**
 * A backup is a folder. `manifest.json` is written last, so a folder without it is not complete.
 *
 *     manifest.json            what is in it
 *     SHA256SUMS               hash of every file below, as `sha256sum --check` reads it
 *     app-secret
 *     database/<table>.copy    rows in the text format of COPY
 *     objects/<key>            assets and recordings
 */
export const FORMAT = 1;
/** Paths of the files of a backup, relative to its folder. */
export const backupPaths = {
  manifest: 'manifest.json',
  sums: 'SHA256SUMS',
  secret: 'app-secret',
  table: (name: string) => `database/${name}.copy`,
} as const;

const name = z.string().regex(/^\w{1,63}$/);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.number().int().min(0);

const schema = z.object({
  format: z.literal(FORMAT),
  version: z.string(),
  createdAt: z.iso.datetime(),
  /** Migrations that created the tables, oldest first. */
  migrations: z.array(z.object({ name: z.string(), checksum: sha256 })).min(1),
  /** Tables in the order in which they are filled. */
  tables: z.array(z.object({ name, columns: z.array(name).min(1), rows: count })).min(1),
  objects: z.object({ count, bytes: count }),
  sums: z.object({ sha256, lines: count }),
});

export type Manifest = z.output<typeof schema>;
export type TableCopy = Manifest['tables'][number];

/**
 * Reads the manifest of a backup, and compares its migrations with those of this version.
 * @throws ExpectedError for a folder without a complete backup, or with one of a newer version
 */
export async function readManifest(folder: string, migrations: readonly Migration[]): Promise<Manifest> {
  const text = await readFile(join(folder, backupPaths.manifest), 'utf8').catch(() => null);
  if (text === null) {
    const stats = await stat(folder).catch(() => null);
    throw new ExpectedError(
      stats
        ? `${folder} is no complete backup: it has no ${backupPaths.manifest}, which is written last.`
        : `${folder} does not exist.`,
    );
  }
  const json = parseJson(text);
  const header = z.object({ format: z.number(), version: z.string() }).safeParse(json).data;
  if (header && header.format > FORMAT) throw new ExpectedError(newerVersionMessage(folder, header.version));
  const { data: manifest } = schema.safeParse(json);
  if (!manifest) throw damagedFile(folder, backupPaths.manifest);
  for (const { name: migration, checksum } of manifest.migrations) {
    const migrationHere = migrations.find((candidate) => candidate.name === migration);
    if (!migrationHere) throw new ExpectedError(newerVersionMessage(folder, manifest.version));
    if (checksumOf(migrationHere) !== checksum) {
      throw new ExpectedError(
        `The backup in ${folder} was made with another migration ${migration} than this version has. Restore it with the version that made it (${manifest.version}).`,
      );
    }
  }
  return manifest;
}

const checksumOf = ({ sql }: Migration): string => createHash('sha256').update(sql).digest('hex');

const newerVersionMessage = (folder: string, version: string): string =>
  `The backup in ${folder} was made by a newer version of Headwater (${version}). Update this one first.`;

const damagedFile = (folder: string, file: string): ExpectedError =>
  new ExpectedError(`The backup in ${folder} is damaged: ${file} differs from the original.`);

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Number of files that are hashed concurrently. */
const CONCURRENCY = 4;

/**
 * Reads every file of the backup and compares it with its hash.
 * @param onProgress called after each file
 * @throws ExpectedError naming the first file that is missing, changed or not part of the backup
 */
export async function verifyBackup(
  folder: string,
  manifest: Manifest,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: () => void },
): Promise<void> {
  const sums = join(folder, backupPaths.sums);
  if ((await hashFile(sums).catch(() => null)) !== manifest.sums.sha256)
    throw damagedFile(folder, backupPaths.sums);
  const requiredFiles = new Set([
    backupPaths.secret,
    ...manifest.tables.map((table) => backupPaths.table(table.name)),
  ]);
  let listedObjectCount = 0;
  const lines = createInterface({ input: createReadStream(sums) })[Symbol.asyncIterator]();
  const checkFiles = async () => {
    for (let result = await lines.next(); !result.done; result = await lines.next()) {
      signal.throwIfAborted();
      // 64 hexadecimal digits, two spaces, and the path.
      const [hash, path] = [result.value.slice(0, 64), result.value.slice(66)];
      requiredFiles.delete(path);
      if (path.startsWith('objects/')) listedObjectCount += 1;
      if ((await hashFile(join(folder, path)).catch(() => null)) !== hash) throw damagedFile(folder, path);
      onProgress();
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, checkFiles));
  for (const path of requiredFiles) throw damagedFile(folder, path);
  if (listedObjectCount !== manifest.objects.count) throw damagedFile(folder, backupPaths.sums);
  let storedObjectCount = 0;
  for (const root of storageRoots)
    for await (const { key } of openLocalStorage(folder).list(root))
      if (++storedObjectCount > listedObjectCount) throw damagedFile(folder, `objects/${key}`);
}

/**
 * The SHA-256 hash of a file.
 * @throws Error if the file cannot be read
 */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) hash.update(chunk);
  return hash.digest('hex');
}
