import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@/lib/infra/logger';
import { isFull } from '@/lib/infra/storage/disk-space';
import type { Spool } from '../recording/spool';
import { segmentFileOf, periodFilesOf, periodOf } from './recorded-files';
import type { Rendition } from './rendition';
import type { WindowSegment } from './window-segment';

/** Writes the state of a recording to the database. */
export interface RecordingBook {
  trouble(sessionId: string, reason: string): Promise<void>;
}

/** Where what is recorded is written. */
export type RecordingSpool = Pick<Spool, 'enter' | 'leave' | 'write' | 'succeed'>;

export interface SessionRecordingOptions {
  readonly sessionId: string;
  readonly spool: RecordingSpool;
  readonly book: RecordingBook;
  readonly log: Logger;
  /** `trouble` changed. */
  readonly changed: () => void;
}

const repeatMs = 2_000;
const mostTellings = 30;

/** What this process records of one session. */
export class SessionRecording {
  readonly #options: SessionRecordingOptions;
  /** Init segments that are in the spool. */
  readonly #begun = new Set<string>();
  #trouble: string | null = null;
  #finished = false;

  constructor(options: SessionRecordingOptions) {
    this.#options = options;
    options.spool.enter(options.sessionId);
  }

  get sessionId(): string {
    return this.#options.sessionId;
  }

  get failed(): boolean {
    return this.#trouble !== null;
  }

  /** Why it stopped. */
  get trouble(): string | null {
    return this.#trouble;
  }

  /** When this returns, the segment is in the recording, whatever becomes of this process. */
  add({ name, window }: Pick<Rendition, 'name' | 'window'>, segment: WindowSegment): void {
    if (this.#finished || this.failed) return;
    const { sessionId, spool } = this.#options;
    try {
      const begun = `${name}/${periodOf(segment)}`;
      if (!this.#begun.has(begun)) {
        for (const file of periodFilesOf(name, segment, window)) spool.write(sessionId, file);
        this.#begun.add(begun);
      }
      spool.write(sessionId, segmentFileOf(name, segment));
    } catch (error) {
      this.#options.log.error({ err: error, sessionId }, 'recorded segment not written');
      this.fail(
        isFull(error)
          ? 'The disk is full: recording stopped.'
          : 'The recording could not be written to disk.',
      );
    }
  }

  fail(reason: string): void {
    if (this.failed) return;
    this.#trouble = reason;
    this.#options.log.error({ sessionId: this.sessionId, reason }, 'recording stopped');
    this.#options.changed();
    void this.#tell(reason);
  }

  /** No more segments follow. */
  finish(): void {
    if (this.#finished) return;
    this.#finished = true;
    this.#options.spool.leave(this.sessionId);
  }

  /** The database may be away at the moment the disk is full. */
  async #tell(reason: string): Promise<void> {
    for (let telling = 0; telling < mostTellings; telling++) {
      try {
        await this.#options.book.trouble(this.sessionId, reason);
        return;
      } catch {
        await delay(repeatMs, undefined, { ref: false });
      }
    }
  }
}
