import type { AccountContext, Context } from '@/lib/context';
import { maskedUrl } from '@/lib/core/masked-url';
import type { Asset, Prisma } from '@/lib/generated/prisma/client';

const ownerOf = ({ id, userId }: Pick<Asset, 'id' | 'userId'>) =>
  ({ kind: 'source-url', id, userId }) as const;

/** Signed URLs grant access to storage: the query is encrypted, and only the rest is shown. */
export function sourceUrlColumns(
  { secrets }: Pick<Context, 'secrets'>,
  asset: Pick<Asset, 'id' | 'userId'>,
  url: string,
): Pick<Prisma.AssetUncheckedCreateInput, 'sourceUrl' | 'sourceUrlSealed' | 'sourceUrlHash'> {
  const shown = maskedUrl(url);
  if (shown === url) return { sourceUrl: url };
  return {
    sourceUrl: shown,
    sourceUrlSealed: secrets.seal(ownerOf(asset), url),
    sourceUrlHash: secrets.fingerprint('source-url', url),
  };
}

/** Assets imported from exactly this URL; rows from before URLs were sealed hold it as it is. */
export function importedFrom({ secrets }: AccountContext, url: string): Prisma.AssetWhereInput {
  if (maskedUrl(url) === url) return { sourceUrl: url };
  return { OR: [{ sourceUrlHash: secrets.fingerprint('source-url', url) }, { sourceUrl: url }] };
}

/** The whole URL, to download from. */
export function openSourceUrl({ secrets }: Pick<Context, 'secrets'>, row: Asset): string | null {
  return row.sourceUrlSealed === null ? row.sourceUrl : secrets.open(ownerOf(row), row.sourceUrlSealed);
}
