import { GetObjectCommand, paginateListObjectsV2 } from '@aws-sdk/client-s3';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { openS3Client } from '@/lib/infra/storage/s3-client';
import type { S3Settings } from '@/lib/infra/storage/s3-settings';

/** Access to stored objects without the storage driver of the service. */
export interface StoredFiles {
  /** Lists the keys with a prefix. The prefix must end with a slash. */
  readonly listKeys: (prefix: string) => Promise<string[]>;
  readonly read: (key: string) => Promise<Buffer>;
  readonly close: () => void;
}

export interface FileOnDisk {
  readonly path: string;
  readonly bytes: number;
}

/** Lists all files in a folder and its subfolders. The list is empty if the folder does not exist. */
export async function listFiles(folder: string): Promise<FileOnDisk[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries
    .filter((entry) => !entry.isDirectory())
    .map(async (entry): Promise<FileOnDisk[]> => {
      const path = join(entry.parentPath, entry.name);
      const bytes = await stat(path).then(
        ({ size }) => size,
        () => null,
      );
      return bytes === null ? [] : [{ path, bytes }];
    });
  return (await Promise.all(files)).flat();
}

export function openLocalFiles(dataDir: string): StoredFiles {
  const objects = join(dataDir, 'storage', 'objects');
  return {
    listKeys: async (prefix) =>
      (await listFiles(join(objects, prefix))).map(({ path }) => relative(objects, path)),
    read: (key) => readFile(join(objects, key)),
    close: () => undefined,
  };
}

export function openS3Files(settings: S3Settings): StoredFiles {
  const client = openS3Client(settings);
  return {
    async listKeys(prefix) {
      const keys: string[] = [];
      for await (const page of paginateListObjectsV2({ client }, { Bucket: settings.bucket, Prefix: prefix }))
        for (const { Key } of page.Contents ?? []) if (Key !== undefined) keys.push(Key);
      return keys;
    },
    async read(key) {
      const object = await client.send(new GetObjectCommand({ Bucket: settings.bucket, Key: key }));
      if (!object.Body) throw new Error(`${key} has no body`);
      return Buffer.from(await object.Body.transformToByteArray());
    },
    close: () => client.destroy(),
  };
}
