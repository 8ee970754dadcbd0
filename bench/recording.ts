import { execFile } from 'node:child_process';
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { mp4File } from '@/lib/core/sessions/recorded-segment';
import { recordingKey } from '@/lib/core/storage-keys';
import { openStorage, type StorageDriver } from '@/lib/infra/storage';
import type { MediaPacket } from '../media-worker/media/packets/media-packet';
import { segmentFile, periodFiles } from '../media-worker/recording/session-recording';
import { Packager } from '../media-worker/media/packaging/packager';
import { demuxFlv } from '../media-worker/media/packaging/testing/flv-file';
import { LiveWindow } from '../media-worker/media/packaging/window';
import { makeRecording } from '../media-worker/recording/make-recording';
import type { Bench } from './lib/bench';
import { makeClip } from './lib/clip';
import { formatNumber, markdownTable, median, formatRatio } from './lib/figures';

/** Time to create the playlists and the MP4 of a recording of one hour, compared with an ffmpeg that copies the same segments. */

const execFileAsync = promisify(execFile);
const CLIP_SECONDS = 40;
const HOURS = 1;
const sessionId = '00000000-0000-4000-8000-000000000001';
/** A session with the same segments for the source and each rendition. */
const ladderSessionId = '00000000-0000-4000-8000-000000000002';
const renditions = ['720p', '480p', '360p'];

/** The packets of the clip, repeated on one timeline. */
function* repeatPackets(clip: readonly MediaPacket[], times: number): Generator<MediaPacket> {
  for (let n = 0; n < times; n++) {
    const shift = n * CLIP_SECONDS * 1_000;
    for (const packet of clip) {
      if (packet.role === 'config') {
        if (n === 0) yield packet;
      } else yield { ...packet, dts: packet.dts + shift, pts: packet.pts + shift };
    }
  }
}

/**
 * Stores the segments of a recording like the recorder.
 * @returns the number of segments and their total size
 */
async function storeSegments(storage: StorageDriver, clip: readonly MediaPacket[]) {
  const startedAt = Date.UTC(2030, 0, 1);
  const time = { ms: 0 };
  const clock = { now: () => new Date(startedAt + time.ms), monotonic: () => time.ms };
  const window = new LiveWindow({ clock });
  window.startPublish(1);
  const storedTotals = { segments: 0, bytes: 0 };
  let pendingWrites: Promise<unknown> = Promise.resolve();
  window.observe({
    onSegment: (segment) => {
      const isFirst = storedTotals.segments === 0;
      storedTotals.segments += 1;
      storedTotals.bytes += segment.bytes;
      const filesOf = (name: string) => [
        ...(isFirst ? periodFiles(name, segment, window) : []),
        segmentFile(name, segment),
      ];
      const sourceFiles = filesOf('source');
      pendingWrites = pendingWrites.then(async () => {
        for (const { file, content } of sourceFiles)
          await storage.put(recordingKey(sessionId, file), content);
        for (const name of ['source', ...renditions]) {
          // The files of the renditions are links to the files of the source, to save disk space.
          for (const [index, { file }] of filesOf(name).entries()) {
            const from = sourceFiles[index]?.file;
            if (from !== undefined)
              await storage.copy(recordingKey(sessionId, from), recordingKey(ladderSessionId, file));
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
  for (const packet of repeatPackets(clip, (HOURS * 3_600) / CLIP_SECONDS)) {
    time.ms = Math.max(time.ms, packet.dts);
    const segmentsBefore = storedTotals.segments;
    packager.push(packet);
    // The loop waits until a segment is stored, so that memory holds one segment instead of an hour.
    if (storedTotals.segments !== segmentsBefore) await pendingWrites;
  }
  packager.finish();
  await pendingWrites;
  return storedTotals;
}

/** Flushes pending writes of all files, so that a measurement does not wait for the writes of the previous measurement. */
const flushWrites = () => execFileAsync('sync', [], { timeout: 300_000 });

async function measureSeconds(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1_000;
}

export const recording: Bench = {
  title: 'Finishing a recording',
  explanation:
    'One hour of 720p30 (2 Mbit/s H.264 + AAC) is stored in 2 s segments on local disk. Headwater makes ' +
    'playlists and one MP4 with its index in front; ffmpeg copies the same segments, read through the ' +
    'playlist, into such an MP4 (`-c copy -movflags +faststart`). The second row adds three renditions with ' +
    'as many segments. Each run makes the three in turn, from warm files, with no output file yet and no ' +
    'unwritten data left. Headwater flushes its file to disk at the end (fsync), ffmpeg does not. Goal: at ' +
    'most 1.5 × ffmpeg.',
  defaults: { runs: 3, window: 1, warmUp: 1 },
  async run(scope, directory, options) {
    const flv = join(directory, 'clip.flv');
    await execFileAsync('ffmpeg', [
      '-v',
      'error',
      '-i',
      await makeClip(directory),
      '-c',
      'copy',
      '-f',
      'flv',
      flv,
    ]);
    const storage = openStorage({ dataDir: directory });
    options.progress('one hour of segments');
    const storedTotals = await storeSegments(storage, demuxFlv(await readFile(flv)));
    const signal = new AbortController().signal;
    const finishRecording = (id: string) => makeRecording(id, { storage, signal });
    await finishRecording(sessionId);
    const playlist = await storage.withFile(recordingKey(sessionId, 'hls/source/index.m3u8'), (path) =>
      Promise.resolve(path),
    );
    const copyPath = join(directory, 'copy.mp4');
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
      copyPath,
    ];
    const [headwaterTimes, ladderTimes, ffmpegTimes]: [number[], number[], number[]] = [[], [], []];
    for (let n = 0; n < options.runs; n++) {
      options.progress(`run ${n + 1} of ${options.runs}`);
      for (const [id, times] of [
        [sessionId, headwaterTimes],
        [ladderSessionId, ladderTimes],
      ] as const) {
        await storage.delete(recordingKey(id, mp4File));
        await flushWrites();
        times.push(await measureSeconds(() => finishRecording(id)));
      }
      await rm(copyPath, { force: true });
      await flushWrites();
      ffmpegTimes.push(await measureSeconds(() => execFileAsync('ffmpeg', args, { timeout: 300_000 })));
    }
    const { size } = await stat(copyPath);
    const mp4 = await storage.head(recordingKey(sessionId, 'source.mp4'));
    return markdownTable(
      ['what', 'seconds, median', 'to ffmpeg', 'each run', 'MP4, MB'],
      [
        [
          'Headwater',
          formatNumber(median(headwaterTimes), 2),
          formatRatio(median(headwaterTimes), median(ffmpegTimes)),
          formatTimes(headwaterTimes),
          formatMegabytes(mp4?.bytes),
        ],
        [
          'with 3 renditions',
          formatNumber(median(ladderTimes), 2),
          formatRatio(median(ladderTimes), median(ffmpegTimes)),
          formatTimes(ladderTimes),
          '',
        ],
        [
          'ffmpeg -c copy',
          formatNumber(median(ffmpegTimes), 2),
          '',
          formatTimes(ffmpegTimes),
          formatMegabytes(size),
        ],
        [`${storedTotals.segments} segments`, '', '', '', formatMegabytes(storedTotals.bytes)],
      ],
    );
  },
};

const formatTimes = (seconds: readonly number[]): string =>
  seconds.map((value) => formatNumber(value, 2)).join(' · ');
const formatMegabytes = (bytes = 0): string => formatNumber(bytes / 1_000_000, 1);
