import { SingleFlight } from '@/lib/core/single-flight';
import { addSample, transferRate, type TransferSample } from '@/lib/core/media/transfer-rate';
import { ApiError } from '@/lib/client/call';
import type { UploadEntry, UploadList } from './upload-list';
import type { UploadRecord } from './upload-records';
import type { StartTransfer, Transfer, TransferReason } from './tus-transfer';

export type UploadTarget = NonNullable<UploadRecord['target']>;

export interface UploadSenderParts {
  readonly startTransfer: StartTransfer;
  /** Creates the asset that waits for the file, or starts the replacement of its file. @throws ApiError */
  readonly ask: (upload: Pick<UploadEntry, 'name' | 'replaces'>) => Promise<UploadTarget>;
  /** Deletes an asset whose file will not come, or cancels its replacement. */
  readonly discard: (target: UploadTarget, upload: Pick<UploadEntry, 'replaces'>) => Promise<void>;
  /** Current Unix time in milliseconds. */
  readonly now: () => number;
}

interface SenderEvents {
  /** The file is no longer needed: it was received or rejected. */
  onDone: (id: string) => void;
  /** Called when the upload was stopped. */
  onStopped: () => void;
}

/** Period in which progress is shown and stored. */
const showEveryMs = 200;
const noteEveryMs = 2_000;

interface HeldFile {
  readonly file: File;
  transfer: Transfer | null;
  samples: TransferSample[];
  shownAt: number;
  notedAt: number;
}

/** Holds the files of a tab, and sends those that have a slot. */
export class UploadSender {
  readonly #files = new Map<string, HeldFile>();
  readonly #targetRequests = new SingleFlight<UploadTarget | null>();

  constructor(
    private readonly list: UploadList,
    private readonly parts: UploadSenderParts,
    private readonly events: SenderEvents,
  ) {}

  has(id: string): boolean {
    return this.#files.has(id);
  }

  hold(id: string, file: File): void {
    this.#files.set(id, { file, transfer: null, samples: [], shownAt: 0, notedAt: 0 });
  }

  release(id: string): void {
    this.#files.delete(id);
  }

  /** Sends an upload in phase `uploading`, after requesting an upload URL if it has none. */
  async start(id: string): Promise<void> {
    const target = await this.#targetOf(id);
    const transfer = this.#files.get(id);
    // The upload was paused, cancelled or restarted during the request.
    if (!transfer || !target || transfer.transfer || this.list.find(id)?.phase !== 'uploading') return;
    transfer.samples = [];
    transfer.transfer = this.parts.startTransfer(transfer.file, target.taskId, target.endpoint, {
      onProgress: (bytes) => this.#sent(id, transfer, bytes),
      onReceived: () => {
        this.list.apply(id, 'received', { sent: transfer.file.size, rate: null });
        this.events.onDone(id);
      },
      onEnd: (end, reason) => {
        transfer.transfer = null;
        if (end === 'refused') this.#refuse(id, reason);
        else this.#interrupt(id, reason, end === 'expired');
      },
    });
  }

  /** @param deleteUpload whether the bytes on the server are deleted: the upload will not be resumed */
  stop(id: string, deleteUpload: boolean): void {
    const transfer = this.#files.get(id);
    transfer?.transfer?.stop(deleteUpload);
    if (transfer) transfer.transfer = null;
  }

  discard(target: UploadTarget, upload: Pick<UploadEntry, 'replaces'>): void {
    // The service deletes assets whose file never arrives.
    void this.parts.discard(target, upload).catch(() => undefined);
  }

  /** Requested once, even if the upload is paused and resumed during the request. */
  #targetOf(id: string): Promise<UploadTarget | null> {
    const entry = this.list.find(id);
    if (!entry || entry.target) return Promise.resolve(entry?.target ?? null);
    return this.#targetRequests.run(id, () => this.#ask(entry));
  }

  async #ask(entry: UploadEntry): Promise<UploadTarget | null> {
    const { id } = entry;
    try {
      const target = await this.parts.ask(entry);
      const current = this.list.find(id);
      if (!current) {
        this.discard(target, entry);
        return null;
      }
      this.list.put({ ...current, target });
      this.list.note(id);
      return target;
    } catch (error) {
      const { status, message } = error instanceof ApiError ? error : new ApiError(0, [String(error)]);
      // A rate limit or an ended session is temporary; other rejections are final.
      if (status >= 400 && status < 500 && status !== 429 && status !== 401) this.#refuse(id, message);
      else this.#interrupt(id, message, false);
      return null;
    }
  }

  #sent(id: string, transfer: HeldFile, bytes: number): void {
    const entry = this.list.find(id);
    if (entry?.phase !== 'uploading') return;
    const at = this.parts.now();
    transfer.samples = addSample(transfer.samples, { at, bytes });
    if (at - transfer.shownAt < showEveryMs && bytes < entry.size) return;
    transfer.shownAt = at;
    this.list.put({ ...entry, sent: bytes, rate: transferRate(transfer.samples) });
    if (at - transfer.notedAt < noteEveryMs) return;
    transfer.notedAt = at;
    this.list.note(id);
  }

  #interrupt(id: string, reason: TransferReason, restart: boolean): void {
    this.list.apply(id, 'interrupted', { reason, rate: null, ...(restart ? { target: null, sent: 0 } : {}) });
    this.events.onStopped();
  }

  #refuse(id: string, reason: TransferReason): void {
    this.list.apply(id, 'refused', { reason, rate: null });
    this.events.onDone(id);
  }
}
