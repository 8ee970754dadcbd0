import { stat, rm } from 'node:fs/promises';
import type { SpoolFolder, SpoolDecision } from '@/lib/core/sessions/recording-spool';
import {
  initPath,
  parseSegmentName,
  sourceFolder,
  periodPath,
  type RecordedSegment,
} from '@/lib/core/sessions/recorded-segment';
import { recordingKey } from '@/lib/core/storage-keys';
import type { Clock } from '@/lib/infra/clock';
import { newId } from '@/lib/infra/ids';
import type { Logger } from '@/lib/infra/logger';
import { StorageError, type StorageDriver } from '@/lib/infra/storage';
import { codeOf } from '@/lib/infra/storage/local-files';
import type { Spool, SpooledFile } from './spool';

/** A session for segments that were found after the recording of their own session (`lateOf`) had been finished. */
export interface LateSession {
  readonly sessionId: string;
  readonly lateOf: string;
  /** Segments of the source, in recording order. */
  readonly segments: readonly RecordedSegment[];
}

/** Database access for the sessions in the spool. */
export interface SpoolSessions {
  /**
   * Delays the completion of the recording by `seconds`, if the recording is not complete yet.
   * @returns the action for the files
   */
  hold(sessionId: string, seconds: number): Promise<SpoolDecision>;
  /** Creates the recording of a session if the database has none. Returns whether the session is recorded. */
  createMissingRecording(sessionId: string): Promise<boolean>;
  /**
   * Marks a session without a recording before its first segment is stored for DVR.
   * @returns whether segments of the session may be stored
   */
  markForDvr(sessionId: string): Promise<boolean>;
  /** Starts a session for late segments; false if the stream was deleted. Idempotent. */
  startLate(late: LateSession): Promise<boolean>;
  /** Allows the session to be finished. Called when all its files are stored. */
  release(sessionId: string): Promise<void>;
}

export interface DrainSpoolOptions {
  readonly spool: Spool;
  readonly storage: Pick<StorageDriver, 'putFile' | 'copy'>;
  readonly sessions: SpoolSessions;
  readonly clock: Clock;
  readonly log: Logger;
  /** Folders of other processes are only drained if they have not changed for this time; absent: without delay. */
  readonly quietMs?: number;
}

/** Concurrent uploads to storage. */
const CONCURRENCY = 8;
/** Timeout for storing one file. */
const PUT_TIMEOUT_MS = 30_000;
/** Time for which a recording waits for files in the spool of a node, after the node was last heard. */
const HOLD_SECONDS = 120;
/**
 * Time for which a decision of the database is valid. With the duration of a pass, it is shorter than the time after which the
 * jobs role considers the spool of a silent live process abandoned, so a process that was frozen asks the database again.
 */
const DECISION_VALID_MS = 10_000;
const PASS_TIMEOUT_MS = 15_000;
/** A pass ends after this many failures, because the storage or the database is unavailable. */
const MAX_ERRORS = 3;

type SessionFile = SpooledFile & { readonly sessionId: string };

/**
 * Moves files from the spool to storage, in passes. A file is removed from the spool once it is stored. Failures are retried in
 * the next pass, by this process or another one, and storing a file twice is harmless.
 */
export class SpoolDrain {
  readonly #options: DrainSpoolOptions;
  /** Monotonic time until which the files of a session may be stored without asking the database again. */
  readonly #storableUntilMs = new Map<string, number>();

  constructor(options: DrainSpoolOptions) {
    this.#options = options;
  }

  /**
   * Runs one pass.
   * @throws the first error of the database or the storage, after all started uploads have ended
   */
  async runPass(): Promise<void> {
    const { clock } = this.#options;
    const passEndMs = clock.monotonic() + PASS_TIMEOUT_MS;
    const folders = await this.#listDrainableFolders();
    const errors: unknown[] = [];
    const fileQueues: Iterator<SessionFile>[] = [];
    for (const folder of folders) {
      if (errors.length >= MAX_ERRORS) break;
      await this.#prepare(folder).then(
        (files) => fileQueues.push(files.map((file) => ({ ...file, sessionId: folder.sessionId })).values()),
        (error: unknown) => errors.push(error),
      );
    }
    const storeFiles = async () => {
      while (errors.length < MAX_ERRORS && clock.monotonic() < passEndMs) {
        const file = takeNext(fileQueues);
        if (!file) return;
        await this.#store(file).catch((error: unknown) => errors.push(error));
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, storeFiles));
    if (errors.length > 0) throw errors[0];
    for (const folder of folders) await this.#finish(folder);
  }

  async #listDrainableFolders(): Promise<SpoolFolder[]> {
    const { spool, clock, quietMs } = this.#options;
    const folders = await spool.listFolders();
    if (quietMs === undefined) return folders;
    const quietSinceMs = clock.now().getTime() - quietMs;
    const drainableFolders: SpoolFolder[] = [];
    for (const folder of folders) {
      const isQuiet = async () => ((await spool.readTouchedAt(folder))?.getTime() ?? Infinity) < quietSinceMs;
      if (spool.isOwn(folder.sessionId) || (await isQuiet())) drainableFolders.push(folder);
    }
    return drainableFolders;
  }

  /** Does what the database decides about a folder, and returns the files that may be stored now. */
  async #prepare(folder: SpoolFolder): Promise<readonly SpooledFile[]> {
    const { spool, sessions } = this.#options;
    const { sessionId, lateOf } = folder;
    const files = await spool.listFiles(folder);
    if (files.length === 0) return [];
    const segments = files.flatMap((file) => parseSourceSegment(file) ?? []);
    if (lateOf !== undefined) {
      if (!(await sessions.startLate({ sessionId, lateOf, segments }))) {
        await this.#deleteFolder(folder);
        return [];
      }
      await this.#copyInits(files, lateOf, sessionId);
    }
    const decision = await this.#decide(sessionId);
    switch (decision) {
      case 'create-recording':
        return segments.length === 0 || (await sessions.createMissingRecording(sessionId)) ? files : [];
      case 'mark-for-dvr':
        return (await sessions.markForDvr(sessionId)) ? files : [];
      case 'store':
        return files;
      case 'wait':
        return [];
      case 'move':
        if (spool.isOpen(sessionId)) return [];
        await this.#moveLate(folder, files);
        return [];
      case 'delete':
        if (!spool.isOpen(sessionId)) await this.#deleteFolder(folder);
        return [];
    }
  }

  async #decide(sessionId: string): Promise<SpoolDecision> {
    const { sessions, clock } = this.#options;
    const now = clock.monotonic();
    if ((this.#storableUntilMs.get(sessionId) ?? now) > now) return 'store';
    const decision = await sessions.hold(sessionId, HOLD_SECONDS);
    if (decision === 'store') this.#storableUntilMs.set(sessionId, now + DECISION_VALID_MS);
    else this.#storableUntilMs.delete(sessionId);
    return decision;
  }

  async #moveLate(folder: SpoolFolder, files: readonly SpooledFile[]): Promise<void> {
    const { spool, log } = this.#options;
    const { sessionId } = folder;
    const successor = spool.successorOf(sessionId);
    log.warn(
      { sessionId, successor, files: files.length },
      'segments arrived after their recording had finished',
    );
    if (successor !== undefined) await this.#copyInits(files, sessionId, successor);
    await spool.moveLate(folder, newId());
  }

  /** Copies the init segments that late segments need in their new session, because the originals belong to the old session. */
  async #copyInits(files: readonly SpooledFile[], oldSessionId: string, newSessionId: string): Promise<void> {
    const neededInits = new Set<string>();
    for (const { file } of files) {
      const [, folder = '', name = ''] = file.split('/');
      const segment = parseSegmentName(name);
      if (!segment) continue;
      neededInits.add(initPath(folder, segment.period)).add(periodPath(folder, segment.period));
    }
    for (const file of neededInits) {
      await this.#options.storage
        .copy(recordingKey(oldSessionId, file), recordingKey(newSessionId, file))
        .catch((error: unknown) => {
          // The init segment is still in the spool.
          if (!(error instanceof StorageError && error.kind === 'missing')) throw error;
        });
    }
  }

  async #store({ path, file, bytes, sessionId }: SessionFile): Promise<void> {
    const { storage, log } = this.#options;
    try {
      if ((await stat(path)).size !== bytes) {
        log.error({ sessionId, file }, 'truncated recorded segment removed');
        await rm(path, { force: true });
        return;
      }
      const signal = AbortSignal.timeout(PUT_TIMEOUT_MS);
      await storage.putFile(recordingKey(sessionId, file), path, { signal });
    } catch (error) {
      // If the file is gone, another process has stored it.
      if (codeOf(error) !== 'ENOENT' || (await stat(path).catch(() => null))) throw error;
    }
  }

  /** Allows a session to be finished once it has no writer and all of its files are stored. */
  async #finish(folder: SpoolFolder): Promise<void> {
    const { spool, sessions } = this.#options;
    const { sessionId } = folder;
    if (spool.isOpen(sessionId) || (await spool.listFiles(folder)).length > 0) return;
    await sessions.release(sessionId);
    this.#storableUntilMs.delete(sessionId);
    await spool.deleteIfEmpty(folder);
  }

  async #deleteFolder(folder: SpoolFolder): Promise<void> {
    const { spool, log } = this.#options;
    log.warn({ sessionId: folder.sessionId }, 'segments removed: their session is over or was deleted');
    await spool.deleteFolder(folder);
  }
}

/** Takes the next item, from one queue after another; null if all are empty. */
function takeNext<T>(queues: Iterator<T>[]): T | null {
  for (let queue = queues.shift(); queue; queue = queues.shift()) {
    const next = queue.next();
    if (next.done) continue;
    queues.push(queue);
    return next.value;
  }
  return null;
}

function parseSourceSegment({ file }: SpooledFile): RecordedSegment | null {
  const [, folder, name = ''] = file.split('/');
  return folder === sourceFolder ? parseSegmentName(name) : null;
}
