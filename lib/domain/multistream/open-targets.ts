import type { SystemContext } from '@/lib/domain/context';

/** Destination of a rendition. `url` contains the platform's key: never log it. */
export interface OpenTarget {
  readonly targetId: string;
  /** A rendition's name, or "source". */
  readonly profile: string;
  readonly videoOnly: boolean;
  readonly url: string;
}

/** The targets that a stream refers to, without those that are disabled or deleted; for the live role alone. */
export async function openTargets(ctx: SystemContext, streamId: string): Promise<OpenTarget[]> {
  const references = await ctx.db.streamTarget.findMany({
    where: { streamId, target: { disabled: false, deletedAt: null } },
    orderBy: { position: 'asc' },
    select: {
      targetId: true,
      profile: true,
      videoOnly: true,
      target: { select: { teamId: true, urlSealed: true } },
    },
  });
  return references.map(({ target: { teamId, urlSealed }, ...reference }) => ({
    ...reference,
    url: ctx.secrets.open({ kind: 'target-url', id: reference.targetId, teamId }, urlSealed),
  }));
}
