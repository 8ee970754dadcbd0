import type { StreamSnapshot } from '@/lib/contract/webhooks/event';
import type { Stream } from '@/lib/generated/prisma/client';
import type { Transaction } from '@/lib/infra/db';
import { snapshot } from './serialize';
import { targetsOf } from './targets/stream-targets';

/** What every event of a stream says about it; `stream` is the row as updated, its eventSequence counted up. */
export async function aboutStream(
  tx: { readonly db: Transaction },
  stream: Stream,
): Promise<{ teamId: string; streamId: string; sequence: number; stream: StreamSnapshot }> {
  return {
    teamId: stream.teamId,
    streamId: stream.id,
    sequence: stream.eventSequence,
    stream: snapshot({ ...stream, targets: await targetsOf(tx, stream.id) }),
  };
}
