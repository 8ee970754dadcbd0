import type { Context } from '@/lib/domain/context';
import type { ServiceStorage } from '@/lib/contract/accounts/admin';
import type { Usage } from '@/lib/contract/accounts/usage';
import { Prisma } from '@/lib/generated/prisma/client';

export type StoredBytes = Usage['storage'];

interface Sums {
  readonly teamId: string;
  readonly assets: bigint;
  readonly recordings: bigint;
  readonly dvr: bigint;
  readonly deleted: bigint;
}

const emptyBytes: StoredBytes = { bytes: 0, assets: 0, recordings: 0, dvr: 0, deleted: 0 };

/**
 * Stored bytes of teams, each file counted once: the files of a finished recording belong to its asset. A source file
 * counts once it is complete, before it is processed. DVR storage is estimated from the share of the session that
 * `dvrSeconds` covers.
 * @returns only teams with stored bytes
 */
export async function readStoredBytes(
  ctx: Pick<Context, 'db'>,
  teamIds: readonly string[],
): Promise<ReadonlyMap<string, StoredBytes>> {
  const rows = await readSums(ctx, Prisma.sql`"teamId" = any(${[...teamIds]}::uuid[])`);
  return new Map(rows.map((row) => [row.teamId, totalOf([row])]));
}

function readSums({ db }: Pick<Context, 'db'>, rowFilter: Prisma.Sql): Promise<Sums[]> {
  return db.$queryRaw<Sums[]>`
    with stored as (
      select "teamId", case when "deletedAt" is not null then 'deleted'
          when "sourceType" = 'recording' then 'recordings' else 'assets' end as kind,
        greatest("storedBytes", coalesce("size", 0)) + "ipfsBytes" as bytes
      from "Asset" where ${rowFilter} and "bytesRemovedAt" is null
      union all
      select "teamId", 'recordings', "sourceBytes" + "transcodedBytes" from "Session"
      where ${rowFilter} and "record" and "recordingRemovedAt" is null
        and "recording" in ('recording', 'waiting', 'processing', 'failed')
      union all
      select "teamId", 'dvr', (("sourceBytes" + "transcodedBytes") * least(1, coalesce((
          select "dvrSeconds" from "Stream" where "id" = "Session"."parentId"), 0)
        / greatest("sourceSegmentsDuration", 1)))::bigint from "Session"
      where ${rowFilter} and "recording" = 'transient' and "recordingRemovedAt" is null)
    select "teamId",
      coalesce(sum(bytes) filter (where kind = 'assets'), 0)::bigint as assets,
      coalesce(sum(bytes) filter (where kind = 'recordings'), 0)::bigint as recordings,
      coalesce(sum(bytes) filter (where kind = 'dvr'), 0)::bigint as dvr,
      coalesce(sum(bytes) filter (where kind = 'deleted'), 0)::bigint as deleted
    from stored group by "teamId"`;
}

function totalOf(rows: readonly Omit<Sums, 'teamId'>[]): StoredBytes {
  const sum = (kind: keyof Omit<Sums, 'teamId'>) => rows.reduce((total, row) => total + Number(row[kind]), 0);
  const [assets, recordings] = [sum('assets'), sum('recordings')];
  const [dvr, deletedBytes] = [sum('dvr'), sum('deleted')];
  return { bytes: assets + recordings + dvr + deletedBytes, assets, recordings, dvr, deleted: deletedBytes };
}

/** Stored bytes of one team; zeros if it has none. */
export async function readTeamStoredBytes(ctx: Pick<Context, 'db'>, teamId: string): Promise<StoredBytes> {
  return (await readStoredBytes(ctx, [teamId])).get(teamId) ?? emptyBytes;
}

interface DiskRow {
  readonly machineId: string | null;
  readonly region: string | null;
  readonly diskFreeBytes: bigint;
  readonly seenAt: Date;
}

/** Stored bytes of the service, and the free space on its disks. */
export async function readServiceStorage(ctx: Context): Promise<ServiceStorage> {
  const [sums, disks, [database]] = await Promise.all([
    readSums(ctx, Prisma.sql`true`),
    // Processes on one machine share its disk, so the newest report of each machine counts.
    ctx.db.$queryRaw<DiskRow[]>`
      select distinct on (coalesce("machineId", "id")) "machineId", "region", "diskFreeBytes", "seenAt"
      from "Node" where "diskFreeBytes" is not null
      order by coalesce("machineId", "id"), "seenAt" desc`,
    ctx.db.$queryRaw<{ bytes: bigint }[]>`select pg_database_size(current_database()) as bytes`,
  ]);
  return {
    ...totalOf(sums),
    databaseBytes: Number(database?.bytes ?? 0),
    bucket: ctx.settings.s3?.bucket ?? null,
    disks: disks.map(({ machineId, region, diskFreeBytes, seenAt }) => ({
      machineId,
      region,
      freeBytes: Number(diskFreeBytes),
      lastSeen: seenAt.getTime(),
    })),
  };
}
