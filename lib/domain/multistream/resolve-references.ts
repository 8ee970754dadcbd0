import type { InTransaction, TeamContext } from '@/lib/domain/context';
import type { TargetReferenceInput } from '@/lib/contract/streams/stream';
import { AppError } from '@/lib/core/errors';
import { isComparable } from '@/lib/core/lists/list-filters';
import { insertTarget } from './create-target';

/** A reference of a stream to an existing target. */
export interface ResolvedReference {
  readonly targetId: string;
  readonly profile: string;
  readonly videoOnly: boolean;
}

/**
 * Converts the references of a request into references to targets of the team, in the same order. A reference with a
 * `spec` creates its target. Targets named by `id` cannot be deleted until the transaction ends.
 * @param pathOf path of the item at an index in the request, for error messages
 * @throws AppError `bad_request` for a target that is missing, deleted or of another team; `invalid` (url) and `forbidden`
 * (restricted key) for a new one
 */
export async function resolveReferences(
  tx: InTransaction<TeamContext>,
  newTargets: readonly TargetReferenceInput[],
  pathOf: (index: number) => string,
): Promise<ResolvedReference[]> {
  const ids = newTargets.flatMap(({ id }) => (id === undefined ? [] : [id.toLowerCase()]));
  const existingTargetIds = await lockTargets(tx, ids);
  const references: ResolvedReference[] = [];
  for (const [index, { id, spec, profile, videoOnly = false }] of newTargets.entries()) {
    const targetId = spec ? (await insertTarget(tx, spec, `${pathOf(index)}spec.url`)).id : id?.toLowerCase();
    if (targetId === undefined || (!spec && !existingTargetIds.has(targetId))) {
      throw new AppError('bad_request', `multistream target not found: "${id ?? ''}"`);
    }
    references.push({ targetId, profile, videoOnly });
  }
  return references;
}

/** The existing targets of the team among these ids, locked against deletion, in a fixed order to avoid deadlocks. */
async function lockTargets(tx: InTransaction<TeamContext>, ids: readonly string[]): Promise<Set<string>> {
  const uuids = ids.filter((id) => isComparable('uuid', id));
  if (uuids.length === 0) return new Set();
  const rows = await tx.db.$queryRaw<{ id: string }[]>`
    select "id" from "MultistreamTarget"
    where "id" = any(${uuids}::uuid[]) and "teamId" = ${tx.actor.teamId}::uuid and "deletedAt" is null
    order by "id" for share`;
  return new Set(rows.map(({ id }) => id));
}
