import type { AccountContext } from '@/lib/context';
import type { Profile } from '@/lib/contract/profile';
import type { TargetReference } from '@/lib/contract/stream';
import { AppError } from '@/lib/core/errors';
import { profilesFault, targetsFault } from '@/lib/core/profile-rules';
import type { Stream } from '@/lib/generated/prisma/client';

export const notFound = () => new AppError('not_found', 'not found');

/**
 * The stream with this id, if it is the actor's.
 * @throws AppError `not_found` for a missing, deleted and foreign stream alike
 */
export async function streamOf(ctx: AccountContext, id: string): Promise<Stream> {
  const stream = await ctx.db.stream.findFirst({ where: { id, userId: ctx.actor.userId, deletedAt: null } });
  if (!stream) throw notFound();
  return stream;
}

/** @throws AppError `bad_request` */
export function checkProfiles(profiles: readonly Profile[]): void {
  const fault = profilesFault(profiles);
  if (fault) throw new AppError('bad_request', fault);
}

/**
 * References must name renditions of the stream and targets of the account.
 * @throws AppError `bad_request`
 */
export function checkTargets(targets: readonly TargetReference[], profiles: readonly Profile[]): void {
  const fault = targetsFault(targets, profiles);
  if (fault) throw new AppError('bad_request', fault);
  const [first] = targets;
  if (first) throw new AppError('bad_request', `multistream target not found: "${first.id}"`);
}
