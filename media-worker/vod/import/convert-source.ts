import { rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { mp4 } from '@/lib/core/media/container';
import { type VideoConversion, needsOnePass, planVideoConversion } from '@/lib/core/media/conversion';
import {
  type ProbeReport,
  type ProbedStream,
  parseAmount,
  playedTrackIndexes,
  findPlayedTracks,
  videoEndOf,
} from '@/lib/core/media/media-probe';
import { isFragmented, MAX_SECONDS, tooLongMessage } from '@/lib/core/media/media-rules';
import { parseTaskLane } from '@/lib/core/tasks/task-lanes';
import { flush } from '@/lib/infra/storage/local-files';
import { audioArgs, videoArgs } from '@/media-worker/media/ffmpeg/conversion-args';
import { probe } from '@/media-worker/media/ffmpeg/probe';
import { FfmpegFailed, createOutputError, runFfmpegJob } from '@/media-worker/media/ffmpeg/run-ffmpeg-job';
import { planFastStart, planStraightening } from '@/media-worker/media/ffmpeg/vod-args';
import { TaskFailure, TaskReleased, type TaskJob } from '@/media-worker/vod/tasks/task-job';
import { type AcceptedFile, acceptFile } from './accept-file';
import { encodeVideo } from './encode-video';
import { shiftStartToZero } from './matroska-start';

/** Fraction of the progress of a conversion for `copyToStraightFile`. */
const STRAIGHTEN_FRACTION = 0.05;
/** By how much the output may be shorter than the input: a fraction of the input, plus seconds. */
const durationTolerance = { fraction: 0.02, seconds: 0.5 };

/** A file for players, with its path. */
export interface PlayedFile extends AcceptedFile {
  readonly path: string;
}

/** Whether a file has to be converted to MP4 before players can use it. */
export const needsConversionToMp4 = ({ handling, container }: AcceptedFile): boolean =>
  handling.kind === 'encode' || container.demuxer !== mp4.demuxer;

/**
 * Converts an accepted file to an MP4 that players can use, `video.mp4` in the task's folder. Tracks are encoded or
 * copied as `handling` says. Encoding runs in the lane `encode`. A later run on this machine continues with the
 * finished chunks.
 * @param onFraction called with the progress of the conversion, 0 to 1
 * @throws TaskReleased if a file to encode is in another lane; TaskFailure if the file cannot be converted;
 * FfmpegKilled; ProbeFault; StorageError
 */
export async function convertSource(
  job: TaskJob,
  path: string,
  file: AcceptedFile,
  onFraction: (fraction: number) => void,
): Promise<PlayedFile> {
  const video = videoToEncode(file);
  if (file.handling.kind === 'encode' && parseTaskLane(job.task.lane) !== 'encode') {
    const seconds = video ? playedSecondsOf(file.report) : 0;
    throw new TaskReleased({ lane: 'encode', cost: (video?.pixelsPerSecond ?? 0) * seconds });
  }
  const output = join(job.scratch, 'video.mp4');
  // Remove the file of an earlier run instead of overwriting it: the storage may hold a hard link to it.
  await rm(output, { force: true });
  const isMatroska = file.container.demuxer === 'matroska';
  const pathFromZero = isMatroska ? await shiftStartToZero(path, join(job.scratch, 'from-zero.mkv')) : null;
  const conversionInput = { path: pathFromZero ?? path, file, output, onFraction };
  try {
    const expectedSeconds = video
      ? await encodeTracks(job, video, conversionInput)
      : await copyVideo(job, conversionInput);
    return { ...(await inspectResult(job, output, expectedSeconds)), path: output };
  } catch (error) {
    if (error instanceof FfmpegFailed)
      throw new TaskFailure(`the file cannot be converted: ${error.message}`);
    throw error;
  }
}

function videoToEncode({ handling, report }: AcceptedFile): VideoConversion | null {
  const { video } = findPlayedTracks(report);
  return video && handling.kind === 'encode' && handling.video === 'encode'
    ? planVideoConversion(video)
    : null;
}

interface Conversion {
  readonly path: string;
  readonly file: AcceptedFile;
  readonly output: string;
  readonly onFraction: (fraction: number) => void;
}

/**
 * Copies the video and encodes or copies the audio in one pass, because neither is cut into chunks.
 * @returns null, because the duration in the file may be wrong
 */
async function copyVideo({ signal }: TaskJob, { path, file, output, onFraction }: Conversion): Promise<null> {
  const { report, container, outline } = file;
  const seconds = parseAmount(report.format.duration) ?? 0;
  const playedTracks = playedTrackIndexes(report);
  const videoEnd = isFragmented(outline) ? null : videoEndOf(report);
  const source = { input: path, demuxer: container.demuxer, playedTracks, videoEnd };
  await runFfmpegJob(planFastStart(source, output, audioArgsOf(file)), {
    signal,
    // Without a duration, only a stall ends ffmpeg.
    durationSeconds: seconds || MAX_SECONDS,
    onProgress: (progress) => onFraction(progress.seconds / Math.max(seconds, progress.seconds, 1)),
  });
  return null;
}

/**
 * Encodes the video, and encodes or copies the audio.
 * @returns the expected duration of the result in seconds; null if it is not certain
 */
async function encodeTracks(
  job: TaskJob,
  conversion: VideoConversion,
  { path, file, output, onFraction }: Conversion,
): Promise<number | null> {
  const { signal, scratch } = job;
  const isOnePass = needsOnePass(file);
  const needsStraightening = file.container.demuxer !== mp4.demuxer && !isOnePass;
  const playedSource = needsStraightening
    ? await copyToStraightFile(job, path, file, onFraction)
    : { ...file, path };
  const { report, container } = playedSource;
  const { video, audio } = findPlayedTracks(report);
  // Without a duration, only a stall ends ffmpeg.
  const durationSeconds = playedSecondsOf(report) || (isOnePass ? MAX_SECONDS : 0);
  if (durationSeconds <= 0) throw new TaskFailure('the file has no duration');
  if (durationSeconds > MAX_SECONDS) throw new TaskFailure(tooLongMessage('video', durationSeconds));
  const startFraction = needsStraightening ? STRAIGHTEN_FRACTION : 0;
  const encoding = {
    input: playedSource.path,
    output,
    chunkFolder: join(scratch, 'chunks'),
    rendition: conversion.rendition,
    durationSeconds,
    startSeconds: Number(report.format.start_time ?? 0) || 0,
    videoEnd: isFragmented(file.outline) ? null : videoEndOf(report),
    fps: conversion.fps,
    isOnePass,
    pixelsPerSecond: conversion.pixelsPerSecond,
    source: {
      demuxer: container.demuxer,
      videoTrack: video?.index ?? 0,
      audioTrack: audio?.index ?? null,
      ...videoArgs(conversion),
      audioArgs: audioArgsOf(file),
    },
  };
  await encodeVideo(encoding, {
    signal,
    onFraction: (fraction) => onFraction(startFraction + (1 - startFraction) * fraction),
    betweenChunks: job.yieldSlot,
  });
  return isOnePass ? null : durationSeconds;
}

/**
 * Copies the played tracks to a file that can be cut anywhere: other containers have jumping times, missing or estimated
 * durations, and keyframes that are hard to find.
 */
async function copyToStraightFile(
  { signal, scratch }: TaskJob,
  input: string,
  { container, report }: AcceptedFile,
  onFraction: (share: number) => void,
): Promise<Pick<PlayedFile, 'path' | 'report' | 'container'>> {
  const path = join(scratch, 'straight.mkv');
  const declaredSeconds = parseAmount(report.format.duration) ?? 0;
  if (!(await stat(path).catch(() => null))) {
    const partPath = `${path}.part`;
    const source = { input, demuxer: container.demuxer, playedTracks: playedTrackIndexes(report) };
    await runFfmpegJob(planStraightening(source, partPath), {
      signal,
      durationSeconds: declaredSeconds || MAX_SECONDS,
      onProgress: ({ seconds }) =>
        onFraction(STRAIGHTEN_FRACTION * (seconds / Math.max(declaredSeconds, seconds, 1))),
    });
    await flush(partPath);
    await rename(partPath, path);
  }
  const straightContainer = { ...mp4, label: 'Matroska', demuxer: 'matroska' };
  const probeResult = await probe(path, { signal, container: straightContainer });
  if (!probeResult.ok) throw await createOutputError(scratch, probeResult.reason);
  return { path, container: straightContainer, report: probeResult.report };
}

/** Duration of the longer played track, or of the file if a track has no duration; seconds. */
function playedSecondsOf(report: ProbeReport): number {
  const fileSeconds = parseAmount(report.format.duration) ?? 0;
  const { video, audio } = findPlayedTracks(report);
  const trackSeconds = (track: ProbedStream | null) =>
    track ? (parseAmount(track.duration) ?? fileSeconds) : 0;
  return Math.max(trackSeconds(video), trackSeconds(audio));
}

/** The ffmpeg options that encode the audio; empty if it is copied, or there is none. */
function audioArgsOf({ handling, report }: AcceptedFile): string[] {
  const { audio } = findPlayedTracks(report);
  if (!audio || handling.kind !== 'encode' || handling.audio !== 'encode') return [];
  return audioArgs({ channels: audio.channels ?? 0, sampleRate: parseAmount(audio.sample_rate) ?? 0 });
}

/**
 * Checks the result, because ffmpeg can exit with 0 after an error.
 * @param expectedSeconds expected duration; null if it is not certain
 * @throws FfmpegFailed or StorageError `full` for an invalid result
 */
async function inspectResult(
  { signal, scratch }: TaskJob,
  output: string,
  expectedSeconds: number | null,
): Promise<AcceptedFile> {
  const acceptance = await acceptFile(output, { isOwnFile: true }, signal);
  if (!acceptance.accepted) throw await createOutputError(scratch, acceptance.reason);
  const seconds = playedSecondsOf(acceptance.report);
  const knownSeconds = expectedSeconds ?? seconds;
  const tolerance = knownSeconds * durationTolerance.fraction + durationTolerance.seconds;
  // A longer result is complete: the file announced a wrong duration.
  if (knownSeconds - seconds > tolerance) {
    throw await createOutputError(scratch, `the result lasts ${seconds} s instead of ${knownSeconds} s`);
  }
  return acceptance;
}
