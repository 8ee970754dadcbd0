import { HOUR_MS } from '@/lib/core/units';

/**
 * The stored record of an upload, from which the upload resumes after a reload. Browsers store no file contents, so the
 * user has to choose the file again.
 */
export interface UploadRecord {
  readonly id: string;
  readonly name: string;
  /** Bytes of the file. */
  readonly size: number;
  /** Modification time of the file, in Unix milliseconds. */
  readonly lastModified: number;
  /** Bytes that were sent. */
  readonly sent: number;
  /** When the file was added, in Unix milliseconds. */
  readonly addedAt: number;
  /** Whether every byte has been received; progress then comes from the task. */
  readonly received: boolean;
  /** Asset whose file this upload replaces; null: the upload creates an asset. */
  readonly replaces: string | null;
  /** Upload target; null while the upload is queued. */
  readonly target: UploadRecordTarget | null;
}

/** Where a file is sent. */
interface UploadRecordTarget {
  readonly assetId: string;
  readonly taskId: string;
  /** Upload URL. */
  readonly endpoint: string;
  /** When the upload URL was requested, in Unix milliseconds. */
  readonly askedAt: number;
}

const textFields = ['id', 'name'] as const;
const numberFields = ['size', 'lastModified', 'sent', 'addedAt'] as const;
const targetTextFields = ['assetId', 'taskId', 'endpoint'] as const;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const isTarget = (value: unknown): value is UploadRecordTarget =>
  isObject(value) &&
  targetTextFields.every((key) => typeof value[key] === 'string') &&
  typeof value['askedAt'] === 'number';

/** The storage may hold anything: every field is checked. */
const isRecord = (value: unknown): value is UploadRecord =>
  isObject(value) &&
  textFields.every((key) => typeof value[key] === 'string') &&
  numberFields.every((key) => typeof value[key] === 'number') &&
  typeof value['received'] === 'boolean' &&
  (value['replaces'] === null || typeof value['replaces'] === 'string') &&
  (value['target'] === null || isTarget(value['target']));

/** The service deletes an upload that is not finished within this time. */
const RECORD_LIFETIME_MS = 12 * HOUR_MS;
const MAX_RECORDS = 200;

/** The upload records of one account in the storage of the browser, which other tabs read and write. */
export class UploadRecords {
  readonly #prefix: string;

  constructor(
    /** A function, because server rendering has no storage. */
    private readonly storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>,
    /** Account of the records. Other accounts in the same browser do not see them. */
    account: string,
  ) {
    this.#prefix = `headwater.upload.${account}.`;
  }

  /** The upload id in a storage key; null for other keys. The browser reports the keys that other tabs change. */
  idOf(key: string | null): string | null {
    return key?.startsWith(this.#prefix) ? key.slice(this.#prefix.length) : null;
  }

  /** All uploads that can be resumed, oldest first. Deletes expired and unreadable records. */
  all(now: number): UploadRecord[] {
    const storage = this.storage();
    const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index));
    const records = keys.flatMap((key) => {
      const id = this.idOf(key);
      const record = id === null ? null : this.read(id);
      if (id !== null && (!record || now - record.addedAt > RECORD_LIFETIME_MS)) this.remove(id);
      return record && now - record.addedAt <= RECORD_LIFETIME_MS ? [record] : [];
    });
    return records.sort((a, b) => a.addedAt - b.addedAt).slice(0, MAX_RECORDS);
  }

  read(id: string): UploadRecord | null {
    const text = this.storage().getItem(this.#prefix + id);
    if (text === null) return null;
    try {
      const value: unknown = JSON.parse(text);
      // Earlier versions stored no `replaces`.
      const record = isObject(value) ? { replaces: null, ...value } : value;
      return isRecord(record) ? record : null;
    } catch {
      return null;
    }
  }

  write(entry: UploadRecord): void {
    try {
      this.storage().setItem(this.#prefix + entry.id, JSON.stringify(entry));
    } catch {
      // Storage is full or forbidden: the upload continues, but can't be resumed after a reload.
    }
  }

  remove(id: string): void {
    this.storage().removeItem(this.#prefix + id);
  }
}

/** Claims of tabs on uploads. A claim ends with its tab. */
export interface UploadClaims {
  /**
   * Calls `onHeld` once this tab holds the upload: immediately, or when the holding tab releases it.
   * @returns a function that releases the claim, or stops waiting for it
   */
  claim(id: string, onHeld: () => void): () => void;
  isHeld(id: string): Promise<boolean>;
}

const lockNameOf = (id: string) => `headwater.upload.${id}`;

/** Claims with the Web Locks API. Without that API (plain http on another host) every tab assumes that it is alone. */
export function browserClaims(locks: LockManager | undefined): UploadClaims {
  return {
    claim(id, onHeld) {
      if (!locks) {
        onHeld();
        return () => undefined;
      }
      const controller = new AbortController();
      let releaseLock: () => void = () => undefined;
      const whenReleased = new Promise<void>((resolve) => (releaseLock = resolve));
      locks
        .request(lockNameOf(id), { signal: controller.signal }, () => {
          onHeld();
          return whenReleased;
        })
        // The claim was released before it was granted.
        .catch(() => undefined);
      return () => {
        controller.abort();
        releaseLock();
      };
    },
    async isHeld(id) {
      const { held: heldLocks = [] } = (await locks?.query()) ?? {};
      return heldLocks.some(({ name }) => name === lockNameOf(id));
    },
  };
}
