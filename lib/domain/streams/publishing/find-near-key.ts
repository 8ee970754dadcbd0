import type { SystemContext } from '@/lib/domain/context';
import { findSimilarKeys } from '@/lib/core/streams/near-keys';

/**
 * The stream whose key differs from an unknown key in one character, with one read of two indexes
 * (docs/adr/0063-near-keys.md). Null if there is no such stream or more than one.
 */
export async function findStreamOfNearKey(ctx: SystemContext, streamKey: string): Promise<string | null> {
  const nearFingerprints = findSimilarKeys(streamKey).map((key) =>
    ctx.secrets.fingerprint('stream-key', key),
  );
  if (nearFingerprints.length === 0) return null;
  const streams = await ctx.db.stream.findMany({
    where: {
      OR: [
        { streamKeyHash: { in: nearFingerprints } },
        { backup: true, backupKeyHash: { in: nearFingerprints } },
      ],
      parentId: null,
      deletedAt: null,
    },
    select: { id: true },
    take: 2,
  });
  return streams.length === 1 ? (streams[0]?.id ?? null) : null;
}
