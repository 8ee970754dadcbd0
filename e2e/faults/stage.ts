import type { ApiClient } from './load/api-client';
import type { RemoteServers } from './load/remote-servers';
import type { Journal } from './journal';
import type { Ledger, StreamEntry } from './ledger';
import type { Media } from './media/make-media';
import type { Options } from './options';
import type { Random } from './random';
import type { S3Process } from './service/s3-process';
import type { Service } from './service/service';
import type { StoredFiles } from './service/stored-files';

/** Shared state of load, faults and audit. */
export interface Stage {
  readonly options: Options;
  /** Random numbers of the load; faults and webhook receivers have sequences of their own. */
  readonly random: Random;
  readonly journal: Journal;
  readonly ledger: Ledger;
  readonly service: Service;
  readonly api: ApiClient;
  readonly remote: RemoteServers;
  readonly media: Media;
  readonly files: StoredFiles;
  readonly s3: S3Process | undefined;
  /** Streams that are published in every round. */
  readonly streams: readonly PublishedStream[];
}

export interface PublishedStream {
  readonly entry: StreamEntry;
  /** Index of its source in `Media.sources`. */
  readonly source: number;
  /** `steady` streams are published during the whole round. `short` streams are published for some seconds, with pauses. */
  readonly mode: 'steady' | 'short';
  /** Whether viewers get a slate while the encoder is disconnected. Recordings do not contain the slate. */
  readonly slate?: true;
}
