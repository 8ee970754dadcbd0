import type { UploadPhase } from '@/lib/core/upload-state';
import type { UploadRecord } from './upload-records';

/** One file in the queue, as the dock shows it. */
export interface UploadEntry {
  readonly id: string;
  /** Of the file. */
  readonly name: string;
  readonly size: number;
  readonly lastModified: number;
  readonly addedAt: number;
  readonly phase: UploadPhase;
  /** Bytes. */
  readonly sent: number;
  /** Bytes a second; null while it is not known. */
  readonly rate: number | null;
  /** Why it stopped. */
  readonly reason: string | null;
  /** Where it goes; null until its turn has come. */
  readonly target: UploadRecord['target'];
}

export function entryOfFile(id: string, file: File, addedAt: number): UploadEntry {
  const { name, size, lastModified } = file;
  const fresh = { phase: 'queued', sent: 0, rate: null, reason: null, target: null } as const;
  return { id, name, size, lastModified, addedAt, ...fresh };
}

export function entryOfRecord(record: UploadRecord, phase: UploadPhase): UploadEntry {
  const { received, ...facts } = record;
  return { ...facts, phase, sent: received ? facts.size : facts.sent, rate: null, reason: null };
}

export function recordOfEntry(entry: UploadEntry): UploadRecord {
  const { id, name, size, lastModified, addedAt, sent, target } = entry;
  return { id, name, size, lastModified, addedAt, sent, target, received: entry.phase === 'processing' };
}
