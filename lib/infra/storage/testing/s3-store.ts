import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import type { Store } from '@20minutes/s3rver';

/**
 * Makes writes of the package atomic, as in S3. The package writes an object and its metadata under their final names, so
 * an interrupted write leaves half of an object. It deletes a folder that looks empty even if an object arrives at that
 * moment, and its list fails if a file is renamed or deleted during the walk.
 */
export function makeWritesAtomic(store: Store): void {
  store.putContent = putContent;
  const putMetadata = store.putMetadata.bind(store);
  store.putMetadata = async (bucket, key, metadata, md5) => {
    const temporaryKey = `${key}.${randomUUID()}`;
    await putMetadata(bucket, temporaryKey, metadata, md5);
    for (const resource of md5 ? ['object.md5', 'metadata.json'] : ['metadata.json'])
      await rename(
        store.getResourcePath(bucket, temporaryKey, resource),
        store.getResourcePath(bucket, key, resource),
      );
  };
  const listObjects = store.listObjects.bind(store);
  store.listObjects = (...args) => retryWhileFilesMove(() => listObjects(...args));
  store.deleteObject = async (bucket, key) => {
    for (const resource of ['object', 'object.md5', 'metadata.json'])
      await rm(store.getResourcePath(bucket, key, resource), { force: true });
  };
}

const MAX_WALKS = 100;

async function retryWhileFilesMove<T>(walk: () => Promise<T>): Promise<T> {
  for (let walks = 1; ; walks += 1) {
    try {
      return await walk();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || walks === MAX_WALKS) throw error;
      await setImmediate();
    }
  }
}

async function putContent(path: string, content: Buffer | Readable): Promise<[number, string]> {
  const temporaryPath = `${path}.${randomUUID()}`;
  const md5 = createHash('md5');
  let bytes = 0;
  const countingStream = new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      bytes += chunk.length;
      md5.update(chunk);
      callback(null, chunk);
    },
  });
  try {
    const source = Buffer.isBuffer(content) ? Readable.from([content]) : content;
    await pipeline(source, countingStream, createWriteStream(temporaryPath));
    // Without the checksum file, the package computes the checksum of the object on each request.
    await rm(`${path}.md5`, { force: true });
    await rename(temporaryPath, path);
  } catch (error) {
    await rm(temporaryPath, { force: true });
    throw error;
  }
  return [bytes, md5.digest('hex')];
}
