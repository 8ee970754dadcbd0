import type { SystemContext } from '@/lib/domain/context';
import { type AcceptedMedia, type MediaRules } from '@/lib/core/media/media-rules';
import { acceptedMedia } from '@/lib/core/media/media-policy';

/** `params` entry of an import task whose request allows a conversion. */
export const conversionParam = (convert: boolean | undefined): { readonly convert?: true } =>
  convert ? { convert: true } : {};

/** Whether the `params` of an import task allow a conversion. */
const requestsConversion = (params: unknown): boolean =>
  (params as { readonly import?: { readonly convert?: boolean } } | null)?.import?.convert === true;

/** Rules for the file of an import task. */
export const importRules = (
  { settings }: Pick<SystemContext, 'settings'>,
  { params }: { readonly params: unknown },
): MediaRules => ({ accept: acceptedMedia(settings.acceptMedia, { convert: requestsConversion(params) }) });

/** Media that an upload accepts, according to the newest import task of its asset. */
export async function readAcceptedMedia(ctx: SystemContext, assetId: string): Promise<AcceptedMedia> {
  const task = await ctx.db.task.findFirst({
    where: { outputAssetId: assetId, type: 'import' },
    orderBy: { createdAt: 'desc' },
    select: { params: true },
  });
  return acceptedMedia(ctx.settings.acceptMedia, { convert: requestsConversion(task?.params) });
}
