import type { SystemContext } from '@/lib/domain/context';

/** A target with its decrypted URL. `url` contains the secret key of the platform and must not be logged. */
export interface OpenTarget {
  readonly targetId: string;
  /** Name of a rendition, or "source". */
  readonly profile: string;
  readonly videoOnly: boolean;
  readonly url: string;
}

/** The enabled targets of a stream with their secret URLs, for the live role only. */
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
