import type { TeamContext, Context } from '@/lib/domain/context';
import type { AssetStorage } from '@/lib/contract/assets/asset';
import { maskUrl } from '@/lib/core/assets/masked-url';
import type { Asset, Prisma, Task } from '@/lib/generated/prisma/client';
import type { Transaction } from '@/lib/infra/db';

const ownerOf = ({ id, teamId }: Pick<Asset, 'id' | 'teamId'>) =>
  ({ kind: 'source-url', id, teamId }) as const;

/**
 * Columns of an import URL. A signed URL grants access to its storage, so the whole URL is encrypted, and the visible one
 * has no secrets.
 */
export function sourceUrlColumns(
  { secrets }: Pick<Context, 'secrets'>,
  asset: Pick<Asset, 'id' | 'teamId'>,
  url: string,
): Pick<Prisma.AssetUncheckedCreateInput, 'sourceUrl' | 'sourceUrlSealed' | 'sourceUrlHash'> {
  const maskedSource = maskUrl(url);
  if (maskedSource === url) return { sourceUrl: url };
  return {
    sourceUrl: maskedSource,
    sourceUrlSealed: secrets.seal(ownerOf(asset), url),
    sourceUrlHash: secrets.fingerprint('source-url', url),
  };
}

/**
 * Prisma `where` object for assets imported from exactly this URL. Old rows store the URL in clear text, because they were
 * written before URLs were sealed.
 */
export function importedFrom({ secrets }: TeamContext, url: string): Prisma.AssetWhereInput {
  if (maskUrl(url) === url) return { sourceUrl: url };
  return { OR: [{ sourceUrlHash: secrets.fingerprint('source-url', url) }, { sourceUrl: url }] };
}

/** The import URL with its secrets, for downloading; null for other source types. */
export function openSourceUrl({ secrets }: Pick<Context, 'secrets'>, row: Asset): string | null {
  return row.sourceUrlSealed === null ? row.sourceUrl : secrets.open(ownerOf(row), row.sourceUrlSealed);
}

interface InTransaction {
  readonly db: Transaction;
}

/** Records that the export to IPFS failed. The result of a previous export is kept. */
export async function failStorage(tx: InTransaction, task: Task, errorMessage: string): Promise<void> {
  await changeStorage(tx, task, ({ ipfs, status }) => ({
    ...(ipfs ? { ipfs } : {}),
    status: {
      phase: ipfs?.cid === undefined ? 'failed' : 'reverted',
      errorMessage,
      tasks: { ...(status.tasks.last ? { last: status.tasks.last } : {}), failed: task.id },
    },
  }));
}

/** Changes the storage status of the asset if it waits for this task. */
export async function changeStorage(
  tx: InTransaction,
  { id, inputAssetId, teamId }: Pick<Task, 'id' | 'inputAssetId' | 'teamId'>,
  change: (storage: AssetStorage) => AssetStorage,
): Promise<void> {
  if (inputAssetId === null) return;
  const where = { id: inputAssetId, teamId };
  await tx.db.$queryRaw`select 1 from "Asset" where "id" = ${inputAssetId}::uuid for no key update`;
  const row = await tx.db.asset.findFirst({ where, select: { storage: true } });
  const storage = row?.storage as AssetStorage | null | undefined;
  if (storage?.status.tasks.pending !== id) return;
  await tx.db.asset.updateMany({ where, data: { storage: change(storage) } });
}
