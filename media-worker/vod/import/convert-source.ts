import { rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { mp4 } from '@/lib/core/media/container';
import { type VideoConversion, needsDecodingForTimes, videoConversionOf } from '@/lib/core/media/conversion';
import {
  type ProbeReport,
  type ProbedStream,
  amount,
  placesOf,
  playedTracks,
} from '@/lib/core/media/media-probe';
import { maxSeconds, tooLong } from '@/lib/core/media/media-rules';
import { taskLaneOf } from '@/lib/core/tasks/task-lanes';
import { flush } from '@/lib/infra/storage/local-files';
import { audioArgs, videoArgs } from '@/media-worker/media/ffmpeg/conversion-args';
import { probe } from '@/media-worker/media/ffmpeg/probe';
import { FfmpegFailed, badOutput, runFfmpegJob } from '@/media-worker/media/ffmpeg/run-ffmpeg-job';
import { fastStartPlan, straightenPlan } from '@/media-worker/media/ffmpeg/vod-args';
import { TaskFailure, TaskReleased, type TaskJob } from '@/media-worker/vod/tasks/task-job';
import { type AcceptedFile, acceptFile } from './accept-file';
import { encodeVideo } from './encode-video';

/** Share of the conversion for copying the tracks of another container. */
const straightenShare = 0.05;
/** By how much the output may be shorter than the input. */
const durationTolerance = { share: 0.02, seconds: 0.5 };

/** A file for players, with its path. */
export interface PlayedFile extends AcceptedFile {
  readonly path: string;
}

/** Whether a file has to be converted to MP4 before players can use it. */
export const playsConverted = ({ handling, container }: AcceptedFile): boolean =>
  handling.kind === 'encode' || container.demuxer !== mp4.demuxer;

/**
 * Converts an accepted file to an MP4 with H.264 and AAC, `video.mp4` in the task's folder. Encoding runs in the lane
 * `encode`. A later run on this machine continues with the finished chunks.
 * @param onShare of the conversion, 0 to 1
 * @throws TaskReleased in another lane; TaskFailure if the file cannot be converted; FfmpegKilled; StorageError
 */
export async function convertSource(
  job: TaskJob,
  path: string,
  file: AcceptedFile,
  onShare: (share: number) => void,
): Promise<PlayedFile> {
  const video = videoToEncode(file);
  if (file.handling.kind === 'encode' && taskLaneOf(job.task.lane) !== 'encode') {
    const seconds = video ? secondsOf(file.report) : 0;
    throw new TaskReleased({ lane: 'encode', cost: (video?.pixelsPerSecond ?? 0) * seconds });
  }
  const output = join(job.scratch, 'video.mp4');
  // Remove the file of an earlier run instead of overwriting it: the storage may hold a hard link to it.
  await rm(output, { force: true });
  const conversion = { path, file, output, onShare };
  try {
    const expectedSeconds = video
      ? await encodeTracks(job, video, conversion)
      : await copyVideo(job, conversion);
    return { ...(await inspectResult(job, output, expectedSeconds)), path: output };
  } catch (error) {
    if (error instanceof FfmpegFailed)
      throw new TaskFailure(`the file cannot be converted: ${error.message}`);
    throw error;
  }
}

function videoToEncode({ handling, report }: AcceptedFile): VideoConversion | null {
  const { video } = playedTracks(report);
  return video && handling.kind === 'encode' && handling.video === 'encode' ? videoConversionOf(video) : null;
}

interface Conversion {
  readonly path: string;
  readonly file: AcceptedFile;
  readonly output: string;
  readonly onShare: (share: number) => void;
}

/**
 * Copies the video and encodes or copies the audio in one pass, because neither is cut into chunks.
 * @returns null, because the duration in the file may be wrong
 */
async function copyVideo({ signal }: TaskJob, { path, file, output, onShare }: Conversion): Promise<null> {
  const { report, container } = file;
  const seconds = amount(report.format.duration) ?? 0;
  const source = { input: path, demuxer: container.demuxer, playedTracks: placesOf(report) };
  await runFfmpegJob(fastStartPlan(source, output, audioArgsOf(file)), {
    signal,
    // Without a duration, only a stall ends ffmpeg.
    duration: seconds || maxSeconds,
    onProgress: (progress) => onShare(progress.seconds / Math.max(seconds, progress.seconds, 1)),
  });
  return null;
}

/** Encodes video and audio. @returns the expected duration of the result in seconds, null if it is not certain */
async function encodeTracks(
  job: TaskJob,
  conversion: VideoConversion,
  { path, file, output, onShare }: Conversion,
): Promise<number | null> {
  const { signal, scratch } = job;
  const onePass = needsDecodingForTimes(file);
  const foreign = file.container.demuxer !== mp4.demuxer && !onePass;
  const source = foreign ? await straighten(job, path, file, onShare) : { ...file, path };
  const { report, container } = source;
  const { video, audio } = playedTracks(report);
  const duration = secondsOf(report);
  if (duration <= 0) throw new TaskFailure('the file has no duration');
  if (duration > maxSeconds) throw new TaskFailure(tooLong('video', duration));
  const start = foreign ? straightenShare : 0;
  const encoding = {
    input: source.path,
    output,
    folder: join(scratch, 'chunks'),
    rendition: conversion.rendition,
    duration,
    startsAt: Number(report.format.start_time ?? 0) || 0,
    fps: conversion.fps,
    onePass,
    pixelsPerSecond: conversion.pixelsPerSecond,
    source: {
      demuxer: container.demuxer,
      video: video?.index ?? 0,
      audio: audio?.index ?? null,
      ...videoArgs(conversion),
      audioArgs: audioArgsOf(file),
    },
  };
  await encodeVideo(encoding, {
    signal,
    onShare: (share) => onShare(start + (1 - start) * share),
    betweenChunks: job.giveWay,
  });
  return onePass ? null : duration;
}

/**
 * Copies the played tracks to a file that can be cut anywhere: other containers have jumping times, missing or estimated
 * durations, and keyframes that are hard to find.
 */
async function straighten(
  { signal, scratch }: TaskJob,
  input: string,
  { container, report }: AcceptedFile,
  onShare: (share: number) => void,
): Promise<Pick<PlayedFile, 'path' | 'report' | 'container'>> {
  const path = join(scratch, 'straight.mkv');
  const declaredSeconds = amount(report.format.duration) ?? 0;
  if (!(await stat(path).catch(() => null))) {
    const part = `${path}.part`;
    const source = { input, demuxer: container.demuxer, playedTracks: placesOf(report) };
    await runFfmpegJob(straightenPlan(source, part), {
      signal,
      duration: declaredSeconds || maxSeconds,
      onProgress: ({ seconds }) =>
        onShare(straightenShare * (seconds / Math.max(declaredSeconds, seconds, 1))),
    });
    await flush(part);
    await rename(part, path);
  }
  const straight = { ...mp4, label: 'Matroska', demuxer: 'matroska' };
  const probeResult = await probe(path, { signal, container: straight });
  if (!probeResult.ok) throw await badOutput(scratch, probeResult.reason);
  return { path, container: straight, report: probeResult.report };
}

/** Duration of the longer played track, or of the file if a track has no duration; seconds. */
function secondsOf(report: ProbeReport): number {
  const wholeSeconds = amount(report.format.duration) ?? 0;
  const { video, audio } = playedTracks(report);
  const seconds = (track: ProbedStream | null) => (track ? (amount(track.duration) ?? wholeSeconds) : 0);
  return Math.max(seconds(video), seconds(audio));
}

function audioArgsOf({ handling, report }: AcceptedFile): string[] {
  const { audio } = playedTracks(report);
  if (!audio || handling.kind !== 'encode' || handling.audio !== 'encode') return [];
  return audioArgs({ channels: audio.channels ?? 0, sampleRate: amount(audio.sample_rate) ?? 0 });
}

/** Checks the result, because ffmpeg can exit with 0 after an error. @param expectedSeconds null: not certain */
async function inspectResult(
  { signal, scratch }: TaskJob,
  output: string,
  expectedSeconds: number | null,
): Promise<AcceptedFile> {
  const acceptance = await acceptFile(output, { isRecording: true }, signal);
  if (!acceptance.accepted) throw await badOutput(scratch, acceptance.reason);
  const seconds = secondsOf(acceptance.report);
  const expectedDuration = expectedSeconds ?? seconds;
  const tolerance = expectedDuration * durationTolerance.share + durationTolerance.seconds;
  // A longer result is complete: the file announced a wrong duration.
  if (expectedDuration - seconds > tolerance) {
    throw await badOutput(scratch, `the result lasts ${seconds} s instead of ${expectedDuration} s`);
  }
  return acceptance;
}
