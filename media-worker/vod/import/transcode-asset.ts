import { statSync } from 'node:fs';
import { join } from 'node:path';
import { completeAsset, readOutputAsset, readInputAsset } from '@/lib/domain/assets';
import type { Profile } from '@/lib/contract/streams/profile';
import {
  sourceFormatOf,
  encodedPixelsPerSecond,
  createTranscodeRendition,
} from '@/lib/core/renditions/encode-plan';
import type { RenditionSpec } from '@/lib/core/renditions/ladder';
import { assetKey } from '@/lib/core/storage-keys';
import { type VideoEnd, videoEndOf } from '@/lib/core/media/media-probe';
import { createVideoSpec, type FileSpec } from '@/lib/core/media/video-spec';
import { StorageError } from '@/lib/infra/storage';
import { freeDiskSpace } from '@/lib/infra/storage/disk-space';
import { acceptFile } from './accept-file';
import { encodeVideo } from './encode-video';
import { FfmpegFailed } from '@/media-worker/media/ffmpeg/run-ffmpeg-job';
import { finishAsset, withProgressFrom } from './import-asset';
import { reserveAssetStorage } from './reserve-asset-storage';
import { TaskFailure, type TaskHandler } from '@/media-worker/vod/tasks/task-job';

/** Task progress after the encoding. */
const ENCODED_PROGRESS = 0.85;
/** Accepted difference between the durations of input and output: a fraction of the input, plus seconds. */
const durationTolerance = { fraction: 0.02, seconds: 0.5 };
/** Accepted change of the gap between the ends of audio and video. */
const MAX_DRIFT_CHANGE_SECONDS = 0.2;

/** Creates a new asset by transcoding a ready one. The input asset is not changed. */
export const transcodeAssetJob: TaskHandler = async (job) => {
  const { ctx, task, signal, scratch } = job;
  const { outputAssetId: assetId } = task;
  const input = await readInputAsset(ctx, task);
  if (assetId === null || !input) throw new TaskFailure('the asset to transcode is gone');
  const { name } = await readOutputAsset(ctx, task, assetId);
  const { profile } = (task.params as { transcode: { profile: Profile } }).transcode;
  const sourceKey = assetKey(assetId, 'source.mp4');
  const outputPath = join(scratch, 'rendition.mp4');
  if (!(await ctx.storage.head(sourceKey))) {
    await ctx.storage.withFile(input.videoKey, async (path) => {
      const { startSeconds, videoEnd, spec } = await inspectInput(path, signal);
      const rendition = requestedRendition(profile, spec);
      const { duration } = spec;
      const fps = rendition.fps ?? sourceFormatOf(spec)?.fps ?? 0;
      const encoding = {
        input: path,
        output: outputPath,
        chunkFolder: join(scratch, 'chunks'),
        rendition,
        durationSeconds: duration,
        startSeconds,
        videoEnd,
        fps,
        pixelsPerSecond: encodedPixelsPerSecond(rendition, spec),
      };
      await encodeVideo(encoding, {
        signal,
        onFraction: (fraction) => job.report(ENCODED_PROGRESS * fraction),
        betweenChunks: job.yieldSlot,
      });
      await checkOutput(outputPath, spec, signal).catch(async (error: unknown) => {
        // On a full disk ffmpeg exits with 0 and leaves a broken file.
        const freeBytes = await freeDiskSpace(ctx.settings.dataDir);
        throw error instanceof FfmpegFailed && freeBytes <= 0 ? new StorageError('full', sourceKey) : error;
      });
    });
    await reserveAssetStorage(job, assetId, statSync(outputPath).size);
    await ctx.storage.putFile(sourceKey, outputPath, { contentType: 'video/mp4' });
  }
  const source = { hash: null, hasHls: false, name };
  const finishedAsset = await finishAsset(withProgressFrom(job, ENCODED_PROGRESS), {
    assetId,
    sourceKey,
    rules: {},
    source,
    baseProgress: 0,
  });
  await completeAsset(ctx, { ...task, outputAssetId: assetId }, finishedAsset.asset, {
    transcode: { asset: finishedAsset.output },
  });
};

/**
 * Inspects the MP4 of the asset, which may have been converted from another container.
 * @returns the start of its timeline and the end of its last frame in seconds, and its properties
 */
async function inspectInput(
  path: string,
  signal: AbortSignal,
): Promise<{ startSeconds: number; videoEnd: VideoEnd | null; spec: FileSpec }> {
  const acceptance = await acceptFile(path, { isOwnFile: true }, signal);
  if (!acceptance.accepted) throw new TaskFailure(acceptance.reason);
  return {
    startSeconds: Number(acceptance.report.format.start_time ?? 0) || 0,
    videoEnd: videoEndOf(acceptance.report),
    spec: createVideoSpec(acceptance.report),
  };
}

/** @throws TaskFailure if the asset has no video, or the profile no size for it */
function requestedRendition(profile: Profile, spec: FileSpec): RenditionSpec {
  if (!sourceFormatOf(spec)) throw new TaskFailure('the asset to transcode has no video');
  const rendition = createTranscodeRendition(profile, spec);
  if (!rendition) throw new TaskFailure('the profile fits no picture');
  return rendition;
}

/**
 * Checks the duration of the output and that audio and video are in sync, because ffmpeg can exit with 0 after an
 * error.
 */
async function checkOutput(path: string, specBefore: FileSpec, signal: AbortSignal): Promise<void> {
  const acceptance = await acceptFile(path, {}, signal);
  if (!acceptance.accepted) throw new FfmpegFailed(acceptance.reason);
  const specAfter = createVideoSpec(acceptance.report);
  const tolerance = specBefore.duration * durationTolerance.fraction + durationTolerance.seconds;
  if (Math.abs(specAfter.duration - specBefore.duration) > tolerance) {
    throw new FfmpegFailed(`the rendition lasts ${specAfter.duration} s instead of ${specBefore.duration} s`);
  }
  if (Math.abs(driftOf(specAfter) - driftOf(specBefore)) > MAX_DRIFT_CHANGE_SECONDS) {
    throw new FfmpegFailed('audio and video of the rendition are out of sync');
  }
}

/** Seconds by which the audio ends after the video. */
function driftOf({ tracks }: FileSpec): number {
  const durationOfTrack = (type: 'video' | 'audio') => tracks.find((track) => track.type === type)?.duration;
  const [video, audio] = [durationOfTrack('video'), durationOfTrack('audio')];
  return video === undefined || audio === undefined ? 0 : audio - video;
}
