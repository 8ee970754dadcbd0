import type { StreamSnapshot } from '@/lib/contract/webhooks/event';
import type { Stream } from '@/lib/generated/prisma/client';
import type { Transaction } from '@/lib/infra/db';
import { snapshotOf } from './serialize';
import { readTargetReferences } from './targets/stream-targets';

/** Common fields of the events of a stream. `stream` is the updated row, with its eventSequence incremented. */
export async function readStreamEventFields(
  tx: { readonly db: Transaction },
  stream: Stream,
): Promise<{ teamId: string; streamId: string; sequence: number; stream: StreamSnapshot }> {
  return {
    teamId: stream.teamId,
    streamId: stream.id,
    sequence: stream.eventSequence,
    stream: snapshotOf({ ...stream, targets: await readTargetReferences(tx, stream.id) }),
  };
}
