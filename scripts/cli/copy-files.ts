import { readOperatorSettings } from '@/lib/infra/env';
import { openStorage } from '@/lib/infra/storage';
import { copyStorage, type CopiedStorage } from '@/lib/infra/storage/copy-storage';
import { ExpectedError } from '../service/expected-error';

export interface CopyFilesOptions {
  /** Value of `--to`. */
  readonly to: string;
  readonly removeSource: boolean;
  readonly signal: AbortSignal;
  /** Prints a progress line; called every 200 files. */
  readonly log: (line: string) => void;
}

const FILES_PER_REPORT = 200;
const formatSummary = ({ copied, bytes, unchanged, deleted }: CopiedStorage): string =>
  `${copied} copied (${bytes} bytes), ${unchanged} already present, ${deleted} removed`;

/**
 * Copies assets and recordings between the data folder and the configured bucket. Needs no database and does not affect
 * a running service.
 * @returns a summary line
 * @throws ExpectedError for an unknown `to` or without a bucket
 */
export async function copyFiles({ to, removeSource, signal, log }: CopyFilesOptions): Promise<string> {
  const { dataDir, s3 } = readOperatorSettings();
  if (to !== 's3' && to !== 'local') throw new ExpectedError('--to: expected s3 or local');
  if (!s3) throw new ExpectedError('S3_BUCKET: required, because it is one side of the copy');
  const [local, remote] = [openStorage({ dataDir }), openStorage({ dataDir, s3 })];
  const [source, target] = to === 's3' ? [local, remote] : [remote, local];
  let seenFiles = 0;
  const onProgress = (sum: CopiedStorage) => {
    if (++seenFiles % FILES_PER_REPORT === 0) log(formatSummary(sum));
  };
  return formatSummary(await copyStorage({ source, target, deleteSource: removeSource, signal, onProgress }));
}
