import { readOperatorSettings } from '@/lib/infra/env';
import { openStorage } from '@/lib/infra/storage';
import { copyStorage, type CopiedStorage } from '@/lib/infra/storage/copy-storage';
import { ExpectedError } from '../service/run-to-end';

export interface CopyFiles {
  readonly to: string;
  readonly removeSource: boolean;
  readonly signal: AbortSignal;
  /** Called with a line now and then. */
  readonly say: (line: string) => void;
}

const sayEvery = 200;
const lineOf = ({ copied, bytes, kept, removed }: CopiedStorage): string =>
  `${copied} copied (${bytes} bytes), ${kept} there already, ${removed} removed`;

/**
 * Copies assets and recordings between the data folder and the bucket that the environment names; needs no database and
 * no service, and disturbs neither. @returns what it did. @throws ExpectedError without a bucket
 */
export async function copyFiles({ to, removeSource, signal, say }: CopyFiles): Promise<string> {
  const { dataDir, s3 } = readOperatorSettings();
  if (to !== 's3' && to !== 'local') throw new ExpectedError('--to: expected s3 or local');
  if (!s3) throw new ExpectedError('S3_BUCKET: expected here, because it is one side of the copy');
  const [local, remote] = [openStorage({ dataDir }), openStorage({ dataDir, s3 })];
  const [from, target] = to === 's3' ? [local, remote] : [remote, local];
  let seen = 0;
  const onProgress = (soFar: CopiedStorage) => {
    if (++seen % sayEvery === 0) say(lineOf(soFar));
  };
  return lineOf(await copyStorage({ from, to: target, removeSource, signal, onProgress }));
}
