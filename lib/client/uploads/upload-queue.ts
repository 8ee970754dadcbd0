import {
  type FileRejection,
  fileRejection,
  isSameFile,
  isFinalUploadPhase,
  isUnsentUpload,
  selectUploadsToStart,
} from '@/lib/core/assets/upload-state';
import type { UploadClaims, UploadRecord, UploadRecords } from './upload-records';
import { UploadList, createEntry, restoreEntry } from './upload-list';
import type { AcceptedMedia } from '@/lib/core/media/media-rules';
import { UploadSender, type UploadSenderDependencies } from './upload-sender';
import type { ServerMessage } from '@/lib/client/server-messages';

export interface UploadQueueDependencies extends UploadSenderDependencies {
  readonly records: UploadRecords;
  readonly claims: UploadClaims;
  /** Files that the server accepts. */
  readonly accept: AcceptedMedia;
  readonly newId: () => string;
}

/** Maximum number of files in the queue. */
export const MAX_FILES = 200;

export type UploadRejection = FileRejection | 'alreadyQueued' | 'tooMany';

/**
 * The uploads of this browser tab. Some are sent concurrently, the others wait. All are stored, so that they can resume
 * after a reload. The state machine is in lib/core/assets/upload-state.ts.
 */
export class UploadQueue {
  readonly #list: UploadList;
  readonly #sender: UploadSender;
  readonly #releaseClaims = new Map<string, () => void>();
  readonly subscribe: UploadList['subscribe'];
  readonly entries: UploadList['entries'];

  constructor(private readonly dependencies: UploadQueueDependencies) {
    this.#list = new UploadList(dependencies.records);
    this.#sender = new UploadSender(this.#list, dependencies, {
      onDone: (id) => this.#release(id),
      onStopped: () => this.#startNext(),
    });
    this.subscribe = this.#list.subscribe;
    this.entries = this.#list.entries;
  }

  /** Restores the unfinished uploads of the last visit. */
  async restore(): Promise<void> {
    for (const record of this.dependencies.records.all(this.dependencies.now()))
      await this.#restoreRecord(record);
  }

  /** Handles a record that another tab wrote or deleted. */
  async onStorageChange(storageKey: string | null): Promise<void> {
    const id = this.dependencies.records.idOf(storageKey);
    if (id === null || this.#sender.has(id)) return;
    const [record, entry] = [this.dependencies.records.read(id), this.#list.find(id)];
    if (!record) {
      if (entry && !isFinalUploadPhase(entry.phase)) this.#remove(id);
    } else if (!entry) await this.#restoreRecord(record);
    else if (entry.phase === 'elsewhere') {
      this.#list.put({ ...entry, sent: record.sent, target: record.target });
      if (record.received) this.#list.apply(id, 'received');
    } else if (entry.phase === 'detached' && (await this.dependencies.claims.isHeld(id))) {
      if (this.#list.apply(id, 'taken_elsewhere')) this.#watch(id);
    }
  }

  /**
   * Adds files. A file of a detached upload resumes that upload.
   * @returns the files that were not added, and the reasons
   */
  add(files: readonly File[]): { readonly name: string; readonly reason: UploadRejection }[] {
    const rejections = files.flatMap((file) => this.#addFile(file, null));
    this.#startNext();
    return rejections;
  }

  /**
   * Adds a file that replaces the file of an asset.
   * @returns the file and the reason if it was not added
   */
  replace(assetId: string, file: File): { readonly name: string; readonly reason: UploadRejection }[] {
    const rejections = this.#addFile(file, assetId);
    this.#startNext();
    return rejections;
  }

  /**
   * Resumes an upload with its file.
   * @returns false if it is a different file
   */
  attachFile(id: string, file: File): boolean {
    const entry = this.#list.find(id);
    if (entry?.phase !== 'detached' || !isSameFile(entry, file)) return false;
    this.#sender.hold(id, file);
    this.#claim(id);
    this.resume(id);
    return true;
  }

  pause(id: string): void {
    if (!this.#list.apply(id, 'paused', { rate: null })) return;
    this.#sender.stop(id, false);
    this.#startNext();
  }

  /** Resumes a paused upload, or retries an interrupted one. */
  resume(id: string): void {
    if (!this.#sender.has(id)) return;
    this.#list.apply(id, 'resumed', { reason: null });
    this.#startNext();
  }

  /** Resumes interrupted uploads when the network is back. */
  resumeInterrupted(): void {
    for (const { id, phase } of this.entries()) if (phase === 'broken') this.resume(id);
  }

  /** Cancels an upload and deletes its record and its bytes on the server. */
  cancel(id: string): void {
    const entry = this.#list.find(id);
    if (!entry || !isUnsentUpload(entry.phase) || entry.phase === 'elsewhere') return;
    this.#sender.stop(id, true);
    this.#remove(id);
    if (entry.target) this.#sender.discard(entry.target, entry);
    this.#startNext();
  }

  /** Records the result of processing after all bytes were sent. */
  settle(id: string, outcome: 'completed' | 'rejected', reason: string | ServerMessage | null = null): void {
    this.#list.apply(id, outcome, { reason });
  }

  /** Removes a settled upload from the list; without an id, all settled uploads. */
  dismiss(id?: string): void {
    const settledUploads = this.entries().filter(({ phase }) => isFinalUploadPhase(phase));
    for (const upload of settledUploads) if (id === undefined || id === upload.id) this.#remove(upload.id);
  }

  /** Closes the queue when the page closes or another user signs in; the bytes that were sent stay on the server. */
  close(): void {
    for (const { id } of this.entries()) this.#sender.stop(id, false);
    for (const releaseClaim of this.#releaseClaims.values()) releaseClaim();
    this.#releaseClaims.clear();
    this.#list.clear();
  }

  #addFile(file: File, replaces: string | null) {
    const reason = this.#enqueue(file, replaces);
    return reason === null ? [] : [{ name: file.name, reason }];
  }

  #enqueue(file: File, replaces: string | null): UploadRejection | null {
    const rejection = fileRejection(file, this.dependencies.accept);
    if (rejection !== null) return rejection;
    const existingUpload = this.entries().find(
      (upload) => isUnsentUpload(upload.phase) && upload.replaces === replaces && isSameFile(upload, file),
    );
    if (existingUpload) return this.attachFile(existingUpload.id, file) ? null : 'alreadyQueued';
    if (this.entries().length >= MAX_FILES) return 'tooMany';
    const entry = createEntry(this.dependencies.newId(), file, {
      addedAt: this.dependencies.now(),
      replaces,
    });
    this.#sender.hold(entry.id, file);
    this.#claim(entry.id);
    this.#list.put(entry);
    this.#list.storeRecord(entry.id);
    return null;
  }

  async #restoreRecord(record: UploadRecord): Promise<void> {
    const isHeldElsewhere = !record.received && (await this.dependencies.claims.isHeld(record.id));
    if (this.#list.find(record.id)) return;
    const phaseOfUnsent = isHeldElsewhere ? 'elsewhere' : 'detached';
    this.#list.put(restoreEntry(record, record.received ? 'processing' : phaseOfUnsent));
    if (isHeldElsewhere) this.#watch(record.id);
  }

  /** Claims an upload while this tab has its file, so that other tabs do not send it. */
  #claim(id: string): void {
    this.#releaseClaims.set(
      id,
      this.dependencies.claims.claim(id, () => undefined),
    );
  }

  /** Waits until the tab that sends an upload has finished or closed; then any tab may resume it. */
  #watch(id: string): void {
    const whenHeld = new Promise<void>((resolve) =>
      this.#releaseClaims.set(id, this.dependencies.claims.claim(id, resolve)),
    );
    void whenHeld.then(() => {
      if (this.#list.find(id)?.phase !== 'elsewhere') return;
      this.#releaseClaim(id);
      const record = this.dependencies.records.read(id);
      if (!record) this.#remove(id);
      else this.#list.apply(id, record.received ? 'received' : 'handed_over', { sent: record.sent });
    });
  }

  #releaseClaim(id: string): void {
    this.#releaseClaims.get(id)?.();
    this.#releaseClaims.delete(id);
  }

  #startNext(): void {
    for (const { id } of selectUploadsToStart(this.entries())) {
      this.#list.apply(id, 'taken');
      void this.#sender.start(id);
    }
  }

  /** Releases the file and the claim of an upload, and starts the next upload. */
  #release(id: string): void {
    this.#sender.release(id);
    this.#releaseClaim(id);
    this.#startNext();
  }

  #remove(id: string): void {
    this.#list.remove(id);
    this.#release(id);
  }
}
