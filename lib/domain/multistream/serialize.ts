import type { MultistreamTarget as TargetObject } from '@/lib/contract/targets/multistream';
import type { MultistreamTarget } from '@/lib/generated/prisma/client';

/** API representation of a target, without its URL. */
export function serializeTarget(row: MultistreamTarget): TargetObject {
  return {
    id: row.id,
    userId: row.teamId,
    name: row.name,
    disabled: row.disabled,
    createdAt: row.createdAt.getTime(),
  };
}
