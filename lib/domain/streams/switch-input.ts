import { recordAudit } from '@/lib/domain/audit';
import { transact, type TeamContext } from '@/lib/domain/context';
import { AppError } from '@/lib/core/errors';
import { inputRejection } from '@/lib/core/streams/control-panel';
import type { ProgramInput } from '@/lib/core/streams/program-state';
import { notify } from '@/lib/infra/notifications';
import { requireLockedStream } from './internal';
import { programOf } from './serialize';

/**
 * Requests the live node to put an input on air. The node is notified on commit, and switches at the next keyframe.
 * @throws AppError `not_found`, `bad_request` for a child stream, `conflict` if the input is not connected
 */
export async function switchInput(
  ctx: TeamContext,
  { id, to }: { readonly id: string; readonly to: ProgramInput },
): Promise<void> {
  await transact(ctx, async (tx) => {
    const stream = await requireLockedStream(tx, id);
    if (stream.parentId !== null) throw new AppError('bad_request', "can't switch stream session");
    const rejection = inputRejection({ ...stream, program: programOf(stream) }, to);
    if (rejection) throw new AppError('conflict', rejection);
    // Uses the clock of the database, because the node compares the time with that of earlier requests.
    await tx.db.$executeRaw`
      update "Stream" set "switchTo" = ${to}, "switchAskedAt" = clock_timestamp() where "id" = ${id}::uuid`;
    await recordAudit(tx, { action: 'stream.input-switched', objectId: id });
    await notify(tx.db, 'stream_changed', id);
  });
}
