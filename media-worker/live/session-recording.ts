import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@/lib/infra/logger';
import type { StorageDriver } from '@/lib/infra/storage';
import { segmentFileOf, stretchFilesOf, stretchOf } from './recorded-files';
import type { Rendition } from './rendition';
import { SegmentStore } from './segment-store';
import type { WindowSegment } from './window-segment';

/** What the database is told of a recording. */
export interface RecordingBook {
  trouble(sessionId: string, reason: string): Promise<void>;
  /** Segments are still on their way after the publish, or not any more. */
  hold(sessionId: string, held: boolean): Promise<void>;
}

export interface SessionRecordingOptions {
  readonly sessionId: string;
  readonly storage: Pick<StorageDriver, 'put'>;
  readonly book: RecordingBook;
  readonly log: Logger;
  /** `trouble` changed. */
  readonly changed: () => void;
}

const tellAgainMs = 2_000;
const mostTellings = 30;

/** What this process stores of one session. */
export class SessionRecording {
  readonly #options: SessionRecordingOptions;
  readonly #store: SegmentStore;
  /** Init segments that are stored or on their way. */
  readonly #begun = new Set<string>();
  #trouble: string | null = null;
  #finished: Promise<void> | null = null;

  constructor(options: SessionRecordingOptions) {
    this.#options = options;
    const { storage, log } = options;
    this.#store = new SegmentStore({ storage, log, onFailed: (reason) => this.#onFailed(reason) });
  }

  get sessionId(): string {
    return this.#options.sessionId;
  }

  get failed(): boolean {
    return this.#store.failed;
  }

  /** Why it stopped. */
  get trouble(): string | null {
    return this.#trouble;
  }

  add({ name, window }: Pick<Rendition, 'name' | 'window'>, segment: WindowSegment): void {
    if (this.#finished) return;
    const { sessionId } = this;
    const begun = `${name}/${stretchOf(segment)}`;
    if (!this.#begun.has(begun)) {
      this.#begun.add(begun);
      for (const file of stretchFilesOf(sessionId, name, segment, window)) this.#store.add(file);
    }
    this.#store.add(segmentFileOf(sessionId, name, segment));
  }

  fail(reason: string): void {
    this.#store.fail(reason);
  }

  /** Nothing is added any more. Resolves when everything is stored; until then nobody makes the files of it. */
  finish(): Promise<void> {
    return (this.#finished ??= this.#finish());
  }

  async #finish(): Promise<void> {
    if (!this.#store.busy) return;
    const hold = (held: boolean) => this.#options.book.hold(this.sessionId, held).catch(() => undefined);
    const holding = hold(true);
    await this.#store.drained();
    await holding;
    await hold(false);
  }

  #onFailed(reason: string): void {
    this.#trouble = reason;
    this.#options.log.error({ sessionId: this.sessionId, reason }, 'recording stopped');
    this.#options.changed();
    void this.#tell(reason);
  }

  /** The database may be away at the moment the disk is full. */
  async #tell(reason: string): Promise<void> {
    for (let telling = 0; telling < mostTellings; telling++) {
      try {
        await this.#options.book.trouble(this.sessionId, reason);
        return;
      } catch {
        await delay(tellAgainMs, undefined, { ref: false });
      }
    }
  }
}
