import type { TeamContext, Context } from '@/lib/domain/context';
import { maskUrl } from '@/lib/core/assets/masked-url';
import type { Asset, Prisma } from '@/lib/generated/prisma/client';

const secretContextOf = ({ id, teamId }: Pick<Asset, 'id' | 'teamId'>) =>
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
    sourceUrlSealed: secrets.seal(secretContextOf(asset), url),
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
  return row.sourceUrlSealed === null
    ? row.sourceUrl
    : secrets.open(secretContextOf(row), row.sourceUrlSealed);
}
