import type { SystemContext } from '@/lib/domain/context';
import type { HealthSample } from '@/lib/core/streams/stream-doctor';
import { deleteInBatches } from '@/lib/infra/db';

/** A health sample of a publish. */
export interface HealthRecord extends HealthSample {
  readonly streamId: string;
  readonly sessionId: string;
  /** Age of the sample in milliseconds. */
  readonly ageMs: number;
  /** Whether it is the first sample of its minute, which is kept longer. */
  readonly minute: boolean;
}

/**
 * Stores samples of many streams in one statement. Samples of deleted streams are skipped; `at` is computed with the clock
 * of the database.
 */
export async function recordHealth(ctx: SystemContext, records: readonly HealthRecord[]): Promise<void> {
  if (records.length === 0) return;
  const column = <T>(selectValue: (record: HealthRecord) => T): T[] => records.map(selectValue);
  await ctx.db.$executeRaw`
    insert into "StreamHealth" (
      "streamId", "sessionId", "at", "minute", "bitrate", "videoBitrate", "audioBitrate", "videoCodec", "width",
      "height", "audioCodec", "sampleRate", "channels", "fps", "keyframeInterval", "reorder", "jumps", "drift",
      "speed", "transcodeSpeed", "lateness", "silence")
    select
      s."id", p.session, now() - p.age * interval '1 millisecond', p.minute, p.bitrate, p.video, p.audio, p.video_codec,
      p.width, p.height, p.audio_codec, p.rate, p.channels, p.fps, p.gop, p.reorder, p.jumps, p.drift, p.speed,
      p.transcode, p.lateness, p.silence
    from unnest(
      ${column((record) => record.streamId)}::uuid[], ${column((record) => record.sessionId)}::uuid[],
      ${column((record) => record.ageMs)}::float8[], ${column((record) => record.minute)}::boolean[],
      ${column((record) => clampToInt(record.bitrate))}::int[], ${column((record) => clampToInt(record.videoBitrate))}::int[],
      ${column((record) => clampToInt(record.audioBitrate))}::int[], ${column((record) => record.video?.codec ?? null)}::text[],
      ${column((record) => record.video?.width ?? null)}::int[], ${column((record) => record.video?.height ?? null)}::int[],
      ${column((record) => record.audio?.codec ?? null)}::text[],
      ${column((record) => record.audio?.sampleRate ?? null)}::int[],
      ${column((record) => record.audio?.channels ?? null)}::int[], ${column((record) => record.fps)}::float8[],
      ${column((record) => record.keyframeInterval)}::float8[], ${column((record) => clampToInt(record.reorder))}::int[],
      ${column((record) => record.jumps)}::int[],
      ${column((record) => (record.drift === null ? null : clampToInt(record.drift)))}::int[],
      ${column((record) => record.speed)}::float8[], ${column((record) => record.transcodeSpeed)}::float8[],
      ${column((record) => (record.lateness === null ? null : clampToInt(record.lateness)))}::int[],
      ${column((record) => clampToInt(record.silence))}::int[]
    ) as p(stream, session, age, minute, bitrate, video, audio, video_codec, width, height, audio_codec, rate, channels,
      fps, gop, reorder, jumps, drift, speed, transcode, lateness, silence)
    join "Stream" s on s."id" = p.stream and s."deletedAt" is null
    on conflict do nothing`;
}

const MAX_INT = 2_147_483_647;

/** Rounds a value and limits it to the range of the column, because broken encoders may announce any value. */
function clampToInt(value: number): number {
  return Math.max(-MAX_INT, Math.min(MAX_INT, Math.round(value)));
}

const ALL_SAMPLES_RETENTION_HOURS = 12;
/** Retention of the first sample of each minute. */
const MINUTE_SAMPLES_RETENTION_DAYS = 7;

/**
 * Deletes old health samples: after 12 hours one per minute is kept, after seven days none.
 * @returns the number of deleted rows
 */
export async function expireHealthSamples({ db }: SystemContext): Promise<number> {
  const thinnedRows = await deleteInBatches(
    (limit) => db.$executeRaw`
      delete from "StreamHealth" where ctid in (
        select ctid from "StreamHealth"
        where not "minute" and "at" < now() - make_interval(hours => ${ALL_SAMPLES_RETENTION_HOURS}) limit ${limit})`,
  );
  const deletedRows = await deleteInBatches(
    (limit) => db.$executeRaw`
      delete from "StreamHealth" where ctid in (
        select ctid from "StreamHealth"
        where "minute" and "at" < now() - make_interval(days => ${MINUTE_SAMPLES_RETENTION_DAYS}) limit ${limit})`,
  );
  return thinnedRows + deletedRows;
}
