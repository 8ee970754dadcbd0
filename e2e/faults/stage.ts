import type { ApiClient } from './load/api-client';
import type { Outside } from './load/outside';
import type { Journal } from './journal';
import type { Ledger, StreamEntry } from './ledger';
import type { Media } from './media/make-media';
import type { Options } from './options';
import type { Random } from './random';
import type { S3Process } from './service/s3-process';
import type { Service } from './service/service';
import type { StoredFiles } from './service/stored-files';

/** Everything that load, faults and audit share. */
export interface Stage {
  readonly options: Options;
  /** For the load; faults have a sequence of their own. */
  readonly random: Random;
  readonly journal: Journal;
  readonly ledger: Ledger;
  readonly service: Service;
  readonly api: ApiClient;
  readonly outside: Outside;
  readonly media: Media;
  readonly files: StoredFiles;
  readonly s3: S3Process | undefined;
  /** Published to in every round; their sources are those of `media`, in order. */
  readonly streams: readonly PublishedStream[];
}

export interface PublishedStream {
  readonly entry: StreamEntry;
  readonly source: number;
  /** `steady` publishes for the whole round and comes back at once; `short` for some seconds, with pauses. */
  readonly mode: 'steady' | 'short';
}
