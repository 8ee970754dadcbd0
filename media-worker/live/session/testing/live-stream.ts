import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Profile } from '@/lib/contract/streams/profile';
import { systemClock, type Clock } from '@/lib/infra/clock';
import { createLogger } from '@/lib/infra/logger';
import type { AuthorizedPublish, HealthRecord } from '@/lib/domain/streams';
import type { MediaPacket } from '@/media-worker/media/packets/media-packet';
import type { Spool } from '@/media-worker/recording/spool';
import { HealthLog } from '@/media-worker/live/health/health-log';
import { LiveSession } from '@/media-worker/live/session/live-session';
import { ProgressMeter } from '@/media-worker/live/session/progress-meter';
import { createRecorder } from '@/media-worker/recording/recorder';
import { TranscodeBudget } from '@/media-worker/live/transcode/transcode-budget';
import { startTranscoder } from '@/media-worker/live/transcode/transcoder';
import type { LiveWindow } from '@/media-worker/media/packaging/window';
import { FakeConnection } from './fake-connection';
import { demuxFlv } from '@/media-worker/media/packaging/testing/flv-file';

const run = promisify(execFile);

interface Encoding {
  readonly size: string;
  readonly seconds: number;
  /** Additional ffmpeg arguments, for example keyframe positions. */
  readonly ffmpegArguments: readonly string[];
}

/** Encodes H.264 at 30 frames a second and AAC with ffmpeg. */
export async function encode({
  size,
  seconds,
  ffmpegArguments: additionalArguments,
}: Encoding): Promise<MediaPacket[]> {
  const folder = await mkdtemp(join(tmpdir(), 'encode-'));
  const file = join(folder, 'media.flv');
  try {
    await run('ffmpeg', [
      ...['-v', 'error', '-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=30`],
      ...['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=44100', '-t', `${seconds}`],
      ...[
        '-c:v',
        'libx264',
        '-preset',
        'ultrafast',
        '-pix_fmt',
        'yuv420p',
        '-g',
        '9999',
        '-sc_threshold',
        '0',
      ],
      ...[...additionalArguments, '-c:a', 'aac', '-f', 'flv', file],
    ]);
    return demuxFlv(await readFile(file));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Creates a profile with this height in 16:9. */
export const profile = (height: number, changes: Partial<Profile> = {}): Profile => ({
  name: `${height}p`,
  width: Math.round((height * 16) / 9),
  height,
  bitrate: 300_000,
  fps: 0,
  ...changes,
});

interface OpenStreamOptions {
  readonly budget?: TranscodeBudget;
  readonly clock?: Clock;
  /** Records into this spool, under the session id `session`. */
  readonly spool?: Spool;
  readonly ids?: Pick<AuthorizedPublish, 'streamId' | 'sessionId'>;
  /** Writes samples of the stream's health. */
  readonly writeHealth?: (records: readonly HealthRecord[]) => Promise<void>;
}

const statusWriter = { reportFailure: () => Promise.resolve() };

/** Opens a live session whose renditions are made by ffmpeg, and collects its reports. */
export function openStream(
  profiles: readonly Profile[],
  {
    budget = new TranscodeBudget(2),
    clock = systemClock,
    spool,
    ids = { streamId: 'stream', sessionId: 'session' },
    writeHealth = () => Promise.resolve(),
  }: OpenStreamOptions = {},
) {
  const publish: AuthorizedPublish = {
    ...ids,
    playbackId: 'abcd1234efgh5678',
    publishNumber: 7,
    publishedAt: new Date(0),
    settings: { version: 0, profiles: [...profiles], record: spool !== undefined },
  };
  const reports: (readonly string[])[] = [];
  const health = new HealthLog(clock, writeHealth);
  const session = new LiveSession(publish, {
    clock,
    log: createLogger('test', 'silent'),
    meter: new ProgressMeter(() => Promise.resolve(), clock),
    features: [
      health.start,
      ...(spool ? [createRecorder({ spool, statusWriter, readFreeBytes: () => Promise.resolve(1) })] : []),
      startTranscoder({ clock, budget }),
    ],
    onOver: () => undefined,
    record: {
      markActive: () => undefined,
      recordIssues: (_publish, issues) => void reports.push(issues),
      recordRejection: () => undefined,
      recordProgram: () => undefined,
      recordSwitch: () => undefined,
      recordSlate: () => undefined,
      markIdle: () => Promise.resolve(),
    },
  });
  let publishNumber = publish.publishNumber;
  const connect = () => {
    const connection = new FakeConnection(() => clock.monotonic());
    connection.onAdmitted(session.attach({ ...publish, publishNumber: publishNumber++ }, connection));
    return connection;
  };
  const configure = (profiles: readonly Profile[]) =>
    session.configure({ ...publish.settings, version: 1, profiles: [...profiles] });
  return { session, connect, configure, reports, health };
}

export const windowOf = (session: LiveSession, name: string): LiveWindow | undefined =>
  session.renditions.get(name)?.window;

/** Times and numbers of the listed segments, for comparing two renditions. */
export const segmentCuts = (window: LiveWindow | undefined) =>
  window?.view().segments.map(({ msn, durationMs, discontinuity, wallClockMs }) => ({
    msn,
    ms: Math.round(durationMs),
    discontinuity,
    wallClockMs,
  })) ?? [];
