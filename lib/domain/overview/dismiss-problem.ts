import { recordAudit } from '@/lib/domain/audit';
import { transact, type TeamContext } from '@/lib/domain/context';
import type { BodyOf } from '@/lib/contract/define-endpoint';
import type { dismissProblem as dismissProblemEndpoint } from '@/lib/contract/accounts/overview';

/** Maximum number of dismissals, above the number of problems that a team can have. The oldest are deleted. */
const MAX_DISMISSALS = 200;

/** Hides a problem on the team's home page until it happens again. */
export async function dismissProblem(
  ctx: TeamContext,
  body: BodyOf<typeof dismissProblemEndpoint>,
): Promise<void> {
  const { teamId } = ctx.actor;
  const { kind, id: objectId, name, message, at } = body;
  const now = ctx.clock.now().getTime();
  // The problem stays hidden while it began at this time or earlier. The time of the client may be ahead of ours.
  const until = new Date(Math.min(at ?? now, now));
  const key = { teamId, kind, objectId, name };
  await transact(ctx, async (tx) => {
    await tx.db.dismissedProblem.upsert({
      where: { teamId_kind_objectId_name: key },
      create: { ...key, message, until },
      update: { message, until },
    });
    await tx.db.$executeRaw`
      delete from "DismissedProblem" where "teamId" = ${teamId}::uuid and ("kind", "objectId", "name") in (
        select "kind", "objectId", "name" from "DismissedProblem" where "teamId" = ${teamId}::uuid
        order by "until" desc, "objectId" offset ${MAX_DISMISSALS})`;
    await recordAudit(tx, { action: 'problem.dismissed', objectId });
  });
}
