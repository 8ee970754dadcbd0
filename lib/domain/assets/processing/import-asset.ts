import { MINUTE_MS } from '@/lib/core/units';
import { buildPolicyColumns } from '@/lib/domain/access';
import { serializeAsset } from '@/lib/domain/assets/serialize';
import { importedFrom } from '@/lib/domain/assets/source-url';
import { type TeamContext, transact, type InTransaction } from '@/lib/domain/context';
import type { importAsset as importAssetEndpoint } from '@/lib/contract/assets/asset-endpoints';
import type { BodyOf, ResponseOf } from '@/lib/contract/define-endpoint';
import { ignoredOptionWarnings } from '@/lib/core/assets/ignored-options';
import { maskUrl } from '@/lib/core/assets/masked-url';
import { AppError } from '@/lib/core/errors';
import { unfinishedTaskPhases } from '@/lib/core/tasks/task-state';
import { createEgressPolicy } from '@/lib/infra/egress/egress-policy';
import { createTask, serializeTask, lockTeam } from '@/lib/domain/tasks';
import { conversionParam } from './requested-conversion';
import { createAsset } from './create-asset';
import { initialStorage } from './requested-export';

/**
 * Rejects the URL of a private or local address unless the operator allows it. Host names are resolved and checked when a
 * request is sent.
 * @param field name of the URL in the request
 * @throws AppError `invalid`
 */
export function checkRemoteUrl({ settings }: TeamContext, field: string, url: string): void {
  if (createEgressPolicy(settings.egressAllowCidrs).allowsHost(new URL(url).hostname)) return;
  throw new AppError('invalid', {
    field,
    message:
      'must be a public address. The operator can allow private and local ones with EGRESS_ALLOW_CIDRS.',
  });
}

/** Period in which a repeated import of the same URL returns the first asset. */
const REPEATED_IMPORT_MS = 15 * MINUTE_MS;

/**
 * Creates an asset whose file will be downloaded. While the import of a URL is unfinished, a repeated import within
 * 15 minutes returns the same asset, so that a retry of the client creates no duplicate.
 * @throws AppError `invalid` (a URL that is not public, playback policy), `bad_request`, `payment_required`, `rate_limited`
 */
export async function importAsset(
  ctx: TeamContext,
  body: BodyOf<typeof importAssetEndpoint>,
): Promise<ResponseOf<typeof importAssetEndpoint>> {
  const { url, name, creatorId, tags, playbackPolicy, profiles } = body;
  checkRemoteUrl(ctx, 'url', url);
  const storage = initialStorage(body.storage, playbackPolicy);
  const warnings = ignoredOptionWarnings(body);
  const policy = await buildPolicyColumns(ctx, playbackPolicy);
  return transact(ctx, async (tx) => {
    await lockTeam(tx);
    const runningImport = await findRunningImport(tx, url);
    if (runningImport) return { ...runningImport, ...warnings };
    const asset = await createAsset(tx, {
      name,
      creatorId,
      tags,
      policy,
      profiles,
      storage,
      sourceType: 'url',
      sourceUrl: url,
    });
    const task = await createTask(tx, {
      type: 'import',
      params: { import: { url: maskUrl(url), ...conversionParam(body.convert) } },
      outputAssetId: asset.id,
      isDue: true,
    });
    return { asset: serializeAsset(asset, ctx.settings), task: serializeTask(task), ...warnings };
  });
}

async function findRunningImport(
  tx: InTransaction<TeamContext>,
  url: string,
): Promise<ResponseOf<typeof importAssetEndpoint> | null> {
  const { teamId } = tx.actor;
  const runningTask = await tx.db.task.findFirst({
    where: {
      teamId,
      type: 'import',
      createdAt: { gt: new Date(tx.clock.now().getTime() - REPEATED_IMPORT_MS) },
      phase: { in: [...unfinishedTaskPhases] },
      outputAsset: { teamId, deletedAt: null, replacesId: null, ...importedFrom(tx, url) },
    },
    orderBy: { createdAt: 'desc' },
    include: { outputAsset: true },
  });
  if (!runningTask?.outputAsset) return null;
  return { asset: serializeAsset(runningTask.outputAsset, tx.settings), task: serializeTask(runningTask) };
}
