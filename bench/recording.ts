import { execFile } from 'node:child_process';
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { mp4File } from '@/lib/core/sessions/recorded-segment';
import { recordingKey } from '@/lib/core/storage-keys';
import { openStorage, type StorageDriver } from '@/lib/infra/storage';
import type { MediaPacket } from '../media-worker/media/packets/media-packet';
import { segmentFileOf, periodFilesOf } from '../media-worker/recording/session-recording';
import { Packager } from '../media-worker/media/packaging/packager';
import { packetsOfFlv } from '../media-worker/media/packaging/testing/flv-file';
import { LiveWindow } from '../media-worker/media/packaging/window';
import { makeRecording } from '../media-worker/recording/make-recording';
import type { Bench } from './lib/bench';
import { makeClip } from './lib/clip';
import { digits, markdownTable, median, ratio } from './lib/figures';

/** Time to make playlists and an MP4 of a one-hour recording, compared with ffmpeg copying the same segments. */

const run = promisify(execFile);
const clipSeconds = 40;
const hours = 1;
const sessionId = '00000000-0000-4000-8000-000000000001';
/** A session with the same segments for the source and each rendition. */
const ladderId = '00000000-0000-4000-8000-000000000002';
const renditions = ['720p', '480p', '360p'];

/** Repeats the packets of the clip on one timeline. */
function* packetsOf(clip: readonly MediaPacket[], times: number): Generator<MediaPacket> {
  for (let n = 0; n < times; n++) {
    const shift = n * clipSeconds * 1_000;
    for (const packet of clip) {
      if (packet.role === 'config') {
        if (n === 0) yield packet;
      } else yield { ...packet, dts: packet.dts + shift, pts: packet.pts + shift };
    }
  }
}

/**
 * Stores every segment like the recorder.
 * @returns their number and total size
 */
async function storeHours(storage: StorageDriver, clip: readonly MediaPacket[]) {
  const startedAt = Date.UTC(2030, 0, 1);
  const time = { ms: 0 };
  const clock = { now: () => new Date(startedAt + time.ms), monotonic: () => time.ms };
  const window = new LiveWindow({ clock });
  window.startPublish(1);
  const storedTotals = { segments: 0, bytes: 0 };
  let waiting: Promise<unknown> = Promise.resolve();
  window.observe({
    onSegment: (segment) => {
      const first = storedTotals.segments === 0;
      storedTotals.segments += 1;
      storedTotals.bytes += segment.bytes;
      const filesOf = (name: string) => [
        ...(first ? periodFilesOf(name, segment, window) : []),
        segmentFileOf(name, segment),
      ];
      const plain = filesOf('source');
      waiting = waiting.then(async () => {
        for (const { file, body } of plain) await storage.put(recordingKey(sessionId, file), body);
        for (const name of ['source', ...renditions]) {
          // The renditions have the same bytes, linked to save disk space.
          for (const [index, { file }] of filesOf(name).entries()) {
            const from = plain[index]?.file;
            if (from !== undefined)
              await storage.copy(recordingKey(sessionId, from), recordingKey(ladderId, file));
          }
        }
      });
    },
  });
  const packager = new Packager({
    clock,
    emit: (event) => {
      if (event.type === 'init' || event.type === 'part' || event.type === 'segment') window.apply(event);
    },
  });
  for (const packet of packetsOf(clip, (hours * 3_600) / clipSeconds)) {
    time.ms = Math.max(time.ms, packet.dts);
    const segmentsBefore = storedTotals.segments;
    packager.push(packet);
    // Wait for each segment to be stored, so that memory holds one segment instead of an hour.
    if (storedTotals.segments !== segmentsBefore) await waiting;
  }
  packager.finish();
  await waiting;
  return storedTotals;
}

/** Flushes pending writes, so that a measurement does not wait for those of the previous one. */
const flushWrites = () => run('sync', [], { timeout: 300_000 });

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1_000;
}

export const recording: Bench = {
  title: 'Finishing a recording',
  explains:
    'One hour of 720p30 (2 Mbit/s H.264 + AAC) is stored in 2 s segments on local disk. Headwater makes ' +
    'playlists and one MP4 with its index in front; ffmpeg copies the same segments, read through the ' +
    'playlist, into such an MP4 (`-c copy -movflags +faststart`). The second row adds three renditions with ' +
    'as many segments. Each run makes the three in turn, from warm files, with no output file yet and no ' +
    'unwritten data left. Headwater flushes its file to disk at the end (fsync), ffmpeg does not. Goal: at ' +
    'most 1.5 × ffmpeg.',
  defaults: { runs: 3, window: 1, warmUp: 1 },
  async run(scope, directory, options) {
    const flv = join(directory, 'clip.flv');
    await run('ffmpeg', ['-v', 'error', '-i', await makeClip(directory), '-c', 'copy', '-f', 'flv', flv]);
    const storage = openStorage({ dataDir: directory });
    options.progress('one hour of segments');
    const storedTotals = await storeHours(storage, packetsOfFlv(await readFile(flv)));
    const signal = new AbortController().signal;
    const make = (id: string) => makeRecording(id, { storage, signal });
    await make(sessionId);
    const playlist = await storage.withFile(recordingKey(sessionId, 'hls/source/index.m3u8'), (path) =>
      Promise.resolve(path),
    );
    const copy = join(directory, 'copy.mp4');
    const args = [
      '-v',
      'error',
      '-nostdin',
      '-y',
      '-i',
      playlist,
      '-c',
      'copy',
      '-movflags',
      '+faststart',
      copy,
    ];
    const [headwaterTimes, ladder, ffmpegTimes]: [number[], number[], number[]] = [[], [], []];
    for (let n = 0; n < options.runs; n++) {
      options.progress(`run ${n + 1} of ${options.runs}`);
      for (const [id, times] of [
        [sessionId, headwaterTimes],
        [ladderId, ladder],
      ] as const) {
        await storage.delete(recordingKey(id, mp4File));
        await flushWrites();
        times.push(await timeOf(() => make(id)));
      }
      await rm(copy, { force: true });
      await flushWrites();
      ffmpegTimes.push(await timeOf(() => run('ffmpeg', args, { timeout: 300_000 })));
    }
    const { size } = await stat(copy);
    const mp4 = await storage.head(recordingKey(sessionId, 'source.mp4'));
    return markdownTable(
      ['what', 'seconds, median', 'to ffmpeg', 'each run', 'MP4, MB'],
      [
        [
          'Headwater',
          digits(median(headwaterTimes), 2),
          ratio(median(headwaterTimes), median(ffmpegTimes)),
          each(headwaterTimes),
          megabytes(mp4?.bytes),
        ],
        [
          'with 3 renditions',
          digits(median(ladder), 2),
          ratio(median(ladder), median(ffmpegTimes)),
          each(ladder),
          '',
        ],
        ['ffmpeg -c copy', digits(median(ffmpegTimes), 2), '', each(ffmpegTimes), megabytes(size)],
        [`${storedTotals.segments} segments`, '', '', '', megabytes(storedTotals.bytes)],
      ],
    );
  },
};

const each = (seconds: readonly number[]): string => seconds.map((value) => digits(value, 2)).join(' · ');
const megabytes = (bytes = 0): string => digits(bytes / 1_000_000, 1);
