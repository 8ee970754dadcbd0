import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { recordingKey } from '@/lib/core/storage-keys';
import { openStorage, type StorageDriver } from '@/lib/infra/storage';
import type { MediaPacket } from '@/media-worker/media/packets/media-packet';
import { segmentFile, periodFiles } from '@/media-worker/recording/session-recording';
import { demuxFlv } from '@/media-worker/media/packaging/testing/flv-file';
import { Packaging } from '@/media-worker/media/packaging/testing/packaging';

const run = promisify(execFile);

/** Records sessions from real media in a separate storage unless one is passed. Call `remove` at the end. */
export async function createRecordedSessions(driver?: StorageDriver) {
  const folder = await mkdtemp(join(tmpdir(), 'recorded-'));
  const storage = driver ?? openStorage({ dataDir: folder });
  let fileCount = 0;
  return {
    folder,
    storage,
    /**
     * Encodes media as FLV.
     * @param args arguments of ffmpeg for its inputs and encoders
     * @returns the path of the FLV file, and its packets
     */
    async encodePackets(
      seconds: number,
      ...args: string[]
    ): Promise<{ flv: string; packets: MediaPacket[] }> {
      const flv = join(folder, `${++fileCount}.flv`);
      await run('ffmpeg', ['-v', 'error', '-nostdin', ...args, '-t', `${seconds}`, '-f', 'flv', flv]);
      return { flv, packets: demuxFlv(await readFile(flv)) };
    },
    /** Stores all closed segments of a packager, like a recorder. */
    async store(sessionId: string, { segments, window }: Packaging, rendition = 'source'): Promise<void> {
      const startedPeriods = new Set<string>();
      for (const segment of segments) {
        const newPeriodFiles = startedPeriods.has(segment.init)
          ? []
          : periodFiles(rendition, segment, window);
        startedPeriods.add(segment.init);
        for (const { file, content } of [...newPeriodFiles, segmentFile(rendition, segment)]) {
          await storage.put(recordingKey(sessionId, file), content);
        }
      }
    },
    /** Path of a stored file. */
    path: (sessionId: string, file: string) =>
      storage.withFile(recordingKey(sessionId, file), (path) => Promise.resolve(path)),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** A packager of a new process, whose clock is at `startMs`, after `publishCount` publishes in other processes. */
export function createPackagingAfter(publishCount: number, startMs = 0): Packaging {
  const packaging = new Packaging();
  packaging.clock.ms = startMs;
  for (let n = 0; n < publishCount; n++) packaging.run([]);
  return packaging;
}

export interface ProbedPacket {
  readonly codec_type: 'video' | 'audio';
  readonly pts_time: string;
  readonly dts_time: string;
  readonly duration_time: string;
  readonly size: string;
  readonly flags: string;
}

/** Every packet as ffprobe demuxes it. */
export async function probePackets(input: string): Promise<{ video: ProbedPacket[]; audio: ProbedPacket[] }> {
  const entries = 'packet=codec_type,pts_time,dts_time,duration_time,size,flags';
  const { stdout } = await run('ffprobe', ['-v', 'error', '-show_entries', entries, '-of', 'json', input], {
    maxBuffer: 64 * 1024 * 1024,
  });
  const { packets } = JSON.parse(stdout) as { packets: ProbedPacket[] };
  const ofType = (type: string) => packets.filter(({ codec_type }) => codec_type === type);
  return { video: ofType('video'), audio: ofType('audio') };
}

/** Checksums of all decoded frames of one kind, in order, without their timestamps. */
export async function frameChecksums(
  input: string,
  kind: 'v' | 'a',
  args: readonly string[] = [],
): Promise<string[]> {
  const { stdout } = await run(
    'ffmpeg',
    ['-v', 'error', '-i', input, '-map', `0:${kind}`, ...args, '-f', 'framemd5', '-'],
    { maxBuffer: 64 * 1024 * 1024 },
  );
  const rows = stdout.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return rows.map((row) => row.split(',').at(-1)?.trim() ?? '');
}

/**
 * Warnings and errors of a decoder, without the warning of the demuxer about the second init segment of a
 * playlist.
 */
export async function readDecoderErrors(input: string): Promise<string> {
  // The original timestamps are kept. In units of a guessed frame rate, two timestamps beside a discontinuity could
  // be equal.
  const keepTimestamps = ['-fps_mode', 'passthrough', '-enc_time_base', '-1'];
  const { stderr } = await run('ffmpeg', [
    '-v',
    'warning',
    '-i',
    input,
    ...keepTimestamps,
    '-f',
    'null',
    '-',
  ]);
  return stderr.replaceAll(/^\[mov.*Found duplicated MOOV Atom. Skipped it\n/gm, '');
}
