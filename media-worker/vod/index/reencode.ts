import { appendFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FrameRun } from '@/lib/core/media/frame-plan';
import { newId } from '@/lib/infra/ids';
import { buildAvcRecord, readRecordParameterSets } from '@/media-worker/media/cmaf/avc-parameter-sets';
import { BitReader } from '@/media-worker/media/cmaf/bit-reader';
import { type VideoConfig, codingOf } from '@/media-worker/media/cmaf/codec-config';
import { VIDEO_TIMESCALE, buildInitSegment } from '@/media-worker/media/cmaf/init-segment';
import { buildMediaPart } from '@/media-worker/media/cmaf/media-part';
import { findBox } from '@/media-worker/media/cmaf/read-boxes';
import { readSegment } from '@/media-worker/media/cmaf/read-segment';
import { type FrameEncoder, planReencode } from '@/media-worker/media/ffmpeg/reencode-args';
import { createOutputError, FfmpegFailed, runFfmpegJob } from '@/media-worker/media/ffmpeg/run-ffmpeg-job';
import { scratchFolder } from '@/media-worker/vod/tasks/task-runs';
import type { ByteSource } from './byte-source';
import { NeedsConversion } from './needs-conversion';
import type { SampleList } from './sample-list';

export interface ReencoderOptions {
  readonly dataDir: string;
  readonly threads: number;
  readonly signal: AbortSignal;
}

export interface EncodedFrame {
  readonly data: Buffer;
  readonly key: boolean;
  /** Seconds from the first frame. */
  readonly secondsAfter: number;
}

export interface SourceVideo {
  readonly source: ByteSource;
  readonly samples: SampleList;
  /** Ticks per second. */
  readonly timescale: number;
  readonly config: VideoConfig;
  /** Whether no frame is copied from the file. */
  readonly isFullyReencoded: boolean;
}

/** Maximum number of runs of the encoder; if more are needed, a full conversion is faster. */
const MAX_RUNS = 100;
/** Maximum bytes of the frames for one run of the encoder. */
const MAX_RUN_BYTES = 256 * 2 ** 20;
/** Bytes of a part of the encoder's input, which are in memory at once. */
const PART_BYTES = 4 * 2 ** 20;

/**
 * Re-encodes single frames of a file. For H.264, the parameter sets of the encoder are added to those of the file.
 * Encoders of HEVC and AV1 cannot choose the ids of their parameter sets, so their frames need a period of their
 * own.
 */
export class Reencoder {
  readonly #options: ReencoderOptions;
  readonly #video: SourceVideo;
  #runs = 0;
  /** Configuration of all frames; that of the file until a frame was encoded. */
  record: Buffer;

  constructor(options: ReencoderOptions, video: SourceVideo) {
    this.#options = options;
    this.#video = video;
    this.record = video.config.record;
  }

  /**
   * Encodes the frames of a run.
   * @throws NeedsConversion, FfmpegFailed, FfmpegKilled, StorageError `full`, or the reason of the signal
   */
  async encode(frameRun: FrameRun): Promise<EncodedFrame[]> {
    if (this.#video.config.coding !== 'avc' && !this.#video.isFullyReencoded)
      throw new NeedsConversion('frames of its codec cannot be encoded between others');
    if (++this.#runs > MAX_RUNS) throw new NeedsConversion('it is cut in too many places between keyframes');
    const { signal, threads, dataDir } = this.#options;
    const { config, timescale } = this.#video;
    const folder = join(scratchFolder(dataDir), `reencode-${newId()}`);
    try {
      await mkdir(folder, { recursive: true });
      const [input, output] = [join(folder, 'source.mp4'), join(folder, 'encoded.mp4')];
      const zeroTicks = await this.#writeInput(input, frameRun);
      const encoderTicksOf = (mediaTicks: number) =>
        Math.round(((mediaTicks - zeroTicks) / timescale) * VIDEO_TIMESCALE);
      const plan = planReencode({
        input,
        output,
        threads,
        timescale: VIDEO_TIMESCALE,
        fromTicks: encoderTicksOf(frameRun.fromTicks),
        toTicks: encoderTicksOf(frameRun.toTicks) - 1,
        encoder: encoderFor(config),
        onlyKeyframes: frameRun.onlyKeyframes ?? false,
      });
      await runFfmpegJob(plan, {
        signal,
        durationSeconds: frameRun.endSeconds - frameRun.startSeconds,
      }).catch((error: unknown) => {
        // Many builds of ffmpeg have no encoder of HEVC or AV1.
        if (config.coding === 'avc' || !(error instanceof FfmpegFailed)) throw error;
        throw new NeedsConversion('frames of its codec cannot be encoded');
      });
      return await this.#readOutput(folder, output);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /**
   * Writes the input of the encoder.
   * @returns the track time that is zero in the file, in ticks
   */
  async #writeInput(path: string, { firstFrame: first, lastFrame: last }: FrameRun): Promise<number> {
    const { source, samples, timescale, config } = this.#video;
    const zeroTicks = samples.dts[first] ?? 0;
    const encoderTicksOf = (mediaTicks: number) =>
      Math.round(((mediaTicks - zeroTicks) / timescale) * VIDEO_TIMESCALE);
    await writeFile(path, buildInitSegment({ video: config, audio: undefined }));
    let writtenBytes = 0;
    for (let frame = first, sequence = 1; frame <= last; sequence++) {
      const partSamples = [];
      const firstFrame = frame;
      for (let bytes = 0; frame <= last && (bytes < PART_BYTES || partSamples.length === 0); frame++) {
        const size = samples.size[frame] ?? 0;
        bytes += size;
        writtenBytes += size;
        if (writtenBytes > MAX_RUN_BYTES) throw new NeedsConversion('it is cut far behind a keyframe');
        const dts = samples.dts[frame] ?? 0;
        partSamples.push({
          data: await source.read(samples.offset[frame] ?? 0, size),
          duration: Math.max(1, encoderTicksOf(dts + (samples.duration[frame] ?? 0)) - encoderTicksOf(dts)),
          compositionOffset: encoderTicksOf(samples.pts(frame)) - encoderTicksOf(dts),
          key: frame === first,
        });
      }
      const video = { start: encoderTicksOf(samples.dts[firstFrame] ?? 0), samples: partSamples };
      await appendFile(path, Buffer.concat(buildMediaPart({ sequence, video, audio: undefined })));
    }
    return zeroTicks;
  }

  async #readOutput(folder: string, path: string): Promise<EncodedFrame[]> {
    const output = await readFile(path);
    const { video } = readSegment(output, output);
    if (!video) throw await createOutputError(folder, 'no frame was encoded');
    this.#updateRecord(output);
    let ticks = 0;
    return video.samples.map(({ data, key, duration }) => {
      ticks += duration;
      return { data, key, secondsAfter: (ticks - duration) / VIDEO_TIMESCALE };
    });
  }

  #updateRecord(output: Buffer): void {
    const { config } = this.#video;
    const encodedRecord = readRecord(output, config);
    const isFirst = this.record === config.record;
    const record = config.coding === 'avc' ? mergeRecords(this.record, encodedRecord, config) : encodedRecord;
    if (!isFirst && !record.equals(this.record))
      throw new NeedsConversion('its frames cannot be encoded alike');
    codingOf(config.coding).parse(record);
    this.record = record;
  }
}

/** The configuration record of an encoded file. */
function readRecord(file: Buffer, { coding }: VideoConfig): Buffer {
  const { entry, recordBox } = codingOf(coding);
  const stsd = findBox(file, ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd']);
  // Header of `stsd`, header of the entry, and fields of a video entry before its boxes.
  const visualEntry = { type: entry, start: stsd.start + 8 + 8 + 78, end: stsd.end };
  const { start, end } = findBox(file, [recordBox], visualEntry);
  return file.subarray(start, end);
}

/** The source's record with the parameter sets of the encoder. */
function mergeRecords(source: Buffer, encoded: Buffer, { nalLengthSize }: VideoConfig): Buffer {
  const [sourceSets, encodedSets] = [readRecordParameterSets(source), readRecordParameterSets(encoded)];
  const isNew = (set: Buffer) =>
    ![...sourceSets.sps, ...sourceSets.pps].some((sourceSet) => sourceSet.equals(set));
  const sps = [...sourceSets.sps, ...encodedSets.sps.filter(isNew)];
  return buildAvcRecord({ sps, pps: [...sourceSets.pps, ...encodedSets.pps.filter(isNew)] }, nalLengthSize);
}

function encoderFor({ coding, record }: VideoConfig): FrameEncoder {
  if (coding !== 'avc') return { coding };
  const parameterSetId = unusedSetId(record);
  return { coding, profile: readProfile(record), level: record.readUInt8(3), parameterSetId };
}

/** Values of `profile_idc` in an H.264 configuration record (ITU-T H.264 annex A). */
const BASELINE = 66;
const MAIN = 77;

function readProfile(record: Buffer): 'baseline' | 'main' | 'high' {
  const profile = record.readUInt8(1);
  return profile === BASELINE ? 'baseline' : profile === MAIN ? 'main' : 'high';
}

/** An id that no SPS or PPS of the record uses. */
function unusedSetId(record: Buffer): number {
  const { sps, pps } = readRecordParameterSets(record);
  const usedIds = new Set([
    ...sps.map((set) => readNumber(set.subarray(4), 'SPS')),
    ...pps.map((set) => readNumber(set.subarray(1), 'PPS')),
  ]);
  for (let id = 1; id < 32; id++) if (!usedIds.has(id)) return id;
  throw new NeedsConversion('it has too many parameter sets');
}

/** The first number in the bytes, an Exp-Golomb code. */
const readNumber = (bytes: Buffer, subject: string): number => new BitReader(bytes, subject).ue();
