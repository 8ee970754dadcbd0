import type { ApiCallError } from '@/lib/client/call';
import type { TransferEvents } from '@/lib/client/uploads/tus-transfer';
import type { UploadTarget } from '@/lib/client/uploads/upload-sender';

/** The storage of a browser, shared by its tabs. */
export class FakeStorage {
  readonly #items = new Map<string, string>();
  get length() {
    return this.#items.size;
  }
  key = (index: number) => [...this.#items.keys()][index] ?? null;
  getItem = (key: string) => this.#items.get(key) ?? null;
  setItem = (key: string, value: string) => void this.#items.set(key, value);
  removeItem = (key: string) => void this.#items.delete(key);
}

/** The locks of a browser: each has one holder and a queue of waiting requests. */
export class FakeLocks {
  readonly #requests = new Map<string, (() => void)[]>();
  claim = (id: string, onHeld: () => void): (() => void) => {
    const requests = this.#requests.get(id) ?? [];
    this.#requests.set(id, requests);
    requests.push(onHeld);
    if (requests.length === 1) onHeld();
    return () => {
      const index = requests.indexOf(onHeld);
      if (index >= 0) requests.splice(index, 1);
      if (index === 0) requests[0]?.();
    };
  };
  isHeld = (id: string) => Promise.resolve((this.#requests.get(id)?.length ?? 0) > 0);
}

/** The server of the test: the requests it received, and the response it sends. */
export class FakeServer {
  /** `stopped`: whether the bytes on the server were kept (`paused`) or `deleted`; null: the transfer was not stopped. */
  readonly transfers: { name: string; taskId: string; events: TransferEvents; stopped: string | null }[] = [];
  /** Ids of deleted assets, and of the tasks of cancelled replacements. */
  readonly discardedIds: string[] = [];
  /** Error of the next requests for an upload URL; null: they succeed. */
  rejection: ApiCallError | null = null;
  /** Number of requests for an upload URL. */
  requestCount = 0;
  /** Asset whose file is replaced, for each of these requests; null: a new asset. */
  readonly replacedAssetIds: (string | null)[] = [];
  requestTarget = async ({ replaces }: { readonly replaces: string | null }): Promise<UploadTarget> => {
    this.requestCount += 1;
    this.replacedAssetIds.push(replaces);
    const number = this.requestCount;
    await Promise.resolve();
    if (this.rejection) throw this.rejection;
    return { assetId: `asset-${number}`, taskId: `task-${number}`, endpoint: `/tus/${number}`, askedAt: 0 };
  };
  lastTransfer() {
    const lastTransfer = this.transfers.at(-1);
    if (!lastTransfer) throw new Error('nothing is being sent');
    return lastTransfer;
  }
}
