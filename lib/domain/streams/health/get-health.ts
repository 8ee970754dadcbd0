import type { TeamContext } from '@/lib/domain/context';
import type { StreamHealthObject, StreamHealthSample } from '@/lib/contract/streams/stream-health';
import { AppError, isFieldIssue } from '@/lib/core/errors';
import { issuesOrNull } from '@/lib/core/streams/stream-doctor';
import { resolveHealthRange, SAMPLE_MS, type HealthRange } from '@/lib/core/streams/health-range';
import { readRows } from '@/lib/infra/db';
import { requireStream } from '@/lib/domain/streams/internal';
import { issueReasonsField } from '@/lib/core/reasons/reason';

interface HealthQuery {
  readonly minutes?: string;
  readonly from?: string;
  readonly to?: string;
  readonly points?: string;
}

/** Maximum age of a sample that counts as current. */
const CURRENT_SAMPLE_MS = 15_000;

/**
 * Measurements of a stream, or of one session, and the current issues.
 * @param id id of the stream, or of the child stream of a session, which is the id of the session
 * @throws AppError `not_found`, `bad_request`
 */
export async function getHealth(
  ctx: TeamContext,
  id: string,
  query: HealthQuery,
): Promise<StreamHealthObject> {
  const now = ctx.clock.now().getTime();
  const numbers = Object.entries(query).map(([name, value]) => [name, Number(value)]);
  const range = resolveHealthRange(Object.fromEntries(numbers) as Record<string, number>, now);
  if (isFieldIssue(range)) throw new AppError('bad_request', range);
  const stream = await requireStream(ctx, id);
  const sessionId = stream.parentId === null ? null : stream.id;
  const source = { streamId: stream.parentId ?? stream.id, sessionId };
  // The end is in the future, because the clock that measured may be ahead of ours.
  const newestSample = await readNewestSample(ctx, source, {
    from: now - CURRENT_SAMPLE_MS,
    to: now + CURRENT_SAMPLE_MS,
  });
  const samples = await readSamples(ctx, source, range);
  return {
    isActive: stream.isActive,
    isHealthy: stream.isHealthy,
    issues: issuesOrNull(stream.issues),
    ...issueReasonsField(stream.issues),
    latest: stream.isActive && newestSample ? sampleOf(newestSample) : null,
    from: range.from,
    to: range.to,
    interval: range.bucketMs === 0 ? SAMPLE_MS : range.bucketMs,
    samples: samples.map(sampleOf),
  };
}

type HealthRow = Omit<StreamHealthSample, 'at' | 'video' | 'audio'> & {
  readonly at: Date;
  readonly videoCodec: string | null;
  readonly width: number | null;
  readonly height: number | null;
  readonly audioCodec: string | null;
  readonly sampleRate: number | null;
  readonly channels: number | null;
};

/** SQL expression for the newest value in a bucket, for columns that describe the tracks. */
const newestOf = (column: string) => `(array_agg("${column}" order by "at" desc))[1] as "${column}"`;
const bucketSql = `
  select
    max("at") as "at", ${['sessionId', 'videoCodec', 'width', 'height', 'audioCodec', 'sampleRate', 'channels'].map(newestOf).join(', ')},
    avg("bitrate")::int as "bitrate", avg("videoBitrate")::int as "videoBitrate",
    avg("audioBitrate")::int as "audioBitrate", avg("fps") as "fps", max("keyframeInterval") as "keyframeInterval",
    max("reorder") as "reorder", sum("jumps")::int as "jumps", avg("drift")::int as "drift", avg("speed") as "speed",
    min("transcodeSpeed") as "transcodeSpeed", max("lateness") as "lateness", max("silence") as "silence"
  from "StreamHealth"`;
const conditionSql = `
  where "streamId" = $1::uuid and "at" > $2 and "at" <= $3 and ($4::uuid is null or "sessionId" = $4::uuid)`;
const samplesByBucketSql = `${bucketSql} ${conditionSql} group by floor(extract(epoch from "at") * 1000 / $5::float8) order by 1`;
const allSamplesSql = `select * from "StreamHealth" ${conditionSql} order by "at" limit 5000`;
const newestSampleSql = `select * from "StreamHealth" ${conditionSql} order by "at" desc limit 1`;

interface SampleSource {
  readonly streamId: string;
  /** Session whose samples are read; null for all sessions of the stream. */
  readonly sessionId: string | null;
}

async function readNewestSample(
  { db }: TeamContext,
  { streamId, sessionId }: SampleSource,
  { from, to }: Pick<HealthRange, 'from' | 'to'>,
): Promise<HealthRow | undefined> {
  const values = [streamId, new Date(from), new Date(to), sessionId];
  const [newestSample] = await readRows<HealthRow>(db, { text: newestSampleSql, values });
  return newestSample;
}

/** Samples of a period, or their summaries if the range has buckets. */
function readSamples(
  { db }: TeamContext,
  { streamId, sessionId }: SampleSource,
  { from, to, bucketMs }: HealthRange,
): Promise<HealthRow[]> {
  const values = [streamId, new Date(from), new Date(to), sessionId];
  return bucketMs === 0
    ? readRows(db, { text: allSamplesSql, values })
    : readRows(db, { text: samplesByBucketSql, values: [...values, bucketMs] });
}

function sampleOf(row: HealthRow): StreamHealthSample {
  const { videoCodec, width, height, audioCodec, sampleRate, channels } = row;
  return {
    at: row.at.getTime(),
    sessionId: row.sessionId,
    bitrate: row.bitrate,
    videoBitrate: row.videoBitrate,
    audioBitrate: row.audioBitrate,
    video:
      videoCodec !== null && width !== null && height !== null ? { codec: videoCodec, width, height } : null,
    audio:
      audioCodec !== null && sampleRate !== null && channels !== null
        ? { codec: audioCodec, sampleRate, channels }
        : null,
    fps: roundTo(row.fps, 100),
    keyframeInterval: roundTo(row.keyframeInterval, 1_000),
    reorder: row.reorder,
    jumps: row.jumps,
    drift: row.drift,
    speed: roundTo(row.speed, 1_000) ?? 0,
    transcodeSpeed: roundTo(row.transcodeSpeed, 1_000),
    lateness: row.lateness,
    silence: row.silence,
  };
}

/** Rounds to the nearest of `steps` steps per unit: 100 rounds to hundredths. */
function roundTo(value: number | null, steps: number): number | null {
  return value === null ? null : Math.round(value * steps) / steps;
}
