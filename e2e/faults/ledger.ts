import type { Journal } from './journal';

export interface StreamEntry {
  readonly id: string;
  readonly streamKey: string;
  readonly playbackId: string;
  /** The last name that was acknowledged. */
  name: string;
  /** Sent after `name` and not answered yet. */
  pendingName?: string;
  deletion?: 'acknowledged' | 'unknown';
}

export interface AssetEntry {
  readonly id: string;
  readonly name: string;
  readonly origin: 'put' | 'tus' | 'import' | 'transcode';
  /** Of the bytes that were sent; a transcoding has none that are known. */
  readonly sha256?: string;
  /** The service said that it has all bytes. */
  acknowledged: boolean;
  /** The service deleted it, or may have. */
  deletion?: 'acknowledged' | 'unknown';
  audited?: boolean;
}

export interface ExportEntry {
  readonly taskId: string;
  readonly assetId: string;
  /** Name of the upload address on the outside; undefined for IPFS. */
  readonly sink?: string;
  readonly sha256?: string;
  audited?: boolean;
}

/** One segment as a viewer was given it. */
export interface SeenSegment {
  readonly folder: string;
  readonly msn: number;
  readonly seconds: number;
  readonly initUri: string;
  readonly sha256: string;
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/**
 * Everything that the service has acknowledged and everything that viewers were given. It lives outside the service, so no
 * fault can touch it. Each entry is also written to `ledger.jsonl`.
 */
export class Ledger {
  readonly streams = new Map<string, StreamEntry>();
  readonly assets = new Map<string, AssetEntry>();
  readonly webhooks = new Map<string, string>();
  readonly targets = new Map<string, string>();
  readonly exports = new Map<string, ExportEntry>();
  /** Of each stream id, by `<folder>/<media sequence number>`. */
  readonly seen = new Map<string, Map<string, SeenSegment>>();

  constructor(private readonly journal: Journal) {}

  addStream(entry: StreamEntry): void {
    this.streams.set(entry.id, entry);
    this.#write('stream', entry);
  }

  addAsset(entry: AssetEntry): void {
    this.assets.set(entry.id, entry);
    this.#write('asset', entry);
  }

  addWebhook(id: string, name: string): void {
    this.webhooks.set(id, name);
    this.#write('webhook', { id, name });
  }

  addTarget(id: string, name: string): void {
    this.targets.set(id, name);
    this.#write('target', { id, name });
  }

  addExport(entry: ExportEntry): void {
    this.exports.set(entry.taskId, entry);
    this.#write('export', entry);
  }

  /** Call after changing an entry, so that the evidence has it too. */
  changed(entry: StreamEntry | AssetEntry): void {
    this.#write('changed', entry);
  }

  addSeen(streamId: string, segment: SeenSegment): void {
    const ofStream = this.seen.get(streamId) ?? new Map<string, SeenSegment>();
    this.seen.set(streamId, ofStream);
    ofStream.set(`${segment.folder}/${segment.msn}`, segment);
    this.journal.record('seen', { streamId, ...segment });
  }

  #write(kind: string, entry: object): void {
    this.journal.record('ledger', { kind, ...entry });
  }
}
