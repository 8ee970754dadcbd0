import { readOperatorSettings } from '@/lib/infra/env';
import { openStorage } from '@/lib/infra/storage';
import { copyStorage, type CopiedStorage } from '@/lib/infra/storage/copy-storage';
import { ExpectedError } from '../service/run-to-end';

export interface CopyFiles {
  readonly to: string;
  readonly removeSource: boolean;
  readonly signal: AbortSignal;
  /** Called with a progress line every 200 files. */
  readonly say: (line: string) => void;
}

const reportEvery = 200;
const lineOf = ({ copied, bytes, unchanged, removed }: CopiedStorage): string =>
  `${copied} copied (${bytes} bytes), ${unchanged} already present, ${removed} removed`;

/**
 * Copies assets and recordings between the data folder and the configured bucket. Needs no database and does not affect
 * a running service.
 * @returns a summary line
 * @throws ExpectedError for an unknown `to` or without a bucket
 */
export async function copyFiles({ to, removeSource, signal, say }: CopyFiles): Promise<string> {
  const { dataDir, s3 } = readOperatorSettings();
  if (to !== 's3' && to !== 'local') throw new ExpectedError('--to: expected s3 or local');
  if (!s3) throw new ExpectedError('S3_BUCKET: required, because it is one side of the copy');
  const [local, remote] = [openStorage({ dataDir }), openStorage({ dataDir, s3 })];
  const [from, target] = to === 's3' ? [local, remote] : [remote, local];
  let seenFiles = 0;
  const onProgress = (sum: CopiedStorage) => {
    if (++seenFiles % reportEvery === 0) say(lineOf(sum));
  };
  return lineOf(await copyStorage({ from, to: target, removeSource, signal, onProgress }));
}
