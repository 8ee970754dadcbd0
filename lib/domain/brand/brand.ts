import { recordAudit } from '@/lib/domain/audit';
import { type TeamContext, type Context, transact } from '@/lib/domain/context';
import type { Brand, updateBrand as updateBrandEndpoint } from '@/lib/contract/accounts/brand';
import type { BodyOf } from '@/lib/contract/define-endpoint';
import { notFound } from '@/lib/core/errors';
import { omitUndefined } from '@/lib/core/omit-undefined';
import { isUuid } from '@/lib/infra/ids';
import { notify } from '@/lib/infra/notifications';
import type { Settings } from '@/lib/infra/env';

const brandColumns = {
  brandName: true,
  brandAccent: true,
  brandLogo: true,
  brandLink: true,
  casting: true,
  viewerReports: true,
} as const;

interface BrandRow {
  readonly brandName: string | null;
  readonly brandAccent: string | null;
  readonly brandLogo: string | null;
  readonly brandLink: string | null;
  readonly casting: boolean;
  readonly viewerReports: boolean;
}

function serializeBrand(row: BrandRow, { cdnUrl }: Settings): Brand {
  return {
    name: row.brandName,
    accent: row.brandAccent,
    link: row.brandLink,
    logoUrl: row.brandLogo === null ? null : `${cdnUrl}/brand/${row.brandLogo}`,
    casting: row.casting,
    viewerReports: row.viewerReports,
  };
}

/** Appearance of the team's pages for viewers. */
export async function getBrand(ctx: TeamContext): Promise<Brand> {
  const row = await ctx.db.team.findUnique({ where: { id: ctx.actor.teamId }, select: brandColumns });
  if (!row) throw notFound();
  return serializeBrand(row, ctx.settings);
}

/** Changes the fields in the body and keeps the others. */
export async function updateBrand(
  ctx: TeamContext,
  body: BodyOf<typeof updateBrandEndpoint>,
): Promise<Brand> {
  const { teamId } = ctx.actor;
  const { name, accent, link, casting, viewerReports } = body;
  const row = await transact(ctx, async (tx) => {
    await recordAudit(tx, { action: 'brand.updated', objectId: teamId });
    if (viewerReports !== undefined) await notify(tx.db, 'playback_access', `team ${teamId}`);
    return tx.db.team.update({
      where: { id: teamId },
      data: {
        ...omitUndefined({ brandName: name, brandAccent: accent, brandLink: link, casting, viewerReports }),
      },
      select: brandColumns,
    });
  });
  return serializeBrand(row, ctx.settings);
}

/**
 * The brand of the team whose stream, asset or recording is watched, for any viewer.
 * @param playbackId playback id of a stream or an asset, or the session id of a recording
 * @returns null for an unknown id, for something deleted and for a suspended team
 */
export async function findBrand({ db, settings }: Context, playbackId: string): Promise<Brand | null> {
  const select = { team: { select: { ...brandColumns, suspended: true } } };
  const where = { playbackId, deletedAt: null };
  const recording = { id: playbackId, recording: { not: 'deleted' }, parent: { deletedAt: null } } as const;
  const brandRow = isUuid(playbackId)
    ? await db.session.findFirst({ where: recording, select })
    : ((await db.stream.findUnique({ where, select })) ?? (await db.asset.findUnique({ where, select })));
  if (!brandRow || brandRow.team.suspended) return null;
  const { viewerReports, ...brand } = serializeBrand(brandRow.team, settings);
  return { ...brand, viewerReports: viewerReports && settings.viewerReports };
}
