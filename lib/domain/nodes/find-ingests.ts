import type { Context } from '@/lib/domain/context';
import { mergeIngestUrls, type IngestUrls } from '@/lib/core/nodes/ingest-urls';
import { deadAfterMs } from '@/lib/core/nodes/node-state';

/** Ingest URLs of live nodes that are alive, have room and do not drain, best first. */
export async function findIngests(ctx: Context): Promise<IngestUrls[]> {
  const { rtmpUrl, region } = ctx.settings;
  // Rows of nodes with an older version have no ingest URL.
  const nodes = await ctx.db.$queryRaw<IngestUrls[]>`
    select coalesce("ingestUrl", ${rtmpUrl}) as "url", "secureIngestUrl" as "secureUrl", "srtIngestUrl" as "srtUrl", "region",
      "cpuHeadroomRatio" as "headroomRatio"
    from "Node"
    where "role" = 'live' and "drainingSince" is null and "fullReason" is null
      and "seenAt" > now() - ${deadAfterMs.live}::float8 * interval '1 millisecond'`;
  return mergeIngestUrls(nodes, region);
}
