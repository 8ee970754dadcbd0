import { SingleFlight } from '@/lib/core/single-flight';
import { addTransferSample, transferRate, type TransferSample } from '@/lib/core/media/transfer-rate';
import { ApiCallError } from '@/lib/client/call';
import type { UploadEntry, UploadList } from './upload-list';
import type { UploadRecord } from './upload-records';
import type { StartTransfer, Transfer, TransferReason } from './tus-transfer';

export type UploadTarget = NonNullable<UploadRecord['target']>;

export interface UploadSenderDependencies {
  readonly startTransfer: StartTransfer;
  /**
   * Creates the asset that waits for the file, or starts the replacement of the file of an asset.
   * @throws ApiCallError
   */
  readonly requestTarget: (upload: Pick<UploadEntry, 'name' | 'replaces'>) => Promise<UploadTarget>;
  /** Deletes the asset that waits for a file, or cancels the replacement. */
  readonly discard: (target: UploadTarget, upload: Pick<UploadEntry, 'replaces'>) => Promise<void>;
  /** Current Unix time in milliseconds. */
  readonly now: () => number;
}

interface SenderEvents {
  /** The file is no longer needed: it was received or rejected. */
  onDone: (id: string) => void;
  /** Called when an upload was interrupted and its slot is free. */
  onStopped: () => void;
}

/** Intervals at which progress is shown and stored. */
const PROGRESS_INTERVAL_MS = 200;
const STORE_INTERVAL_MS = 2_000;

/** A file that this tab can send. */
interface HeldFile {
  readonly file: File;
  /** The running transfer; null without one. */
  transfer: Transfer | null;
  samples: TransferSample[];
  /** When the progress was last shown, and last stored, in Unix milliseconds. */
  shownAt: number;
  storedAt: number;
}

/** Holds the files of a tab, and sends those that have a slot. */
export class UploadSender {
  readonly #files = new Map<string, HeldFile>();
  readonly #targetRequests = new SingleFlight<UploadTarget | null>();

  constructor(
    private readonly list: UploadList,
    private readonly dependencies: UploadSenderDependencies,
    private readonly events: SenderEvents,
  ) {}

  has(id: string): boolean {
    return this.#files.has(id);
  }

  hold(id: string, file: File): void {
    this.#files.set(id, { file, transfer: null, samples: [], shownAt: 0, storedAt: 0 });
  }

  release(id: string): void {
    this.#files.delete(id);
  }

  /** Sends an upload in phase `uploading`, after requesting an upload URL if it has none. */
  async start(id: string): Promise<void> {
    const target = await this.#ensureTarget(id);
    const heldFile = this.#files.get(id);
    // The upload was paused, cancelled or restarted during the request.
    if (!heldFile || !target || heldFile.transfer || this.list.find(id)?.phase !== 'uploading') return;
    heldFile.samples = [];
    heldFile.transfer = this.dependencies.startTransfer(heldFile.file, target.taskId, target.endpoint, {
      onProgress: (bytes) => this.#onProgress(id, heldFile, bytes),
      onReceived: () => {
        this.list.apply(id, 'received', { sent: heldFile.file.size, rate: null });
        this.events.onDone(id);
      },
      onEnd: (end, reason) => {
        heldFile.transfer = null;
        if (end === 'rejected') this.#reject(id, reason);
        else this.#interrupt(id, reason, end === 'expired');
      },
    });
  }

  /** @param deleteUpload whether the bytes on the server are deleted: the upload will not be resumed */
  stop(id: string, deleteUpload: boolean): void {
    const heldFile = this.#files.get(id);
    heldFile?.transfer?.stop(deleteUpload);
    if (heldFile) heldFile.transfer = null;
  }

  discard(target: UploadTarget, upload: Pick<UploadEntry, 'replaces'>): void {
    // The service deletes assets whose file never arrives.
    void this.dependencies.discard(target, upload).catch(() => undefined);
  }

  /** The upload target of an upload. It is requested once, even if the upload is paused and resumed during the request. */
  #ensureTarget(id: string): Promise<UploadTarget | null> {
    const entry = this.list.find(id);
    if (!entry || entry.target) return Promise.resolve(entry?.target ?? null);
    return this.#targetRequests.run(id, () => this.#requestTarget(entry));
  }

  async #requestTarget(entry: UploadEntry): Promise<UploadTarget | null> {
    const { id } = entry;
    try {
      const target = await this.dependencies.requestTarget(entry);
      const currentEntry = this.list.find(id);
      if (!currentEntry) {
        this.discard(target, entry);
        return null;
      }
      this.list.put({ ...currentEntry, target });
      this.list.storeRecord(id);
      return target;
    } catch (error) {
      const { status, message } =
        error instanceof ApiCallError ? error : new ApiCallError(0, [String(error)]);
      // A rate limit or an ended session is temporary; other rejections are final.
      if (status >= 400 && status < 500 && status !== 429 && status !== 401) this.#reject(id, message);
      else this.#interrupt(id, message, false);
      return null;
    }
  }

  #onProgress(id: string, heldFile: HeldFile, bytes: number): void {
    const entry = this.list.find(id);
    if (entry?.phase !== 'uploading') return;
    const measuredAt = this.dependencies.now();
    heldFile.samples = addTransferSample(heldFile.samples, { atMs: measuredAt, bytes });
    if (measuredAt - heldFile.shownAt < PROGRESS_INTERVAL_MS && bytes < entry.size) return;
    heldFile.shownAt = measuredAt;
    this.list.put({ ...entry, sent: bytes, rate: transferRate(heldFile.samples) });
    if (measuredAt - heldFile.storedAt < STORE_INTERVAL_MS) return;
    heldFile.storedAt = measuredAt;
    this.list.storeRecord(id);
  }

  #interrupt(id: string, reason: TransferReason, isRestart: boolean): void {
    this.list.apply(id, 'interrupted', {
      reason,
      rate: null,
      ...(isRestart ? { target: null, sent: 0 } : {}),
    });
    this.events.onStopped();
  }

  #reject(id: string, reason: TransferReason): void {
    this.list.apply(id, 'rejected', { reason, rate: null });
    this.events.onDone(id);
  }
}
