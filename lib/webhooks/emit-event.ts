import type { SystemContext } from '@/lib/context';
import type { EventName } from '@/lib/core/events';
import type { Prisma } from '@/lib/generated/prisma/client';
import type { Transaction } from '@/lib/infra/db';
import { notify } from '@/lib/infra/notifications';

/** Something that happened to a stream, as receivers will read it. */
export interface StreamEvent {
  readonly name: EventName;
  readonly userId: string;
  readonly streamId: string;
  /** Counts the events of one stream, so that receivers can order them. */
  readonly sequence: number;
  /** The stream at this moment, without its key: the payload is a snapshot (reliability §1.2). */
  readonly stream: Prisma.InputJsonObject;
  readonly payload?: Prisma.InputJsonObject;
}

/** Writes the event in the transaction of the change it tells of: neither exists without the other. */
export async function emitEvent(
  ctx: SystemContext & { readonly db: Transaction },
  event: StreamEvent,
): Promise<void> {
  const { name, userId, streamId, sequence, stream, payload } = event;
  const { id } = await ctx.db.event.create({
    data: { name, userId, streamId, sequence, payload: { stream, ...(payload ? { payload } : {}) } },
  });
  await notify(ctx.db, 'event_written', id);
}
