import type { Journal } from './journal';

export interface StreamEntry {
  readonly id: string;
  readonly streamKey: string;
  /** Stream key of the standby encoder. */
  readonly backupStreamKey?: string;
  readonly playbackId: string;
  /** The last acknowledged name. */
  name: string;
  /** Name in an update that the service has not acknowledged yet. */
  pendingName?: string;
  deletion?: 'acknowledged' | 'unknown';
}

export interface AssetEntry {
  readonly id: string;
  readonly name: string;
  readonly origin: 'put' | 'tus' | 'import' | 'transcode';
  /** Hash of the sent bytes; unknown for a transcoded asset. */
  readonly sha256?: string;
  /** Whether the service has acknowledged all bytes of an upload, or the request of an import or transcode. */
  acknowledged: boolean;
  /** State of a requested deletion. It is `unknown` until the service has acknowledged it. */
  deletion?: 'acknowledged' | 'unknown';
  /** Whether an audit has checked the asset. */
  audited?: boolean;
}

export interface ExportEntry {
  readonly taskId: string;
  readonly assetId: string;
  /** Name of the sink in `RemoteServers`; undefined for IPFS. */
  readonly sink?: string;
  /** Hash of the bytes of the asset; unknown for an asset without a hash in the ledger. */
  readonly sha256?: string;
  audited?: boolean;
}

/** A segment that a viewer received. */
export interface SeenSegment {
  readonly folder: string;
  /** Media sequence number. */
  readonly msn: number;
  /** Duration. */
  readonly seconds: number;
  readonly initUri: string;
  readonly sha256: string;
  readonly bytes: number;
  /** Unix milliseconds. */
  readonly receivedAt: number;
}

/**
 * Everything that the service has acknowledged and everything that viewers have received. The ledger is outside the
 * service, so faults do not affect it. Every entry is also written to a file: segments to `seen.jsonl`, others to
 * `ledger.jsonl`.
 */
export class Ledger {
  readonly streams = new Map<string, StreamEntry>();
  readonly assets = new Map<string, AssetEntry>();
  /** Names of webhooks and multistream targets, by id. */
  readonly webhooks = new Map<string, string>();
  readonly targets = new Map<string, string>();
  readonly exports = new Map<string, ExportEntry>();
  /** Received segments by stream id, then by `<folder>/<media sequence number>`. */
  readonly seenSegments = new Map<string, Map<string, SeenSegment>>();

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

  /** Writes a changed entry to `ledger.jsonl`. */
  writeChange(entry: StreamEntry | AssetEntry): void {
    this.#write('changed', entry);
  }

  addSeenSegment(streamId: string, segment: SeenSegment): void {
    const streamSegments = this.seenSegments.get(streamId) ?? new Map<string, SeenSegment>();
    this.seenSegments.set(streamId, streamSegments);
    streamSegments.set(`${segment.folder}/${segment.msn}`, segment);
    this.journal.append('seen', { streamId, ...segment });
  }

  #write(kind: string, entry: object): void {
    this.journal.append('ledger', { kind, ...entry });
  }
}
