import { closeSync, mkdirSync, openSync, renameSync, rmSync, writevSync } from 'node:fs';
import { mkdir, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  lateFolderName,
  parseSpoolFolder,
  parseSpoolName,
  spoolName,
  type SpoolFolder,
} from '@/lib/core/recordings/recording-spool';
import { codeOf } from '@/lib/infra/storage/local-files';

/** A file of a recording, by its name below the recording's prefix. */
export interface RecordedFile {
  readonly file: string;
  readonly body: readonly Buffer[];
}

/** A file that waits to be stored. */
export interface SpooledFile {
  readonly path: string;
  readonly file: string;
  /** Its length when it was written; a different one means it is truncated. */
  readonly bytes: number;
}

/** Files that are being written; the name of their process follows. */
const partialPrefix = '.part-';
/** Writing a segment takes less: the process of an older one was killed. */
const abandonedMs = 30_000;

/**
 * Recorded files on their way to the storage, below `DATA_DIR/spool`: one folder a session. What is written is in the
 * page cache when `write` returns, so it outlives this process; the storage and the database have no part in it.
 */
export class Spool {
  readonly #root: string;
  readonly #partialFiles: string;
  /** How many recordings of this process write to a session. */
  readonly #writers = new Map<string, number>();
  /** Sessions of which this process wrote something that may still be here. */
  readonly #own = new Set<string>();
  /** Sessions whose publish continued in another one. */
  readonly #successors = new Map<string, string>();

  /** @param owner name of this process, which no other one of this DATA_DIR has */
  constructor(dataDir: string, owner = 'live') {
    this.#root = join(dataDir, 'spool');
    this.#partialFiles = `${partialPrefix}${owner}.`;
  }

  /** Where its disk is looked at. */
  get path(): string {
    return this.#root;
  }

  /** A recording of this process starts writing. */
  enter(sessionId: string): void {
    this.#own.add(sessionId);
    this.#writers.set(sessionId, (this.#writers.get(sessionId) ?? 0) + 1);
  }

  leave(sessionId: string): void {
    const writersLeft = (this.#writers.get(sessionId) ?? 0) - 1;
    if (writersLeft > 0) this.#writers.set(sessionId, writersLeft);
    else this.#writers.delete(sessionId);
  }

  /** Whether this process still writes to it. */
  isOpen(sessionId: string): boolean {
    return this.#writers.has(sessionId);
  }

  /** Whether this process wrote, or still writes, to it. */
  isOwn(sessionId: string): boolean {
    return this.#own.has(sessionId);
  }

  /** Late segments of `sessionId` belong to the session in which its publish continues. */
  setSuccessor(sessionId: string, successor: string): void {
    this.#successors.set(sessionId, successor);
  }

  successorOf(sessionId: string): string | undefined {
    return this.#successors.get(sessionId);
  }

  /**
   * Writes a file as a whole. It blocks for as long as copying to the page cache takes, so that a segment is here before
   * any viewer can have asked for it.
   * @throws what the file system says
   */
  write(sessionId: string, { file, body }: RecordedFile): void {
    const folder = join(this.#root, sessionId);
    const name = spoolName({ file, bytes: body.reduce((sum, { length }) => sum + length, 0) });
    const part = join(folder, `${this.#partialFiles}${name}`);
    try {
      writeWhole(part, body);
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') {
        rmSync(part, { force: true });
        throw error;
      }
      mkdirSync(folder, { recursive: true });
      writeWhole(part, body);
    }
    renameSync(part, join(folder, name));
  }

  /** Folders of sessions of which something may still have to be stored. */
  async folders(): Promise<SpoolFolder[]> {
    const entries = await readdir(this.#root, { withFileTypes: true }).catch(nothingWhenMissing);
    return entries.flatMap((entry) => (entry.isDirectory() ? (parseSpoolFolder(entry.name) ?? []) : []));
  }

  /** Sessions that wait for files of this disk. */
  async sessionIds(): Promise<string[]> {
    return (await this.folders()).map(({ sessionId }) => sessionId);
  }

  /** What segments need comes first, then segments in the order of their recording. */
  async filesOf({ name: folder }: SpoolFolder): Promise<SpooledFile[]> {
    const names = await readdir(join(this.#root, folder)).catch(nothingWhenMissing);
    return names
      .toSorted((a, b) => Number(a.includes('.m4s')) - Number(b.includes('.m4s')) || order.compare(a, b))
      .flatMap((name) => {
        const spoolName = parseSpoolName(name);
        return spoolName ? { path: join(this.#root, folder, name), ...spoolName } : [];
      });
  }

  /** When something was last added to the folder or taken from it; null when it is gone. */
  async touchedAt({ name }: SpoolFolder): Promise<Date | null> {
    return (await stat(join(this.#root, name)).catch(() => null))?.mtime ?? null;
  }

  /**
   * The recording was finished without what is in this folder: it goes to the session in which the publish went on, or
   * to `newSessionId`. Nothing happens when another process was faster.
   */
  async moveLate({ name, sessionId }: SpoolFolder, newSessionId: string): Promise<void> {
    const successor = this.#successors.get(sessionId);
    const from = join(this.#root, name);
    const to = join(this.#root, successor ?? lateFolderName(newSessionId, sessionId));
    try {
      if (successor === undefined) {
        await rename(from, to);
        return;
      }
      await mkdir(to, { recursive: true });
      for (const file of await readdir(from)) await rename(join(from, file), join(to, file));
      await rmdir(from);
    } catch (error) {
      if (!['ENOENT', 'ENOTEMPTY'].includes(codeOf(error) ?? '')) throw error;
    }
  }

  /** Removes a folder with nothing in it to store. @returns false when something was added meanwhile */
  async removeEmpty({ name, sessionId }: SpoolFolder): Promise<boolean> {
    const folder = join(this.#root, name);
    try {
      for (const name of await readdir(folder))
        if (await this.#isAbandoned(folder, name)) await rm(join(folder, name), { force: true });
      await rmdir(folder);
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') return false;
    }
    this.#forget(sessionId);
    return true;
  }

  /** Whether a file will never be finished: what this process writes is finished when `write` returns. */
  async #isAbandoned(folder: string, name: string): Promise<boolean> {
    if (name.startsWith(this.#partialFiles)) return true;
    if (!name.startsWith(partialPrefix)) return false;
    const { mtimeMs } = await stat(join(folder, name));
    return mtimeMs < Date.now() - abandonedMs;
  }

  /** Removes a folder whatever is in it. */
  async discard({ name, sessionId }: SpoolFolder): Promise<void> {
    await rm(join(this.#root, name), { recursive: true, force: true });
    this.#forget(sessionId);
  }

  #forget(sessionId: string): void {
    this.#successors.delete(sessionId);
    if (!this.isOpen(sessionId)) this.#own.delete(sessionId);
  }
}

/** Numbers in names as numbers, so that segments are in the order of their recording. */
const order = new Intl.Collator('en', { numeric: true });

function writeWhole(path: string, body: readonly Buffer[]): void {
  const file = openSync(path, 'w', 0o600);
  try {
    let remaining = body.filter(({ length }) => length > 0);
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

function nothingWhenMissing(error: unknown): [] {
  if (codeOf(error) === 'ENOENT') return [];
  throw error;
}
