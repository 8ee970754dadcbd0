import { notFound } from '@/lib/core/errors';
import { recordAudit } from '@/lib/domain/audit';
import { transact, type TeamContext } from '@/lib/domain/context';
import type { BodyOf } from '@/lib/contract/define-endpoint';
import type { updateTarget as updateTargetEndpoint } from '@/lib/contract/targets/multistream';
import { targetName } from './create-target';
import { notifyReferringStreams, checkTargetUrl, lockReferringStreams, requireTarget } from './internal';
import { omitUndefined } from '@/lib/core/omit-undefined';

/** Columns of a target whose URL was not tested. */
const noTest = { testedAt: null, testOutcome: null, testMessage: null };

/**
 * Changes the fields in the body and keeps the others. An empty name keeps the current one, and a name derived from the
 * host of the URL follows a new URL. The live role is notified about every stream that uses the target.
 * @throws AppError `not_found`, `invalid` (url)
 */
export async function updateTarget(
  ctx: TeamContext,
  { id, change }: { readonly id: string; readonly change: BodyOf<typeof updateTargetEndpoint> },
): Promise<void> {
  const { name, url, disabled } = change;
  const { teamId } = ctx.actor;
  const owner = { kind: 'target-url', id, teamId } as const;
  await transact(ctx, async (tx) => {
    await lockReferringStreams(tx, id);
    const { urlSealed } = await requireTarget(tx, id);
    if (url !== undefined) checkTargetUrl(tx, url, 'url');
    const data = {
      ...(name ? { name } : {}),
      ...omitUndefined({ disabled }),
      ...(url === undefined ? {} : { urlSealed: ctx.secrets.seal(owner, url), ...noTest }),
    };
    if (Object.keys(data).length === 0) return;
    const where = { id, teamId, deletedAt: null };
    const { count } = await tx.db.multistreamTarget.updateMany({ where, data });
    if (count === 0) throw notFound();
    // Only a name that is still the one of the previous URL is replaced.
    if (url !== undefined && !name) {
      const nameOfUrl = targetName(ctx.secrets.open(owner, urlSealed));
      await tx.db.multistreamTarget.updateMany({
        where: { ...where, name: nameOfUrl },
        data: { name: targetName(url) },
      });
    }
    await recordAudit(tx, { action: 'target.updated', objectId: id });
    await notifyReferringStreams(tx, id);
  });
}
