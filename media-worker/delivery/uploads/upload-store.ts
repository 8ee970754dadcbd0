import { createWriteStream } from 'node:fs';
import { open, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { FileConfigstore, FileStore } from '@tus/file-store';
import { Upload } from '@tus/server';
import type { UploadAttempt } from '@/lib/domain/assets';
import type { WorkerContext } from '@/lib/domain/context';
import { UPLOAD_LIFETIME_MS } from '@/lib/core/access/upload-token';
import { AppError, notFound } from '@/lib/core/errors';
import { StorageError } from '@/lib/infra/storage';
import { createDiskSpaceLimit, isFull } from '@/lib/infra/storage/disk-space';
import { flush, deleteFilesOlderThan } from '@/lib/infra/storage/local-files';
import type { ReceivedBody } from './upload-body';

/** Id of an upload: the asset id and a signature, which is revealed only to the holder of the upload token. */
const uploadIdPattern = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-([0-9a-f]{32})$/;

type SecretsContext = Pick<WorkerContext, 'secrets'>;

export const uploadIdOf = (ctx: SecretsContext, assetId: string): string =>
  `${assetId}-${signatureOf(ctx, assetId)}`;

/**
 * The attempt of an upload id: identical for every request of this upload, even after a restart.
 * @throws AppError `not_found` for an invalid id
 */
export function attemptOfUpload(ctx: SecretsContext, id: string): UploadAttempt {
  const [, assetId = '', signature] = uploadIdPattern.exec(id) ?? [];
  if (signature === undefined || signature !== signatureOf(ctx, assetId)) throw notFound();
  return { assetId, leaseId: uuidOf(signature) };
}

const signatureOf = ({ secrets }: SecretsContext, assetId: string): string =>
  secrets.sign('tus', assetId).toString('hex').slice(0, 32);

function uuidOf(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Uploads below DATA_DIR: bytes as `<id>`, metadata as `<id>.json`. */
export const uploadFolder = (dataDir: string): string => join(dataDir, 'uploads', 'tus');

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : null);

/** Metadata of an upload. `hashes` are those of a complete file received by PUT. */
type UploadInfo = Upload & { readonly hashes?: ReceivedBody['hashes'] };

interface StoredUpload {
  /** Null until the client declares it. */
  readonly size: number | null;
  readonly offset: number;
  readonly createdAt: Date;
  /** Hashes of a file stored by `storeWhole`; null for a tus upload. */
  readonly hashes: ReceivedBody['hashes'] | null;
}

/** Metadata is written to the disk atomically. */
class DurableMetadata extends FileConfigstore {
  /** Only a missing file means that there is no upload. After a read error the upload can be retried. */
  override async get(id: string): Promise<UploadInfo | undefined> {
    let text: string;
    try {
      text = await readFile(this.#path(id), 'utf8');
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw error;
    }
    return JSON.parse(text) as UploadInfo;
  }

  override async set(id: string, upload: UploadInfo): Promise<void> {
    const partPath = `${this.#path(id)}.part`;
    await writeFile(partPath, JSON.stringify(upload), { flush: true });
    await rename(partPath, this.#path(id));
    await flush(this.directory);
  }

  override async delete(id: string): Promise<void> {
    await rm(this.#path(id), { force: true });
  }

  override async list(): Promise<string[]> {
    const names = await readdir(this.directory).catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return [];
      throw error;
    });
    return names
      .filter((name) => name.endsWith('.json'))
      .map((name) => name.slice(0, -'.json'.length))
      .filter((id) => uploadIdPattern.test(id));
  }

  #path(id: string): string {
    if (!uploadIdPattern.test(id)) throw notFound();
    return join(this.directory, `${id}.json`);
  }
}

/** Unprocessed uploads. Acknowledged bytes are on disk and stay until the upload expires. */
export class UploadStore extends FileStore {
  readonly #info: DurableMetadata;

  constructor(directory: string) {
    const configstore = new DurableMetadata(directory);
    super({ directory, configstore, expirationPeriodInMilliseconds: UPLOAD_LIFETIME_MS });
    this.#info = configstore;
  }

  pathOf(id: string): string {
    return join(this.directory, id);
  }

  list(): Promise<string[]> {
    return this.#info.list();
  }

  /** The state of an upload; null if it is unknown. */
  async find(id: string): Promise<StoredUpload | null> {
    const info = await this.#info.get(id);
    const stats = info && (await stat(this.pathOf(id)).catch(nullIfMissing));
    if (!stats) return null;
    const { size = null, creation_date, hashes = null } = info;
    const createdAt = creation_date === undefined ? stats.birthtime : new Date(creation_date);
    return { size, offset: stats.size, createdAt, hashes };
  }

  /**
   * Creates an upload, or resumes one that has bytes.
   * @throws AppError `invalid` if the size differs
   */
  override async create(upload: Upload): Promise<Upload> {
    const existingUpload = await this.find(upload.id);
    if (existingUpload && existingUpload.offset > 0) {
      if (existingUpload.size !== (upload.size ?? null))
        throw sizeConflictError(existingUpload, upload.size ?? null);
      upload.creation_date = existingUpload.createdAt.toISOString();
      return upload;
    }
    await rm(this.pathOf(upload.id), { force: true });
    const file = await open(this.pathOf(upload.id), 'wx');
    await file.close();
    await this.#info.set(upload.id, upload);
    return upload;
  }

  /**
   * Writes bytes, which are on the disk when this returns. If `offset` is before the end of the file, as in a repeated
   * creation, the bytes are discarded.
   * @returns the new offset
   */
  override async write(readable: Readable, id: string, offset: number): Promise<number> {
    const path = this.pathOf(id);
    const { size: storedBytes } = await stat(path);
    if (offset < storedBytes) {
      await finished(readable.resume());
      return storedBytes;
    }
    let receivedBytes = 0;
    const countBytes = new Transform({
      transform(chunk: Buffer, _encoding, callback) {
        receivedBytes += chunk.length;
        callback(null, chunk);
      },
    });
    try {
      const file = createWriteStream(path, { flags: 'r+', start: offset, flush: true });
      await pipeline(readable, countBytes, createDiskSpaceLimit(this.directory), file);
    } catch (error) {
      // The client learns from HEAD how much has arrived.
      await flush(path).catch(() => undefined);
      throw isFull(error) ? new StorageError('full', id) : error;
    }
    return offset + receivedBytes;
  }

  override async remove(id: string): Promise<void> {
    if (!(await this.#info.get(id))) throw notFound();
    await this.delete(id);
  }

  /** Removes an upload and its remaining files. */
  async delete(id: string): Promise<void> {
    await this.#info.delete(id);
    await rm(this.pathOf(id), { force: true });
  }

  /** Stores a whole file received by PUT as a complete upload. The file is moved from `path`. */
  async storeWhole(id: string, path: string, { bytes, hashes }: ReceivedBody): Promise<void> {
    await this.#info.delete(id);
    await rename(path, this.pathOf(id));
    const info: UploadInfo = new Upload({ id, size: bytes, offset: 0 });
    await this.#info.set(id, Object.assign(info, { hashes }));
  }

  /** Removes files of a process that died while it created or removed an upload. */
  async expireLeftovers(olderThan: Date): Promise<void> {
    const knownNames = new Set((await this.list()).flatMap((id) => [id, `${id}.json`]));
    await deleteFilesOlderThan(this.directory, olderThan, (name) => knownNames.has(name));
  }
}

function sizeConflictError({ size, offset }: StoredUpload, declaredBytes: number | null): AppError {
  const [previousText, declaredText] = [size, declaredBytes].map((bytes) =>
    bytes === null ? 'no length' : `${bytes} bytes`,
  );
  return new AppError('invalid', {
    field: 'Upload-Length',
    message:
      `this upload was created with ${previousText} and has received ${offset} bytes; it cannot be created ` +
      `again with ${declaredText}. Continue it at its URL, or delete it with DELETE first.`,
  });
}

function nullIfMissing(error: unknown): null {
  if (codeOf(error) === 'ENOENT') return null;
  throw error;
}
