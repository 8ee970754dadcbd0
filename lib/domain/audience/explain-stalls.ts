import { MINUTE_MS, MINUTE_SECONDS } from '@/lib/core/units';
import { type EncoderSample, summarizeEncoder, explainStall } from '@/lib/core/audience/explain-stall';
import type { SystemContext } from '@/lib/domain/context';

interface StalledMinute {
  readonly objectId: string;
  readonly teamId: string;
  readonly startsAt: Date;
  /** Database time in Unix milliseconds. */
  readonly now: number;
  readonly stalls: number;
  readonly stallMs: number;
  readonly stalledViews: number;
  readonly slowStalls: number;
  readonly edgeStalls: number;
  readonly overloadedMs: number;
  readonly viewers: number;
  readonly isStream: boolean;
  /** Whether viewers got another input, for example the standby encoder, in this minute or up to 5 s before it. */
  readonly switched: boolean;
  /** [Unix milliseconds, bitrate, speed, transcodeSpeed, latenessMs, silenceMs] of each sample, in order of time. */
  readonly samples:
    | readonly (readonly [number, number, number, number | null, number | null, number | null])[]
    | null;
}

/**
 * Number of recent minutes that are explained repeatedly. A stall is reported when it ends, at most two minutes later, and
 * is written seconds after that.
 */
const OPEN_MINUTES = 5;
/** Usual buffer of a player. */
const BUFFER_MS = 10_000;
/** Extra samples on both sides of a minute, which show an interruption at its edge. */
const MARGIN_SECONDS = 30;
/** Delay between taking a sample and writing it. */
const WRITE_DELAY_MS = 15_000;
const MAX_MINUTES = 2_000;

/**
 * Explains why viewers stalled in the last minutes, from samples of the encoder and the machines. Runs repeatedly while a
 * minute may still change.
 * @returns number of minutes
 */
export async function explainStalls({ db }: SystemContext): Promise<number> {
  const minutes = await db.$queryRaw<StalledMinute[]>`
    with stalled as (
      select "objectId", "teamId", "startsAt", sum("stalls")::int as stalls, sum("stallMs")::float8 as "stallMs",
        sum("stalledViews")::int as "stalledViews", sum("slowStalls")::int as "slowStalls",
        sum("edgeStalls")::int as "edgeStalls", sum("overloadedMs")::float8 as "overloadedMs", sum("peak")::int as viewers
      from "AudiencePeriod"
      where "seconds" = ${MINUTE_SECONDS} and "startsAt" > now() - make_interval(mins => ${OPEN_MINUTES}) and "stalls" > 0
      group by 1, 2, 3 order by 3 desc, 4 desc limit ${MAX_MINUTES})
    select m.*, extract(epoch from now())::float8 * 1000 as now, s."id" is not null as "isStream",
      exists (
        select from "Event" e
        where e."streamId" = s."id" and e."name" = 'stream.switched'
          and e."createdAt" >= m."startsAt" - interval '5 seconds' and e."createdAt" < m."startsAt" + interval '1 minute'
      ) as switched,
      (
        select jsonb_agg(
          jsonb_build_array(
            extract(epoch from h."at") * 1000, h."bitrate", h."speed", h."transcodeSpeed", h."lateness", h."silence")
          order by h."at")
        from "StreamHealth" h
        where h."streamId" = s."id" and h."at" > m."startsAt" - make_interval(secs => ${MARGIN_SECONDS})
          and h."at" < m."startsAt" + make_interval(secs => ${MINUTE_SECONDS + MARGIN_SECONDS})
      ) as samples
    from stalled m left join "Stream" s on s."id" = m."objectId"`;
  if (minutes.length === 0) return 0;
  const explainedMinutes = minutes.map((minute) => ({ ...minute, ...explainMinute(minute), samples: null }));
  await db.$executeRaw`
    insert into "StallMinute" (
      "objectId", "teamId", "minute", "cause", "measure", "stalls", "stallMs", "stalledViews", "viewers")
    select m."objectId", m."teamId", m."startsAt", m."cause", m."measure", m."stalls", m."stallMs", m."stalledViews",
      m."viewers"
    from jsonb_to_recordset(${JSON.stringify(explainedMinutes)}::jsonb) as m(
      "objectId" uuid, "teamId" uuid, "startsAt" timestamptz, "cause" text, "measure" float8, "stalls" int,
      "stallMs" bigint, "stalledViews" int, "viewers" int)
    join "Team" t on t."id" = m."teamId"
    order by 1, 3
    on conflict ("objectId", "minute") do update set
      "cause" = excluded."cause", "measure" = excluded."measure", "stalls" = excluded."stalls",
      "stallMs" = excluded."stallMs", "stalledViews" = excluded."stalledViews", "viewers" = excluded."viewers"`;
  return minutes.length;
}

function explainMinute(minute: StalledMinute) {
  const { startsAt, isStream, switched, samples, stalls, slowStalls, edgeStalls, overloadedMs } = minute;
  const startMs = startsAt.getTime();
  // A player plays its buffer first, so the cause may lie before the minute.
  const period = {
    fromMs: startMs - BUFFER_MS,
    toMs: Math.min(startMs + MINUTE_MS, minute.now - WRITE_DELAY_MS),
  };
  const encoderSamples = (samples ?? []).map(
    ([takenAtMs, bitrate, speed, transcodeSpeed, latenessMs, silenceMs]): EncoderSample => ({
      takenAtMs,
      bitrate,
      speed,
      transcodeSpeed,
      latenessMs,
      silenceMs,
    }),
  );
  const encoder = isStream ? summarizeEncoder(encoderSamples, period, switched) : null;
  return explainStall({ stalls, slowStalls, edgeStalls, overloadedMs, encoder });
}
