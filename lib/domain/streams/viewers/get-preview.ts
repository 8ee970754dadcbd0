import { PreviewTokens } from '@/lib/domain/access';
import type { AccountContext } from '@/lib/domain/context';
import type { Preview } from '@/lib/contract/access/preview';
import { requireStream } from '@/lib/domain/streams/internal';

/**
 * A token for playback of a team's stream in the dashboard.
 * @throws AppError `not_found`
 */
export async function getPreview(ctx: AccountContext, id: string): Promise<Preview> {
  const { playbackId } = await requireStream(ctx, id);
  return { token: new PreviewTokens(ctx).issue(playbackId, ctx.actor.userId) };
}
