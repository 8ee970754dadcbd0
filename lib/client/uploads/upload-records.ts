import { hourMs } from '@/lib/core/units';
import { z } from 'zod';

/**
 * What this browser remembers of an upload, so that it can go on after a reload. The bytes it remembers not: for them the
 * file has to be chosen again.
 */
const record = z.object({
  id: z.string(),
  name: z.string(),
  size: z.number(),
  lastModified: z.number(),
  sent: z.number(),
  addedAt: z.number(),
  /** Every byte has been received; from here on the task has the progress. */
  received: z.boolean(),
  /** The asset whose file it replaces; null: it becomes a new asset. */
  replaces: z.string().nullable().default(null),
  /** Null until its turn has come. */
  target: z
    .object({ assetId: z.string(), taskId: z.string(), endpoint: z.string(), askedAt: z.number() })
    .nullable(),
});

export type UploadRecord = z.output<typeof record>;

/** The service forgets an upload that was not finished in this time. */
const keptForMs = 12 * hourMs;
const most = 200;

/** The notes of one account in the browser's storage; other tabs read and write them too. */
export class UploadRecords {
  readonly #prefix: string;

  constructor(
    /** Read lazily: there is no storage during server rendering. */
    private readonly storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>,
    /** Account of the records. Other accounts in the same browser do not see them. */
    account: string,
  ) {
    this.#prefix = `headwater.upload.${account}.`;
  }

  /** The key of a record; the browser reports changes made in other tabs. */
  idOf(key: string | null): string | null {
    return key?.startsWith(this.#prefix) ? key.slice(this.#prefix.length) : null;
  }

  /** All that can be resumed, the oldest first. Removes expired and unreadable ones. */
  all(now: number): UploadRecord[] {
    const storage = this.storage();
    const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index));
    const records = keys.flatMap((key) => {
      const id = this.idOf(key);
      const record = id === null ? null : this.read(id);
      if (id !== null && (!record || now - record.addedAt > keptForMs)) this.remove(id);
      return record && now - record.addedAt <= keptForMs ? [record] : [];
    });
    return records.sort((a, b) => a.addedAt - b.addedAt).slice(0, most);
  }

  read(id: string): UploadRecord | null {
    const text = this.storage().getItem(this.#prefix + id);
    if (text === null) return null;
    try {
      return record.parse(JSON.parse(text));
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
   * Calls `onHeld` once this tab holds the upload: at once, or when the tab that holds it lets go.
   * @returns how to let go, or to stop waiting
   */
  claim(id: string, onHeld: () => void): () => void;
  isHeld(id: string): Promise<boolean>;
}

const nameOf = (id: string) => `headwater.upload.${id}`;

/** By the browser's locks; where it has none (plain http on another host) every tab thinks that it is alone. */
export function browserClaims(locks: LockManager | undefined): UploadClaims {
  return {
    claim(id, onHeld) {
      if (!locks) {
        onHeld();
        return () => undefined;
      }
      const ending = new AbortController();
      let letGo: () => void = () => undefined;
      const claimLost = new Promise<void>((resolve) => (letGo = resolve));
      locks
        .request(nameOf(id), { signal: ending.signal }, () => {
          onHeld();
          return claimLost;
        })
        // The claim was released before it was granted.
        .catch(() => undefined);
      return () => {
        ending.abort();
        letGo();
      };
    },
    async isHeld(id) {
      const { held: heldLocks = [] } = (await locks?.query()) ?? {};
      return heldLocks.some(({ name }) => name === nameOf(id));
    },
  };
}
