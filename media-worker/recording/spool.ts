import { closeSync, mkdirSync, openSync, renameSync, rmSync, writevSync } from 'node:fs';
import { mkdir, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  formatLateFolderName,
  parseSpoolFolder,
  parseSpoolName,
  formatSpoolName,
  type SpoolFolder,
} from '@/lib/core/sessions/recording-spool';
import { codeOf } from '@/lib/infra/storage/local-files';

/** A file of a recording. */
export interface RecordedFile {
  /** Name below the storage prefix of the recording, such as `hls/source/init-1.mp4`. */
  readonly file: string;
  readonly content: readonly Buffer[];
}

/** A file that waits to be stored. */
export interface SpooledFile {
  /** Path in the spool. */
  readonly path: string;
  /** Name below the storage prefix of the recording. */
  readonly file: string;
  /** Length of the complete file; a shorter file is truncated. */
  readonly bytes: number;
}

/** Prefix of partial files, followed by the name of their process. */
const partialPrefix = '.part-';
/** Age after which a partial file belongs to a killed process, because writing a segment takes less time. */
const ABANDONED_MS = 30_000;

/**
 * Recorded files on their way to the storage, below `DATA_DIR/spool`, with one folder per session. A file is in the page
 * cache when `write` returns, so it survives this process without the storage or the database.
 */
export class Spool {
  readonly #root: string;
  readonly #partialFilePrefix: string;
  /** Number of recordings of this process that write to each session. */
  readonly #writerCounts = new Map<string, number>();
  /** Sessions whose files were written by this process and may still be in the spool. */
  readonly #ownSessions = new Set<string>();
  /** The session in which the publish of a session continues, by session id. */
  readonly #successors = new Map<string, string>();

  /** @param owner name of this process, unique in this DATA_DIR */
  constructor(dataDir: string, owner = 'live') {
    this.#root = join(dataDir, 'spool');
    this.#partialFilePrefix = `${partialPrefix}${owner}.`;
  }

  /** The path whose disk space is checked. */
  get path(): string {
    return this.#root;
  }

  /** Registers a recording of this process as a writer of the session. */
  enter(sessionId: string): void {
    this.#ownSessions.add(sessionId);
    this.#writerCounts.set(sessionId, (this.#writerCounts.get(sessionId) ?? 0) + 1);
  }

  /** Removes a writer of the session, which `enter` has registered. */
  leave(sessionId: string): void {
    const writersLeft = (this.#writerCounts.get(sessionId) ?? 0) - 1;
    if (writersLeft > 0) this.#writerCounts.set(sessionId, writersLeft);
    else this.#writerCounts.delete(sessionId);
  }

  /** Whether this process still writes to the session. */
  isOpen(sessionId: string): boolean {
    return this.#writerCounts.has(sessionId);
  }

  /** Whether this process has written to the session. */
  isOwn(sessionId: string): boolean {
    return this.#ownSessions.has(sessionId);
  }

  /** Remembers the session in which a publish continues: late segments of `sessionId` belong to it. */
  setSuccessor(sessionId: string, successor: string): void {
    this.#successors.set(sessionId, successor);
  }

  successorOf(sessionId: string): string | undefined {
    return this.#successors.get(sessionId);
  }

  /**
   * Writes a whole file. It blocks while the bytes are copied to the page cache, so that a segment is recorded before any
   * viewer can request it.
   * @throws file system errors
   */
  write(sessionId: string, { file, content }: RecordedFile): void {
    const folder = join(this.#root, sessionId);
    const name = formatSpoolName({ file, bytes: content.reduce((sum, { length }) => sum + length, 0) });
    const partialPath = join(folder, `${this.#partialFilePrefix}${name}`);
    try {
      writeWhole(partialPath, content);
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') {
        rmSync(partialPath, { force: true });
        throw error;
      }
      mkdirSync(folder, { recursive: true });
      writeWhole(partialPath, content);
    }
    renameSync(partialPath, join(folder, name));
  }

  /** Folders of sessions that may have files to store. */
  async listFolders(): Promise<SpoolFolder[]> {
    const entries = await readdir(this.#root, { withFileTypes: true }).catch(emptyIfMissing);
    return entries.flatMap((entry) => (entry.isDirectory() ? (parseSpoolFolder(entry.name) ?? []) : []));
  }

  /** Sessions that have files on this disk. */
  async listSessionIds(): Promise<string[]> {
    return (await this.listFolders()).map(({ sessionId }) => sessionId);
  }

  /** The files of a folder that wait to be stored: first init segments and periods, then segments in recording order. */
  async listFiles({ name: folder }: SpoolFolder): Promise<SpooledFile[]> {
    const names = await readdir(join(this.#root, folder)).catch(emptyIfMissing);
    return names
      .toSorted((a, b) => Number(a.includes('.m4s')) - Number(b.includes('.m4s')) || fileOrder.compare(a, b))
      .flatMap((name) => {
        const spoolName = parseSpoolName(name);
        return spoolName ? { path: join(this.#root, folder, name), ...spoolName } : [];
      });
  }

  /** The time at which a file was last added to or removed from the folder; null if the folder is gone. */
  async readTouchedAt({ name }: SpoolFolder): Promise<Date | null> {
    return (await stat(join(this.#root, name)).catch(() => null))?.mtime ?? null;
  }

  /**
   * Moves the files of a folder whose recording was finished without them to the session that continues the publish, or to
   * `newSessionId`. Does nothing if another process has already moved or removed them.
   */
  async moveLate({ name, sessionId }: SpoolFolder, newSessionId: string): Promise<void> {
    const successor = this.#successors.get(sessionId);
    const folder = join(this.#root, name);
    const newFolder = join(this.#root, successor ?? formatLateFolderName(newSessionId, sessionId));
    try {
      if (successor === undefined) {
        await rename(folder, newFolder);
        return;
      }
      await mkdir(newFolder, { recursive: true });
      for (const file of await readdir(folder)) await rename(join(folder, file), join(newFolder, file));
      await rmdir(folder);
    } catch (error) {
      if (!['ENOENT', 'ENOTEMPTY'].includes(codeOf(error) ?? '')) throw error;
    }
  }

  /**
   * Deletes a folder unless it has files to store.
   * @returns false if the folder has files or cannot be deleted
   */
  async deleteIfEmpty({ name, sessionId }: SpoolFolder): Promise<boolean> {
    const folder = join(this.#root, name);
    try {
      for (const fileName of await readdir(folder))
        if (await this.#isAbandoned(folder, fileName)) await rm(join(folder, fileName), { force: true });
      await rmdir(folder);
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') return false;
    }
    this.#forget(sessionId);
    return true;
  }

  /** Whether a partial file will never be finished. Files of this process are finished when `write` returns. */
  async #isAbandoned(folder: string, name: string): Promise<boolean> {
    if (name.startsWith(this.#partialFilePrefix)) return true;
    if (!name.startsWith(partialPrefix)) return false;
    const { mtimeMs } = await stat(join(folder, name));
    return mtimeMs < Date.now() - ABANDONED_MS;
  }

  /** Deletes a folder with all its files. */
  async deleteFolder({ name, sessionId }: SpoolFolder): Promise<void> {
    await rm(join(this.#root, name), { recursive: true, force: true });
    this.#forget(sessionId);
  }

  #forget(sessionId: string): void {
    this.#successors.delete(sessionId);
    if (!this.isOpen(sessionId)) this.#ownSessions.delete(sessionId);
  }
}

/** Orders file names by the numbers in them, which gives the recording order. */
const fileOrder = new Intl.Collator('en', { numeric: true });

/** Writes a whole file. `writev` may write fewer bytes than requested, so it is called until all are written. */
function writeWhole(path: string, content: readonly Buffer[]): void {
  const file = openSync(path, 'w', 0o600);
  try {
    let remaining = content.filter(({ length }) => length > 0);
    while (remaining.length > 0) {
      let writtenBytes = writevSync(file, remaining);
      remaining = remaining.flatMap((piece) => {
        const unwritten = piece.subarray(Math.min(writtenBytes, piece.length));
        writtenBytes -= piece.length - unwritten.length;
        return unwritten.length > 0 ? unwritten : [];
      });
    }
  } finally {
    closeSync(file);
  }
}

/** For `catch`: an empty list if a folder does not exist. */
function emptyIfMissing(error: unknown): [] {
  if (codeOf(error) === 'ENOENT') return [];
  throw error;
}
