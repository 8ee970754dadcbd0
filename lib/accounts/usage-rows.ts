import type { AccountContext } from '@/lib/context';
import { Prisma } from '@/lib/generated/prisma/client';

/** Days in UTC, both included, as `2026-01-31`. */
export interface Span {
  readonly from: string;
  readonly to: string;
}

/** What the rows of every table of usage have: seconds, and bytes. */
export interface MediaRow {
  readonly ingested: number;
  readonly transcoded: number;
  readonly deliveredBytes: bigint;
  readonly delivered: number;
}

/** A hundredth of a minute is as exact as anybody bills. */
export const minutesOf = (seconds: number): number => Math.round((seconds / 60) * 100) / 100;

export const mediaOf = ({ ingested, transcoded, deliveredBytes, delivered }: MediaRow) => ({
  ingestedMinutes: minutesOf(ingested),
  transcodedMinutes: minutesOf(transcoded),
  deliveredBytes: Number(deliveredBytes),
  deliveredMinutes: minutesOf(delivered),
});

/** The account's sessions that were live at the first day or after it. None is without length. */
export const livedSince = ({ actor }: AccountContext, { from }: Span) => Prisma.sql`
  select "parentId" as stream, "createdAt" at time zone 'utc' as began,
    greatest("lastSeen" at time zone 'utc', "createdAt" at time zone 'utc' + interval '1 ms') as ended,
    "sourceSegmentsDuration" as ingested, "transcodedSegmentsDuration" as transcoded
  from "Session" where "userId" = ${actor.userId}::uuid and "lastSeen" >= ${from}::timestamp at time zone 'utc'`;

/** What was delivered on these days, summed up by a column of "DeliveredDay". */
export const sentBy = (column: Prisma.Sql, { actor }: AccountContext, { from, to }: Span) => Prisma.sql`
  select ${column}, sum("bytes")::bigint as bytes, sum("seconds") as seconds
  from "DeliveredDay" where "userId" = ${actor.userId}::uuid and "day" between ${from}::date and ${to}::date
  group by 1`;
