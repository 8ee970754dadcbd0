import type { Context } from '@/lib/domain/context';
import { mergeIngestAddresses, type IngestAddress } from '@/lib/core/nodes/ingest-addresses';
import { deadAfterMs } from '@/lib/core/nodes/node-state';

/** Ingest addresses of live nodes that are alive, have room and do not drain, best first. */
export async function findIngests(ctx: Context): Promise<IngestAddress[]> {
  const { rtmpUrl, region } = ctx.settings;
  // Rows of nodes with an older version have no ingest address.
  const nodes = await ctx.db.$queryRaw<IngestAddress[]>`
    select coalesce("ingestUrl", ${rtmpUrl}) as "url", "secureIngestUrl" as "secureUrl", "srtIngestUrl" as "srtUrl", "region",
      "cpuHeadroomRatio" as "headroomRatio"
    from "Node"
    where "role" = 'live' and "drainingSince" is null and "fullReason" is null
      and "seenAt" > now() - ${deadAfterMs.live}::float8 * interval '1 millisecond'`;
  return mergeIngestAddresses(nodes, region);
}
