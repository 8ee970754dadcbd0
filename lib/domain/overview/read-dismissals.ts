import type { TeamContext } from '@/lib/domain/context';

/** Key of a problem in the map of dismissals. */
export const dismissalKeyOf = ({
  kind,
  id,
  name,
}: {
  readonly kind: string;
  readonly id: string;
  readonly name: string;
}) => `${kind} ${id} ${name}`;

/** Dismissals by problem. A team has at most 200 (lib/domain/overview/dismiss-problem.ts). */
export async function readDismissals({ db, actor }: TeamContext) {
  const rows = await db.dismissedProblem.findMany({ where: { teamId: actor.teamId } });
  return new Map(
    rows.map(({ kind, objectId, name, message, until }) => [
      dismissalKeyOf({ kind, id: objectId, name }),
      { message, until: until.getTime() },
    ]),
  );
}
