import {
  type UploadEvent,
  type UploadPhase,
  isFinalUploadPhase,
  uploadMachine,
} from '@/lib/core/assets/upload-state';
import type { TransferReason } from './tus-transfer';
import type { UploadRecord, UploadRecords } from './upload-records';

/** An upload in the queue, as the upload dock shows it. */
export interface UploadEntry {
  readonly id: string;
  readonly name: string;
  /** Size of the file in bytes. */
  readonly size: number;
  /** When the file was changed last, in Unix milliseconds. */
  readonly lastModified: number;
  /** When the file was added to the queue, in Unix milliseconds. */
  readonly addedAt: number;
  readonly phase: UploadPhase;
  /** Number of bytes sent. */
  readonly sent: number;
  /** Transfer rate in bytes per second; null until it is measured. */
  readonly rate: number | null;
  /** Why the upload stopped. */
  readonly reason: TransferReason | null;
  /** Asset whose file this upload replaces; null: the upload creates an asset. */
  readonly replaces: string | null;
  /** Upload target; null while queued. */
  readonly target: UploadRecord['target'];
}

/** @param replaces id of the asset whose file is replaced; null if the file becomes a new asset */
export function createEntry(
  id: string,
  file: File,
  { addedAt, replaces }: Pick<UploadEntry, 'addedAt' | 'replaces'>,
): UploadEntry {
  const { name, size, lastModified } = file;
  const initialState = { phase: 'queued', sent: 0, rate: null, reason: null, target: null } as const;
  return { id, name, size, lastModified, addedAt, replaces, ...initialState };
}

export function restoreEntry(record: UploadRecord, phase: UploadPhase): UploadEntry {
  const { received, ...facts } = record;
  return { ...facts, phase, sent: received ? facts.size : facts.sent, rate: null, reason: null };
}

function recordOfEntry(entry: UploadEntry): UploadRecord {
  const { id, name, size, lastModified, addedAt, sent, replaces, target } = entry;
  const facts = { id, name, size, lastModified, addedAt, sent, replaces, target };
  return { ...facts, received: entry.phase === 'processing' };
}

/** The uploads of a tab, in order. Notifies on each change, and stores uploads that can be resumed after a reload. */
export class UploadList {
  #entries: readonly UploadEntry[] = [];
  readonly #listeners = new Set<() => void>();

  constructor(private readonly records: UploadRecords) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly entries = (): readonly UploadEntry[] => this.#entries;

  find(id: string): UploadEntry | undefined {
    return this.#entries.find((item) => item.id === id);
  }

  put(entry: UploadEntry): void {
    this.#entries = this.find(entry.id)
      ? this.#entries.map((item) => (item.id === entry.id ? entry : item))
      : [...this.#entries, entry];
    this.#notify();
  }

  /** @returns whether the event applies to the current phase of the upload */
  apply(id: string, event: UploadEvent, change: Partial<UploadEntry> = {}): boolean {
    const entry = this.find(id);
    const phase = entry && uploadMachine.nextState(entry.phase, event);
    if (!phase) return false;
    this.put({ ...entry, ...change, phase });
    // Only the tab that sends a file writes its progress.
    if (phase !== 'elsewhere') this.storeRecord(id);
    return true;
  }

  /** Stores the record of an upload; the record of a settled upload is deleted. */
  storeRecord(id: string): void {
    const entry = this.find(id);
    if (!entry || isFinalUploadPhase(entry.phase)) this.records.remove(id);
    else this.records.write(recordOfEntry(entry));
  }

  remove(id: string): void {
    this.#entries = this.#entries.filter((item) => item.id !== id);
    this.records.remove(id);
    this.#notify();
  }

  /** Removes all entries from memory; their stored records stay. */
  clear(): void {
    this.#entries = [];
    this.#notify();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}
