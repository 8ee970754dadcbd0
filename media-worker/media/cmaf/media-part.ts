import { AUDIO_TRACK, VIDEO_TRACK } from './init-segment';

/** Length of a payload, whose bytes are in memory or elsewhere. */
export interface Payload {
  readonly length: number;
}

/** A video frame. */
export interface VideoSample<Data extends Payload = Buffer> {
  /** Length-prefixed NAL units of one access unit. */
  readonly data: Data;
  /** Ticks of the video timescale. */
  readonly duration: number;
  /** Presentation minus decode time in ticks; may be negative. */
  readonly compositionOffset: number;
  /** Whether decoding can begin at the sample. */
  readonly key: boolean;
}

/** An audio frame. */
export interface AudioSample<Data extends Payload = Buffer> {
  /** One raw AAC access unit. */
  readonly data: Data;
  /** Ticks of the audio timescale. */
  readonly duration: number;
}

/** Consecutive samples of one track; `start` is the decode time of the first, in the track's ticks (up to 2^53). */
export interface TrackSamples<Sample> {
  readonly start: number;
  readonly samples: readonly Sample[];
}

/** Content of one `moof` and its `mdat`, with at least one track. */
export interface PartContent<Data extends Payload = Buffer> {
  /** Sequence number, which increases from 1 within an init segment. */
  readonly sequence: number;
  readonly video: TrackSamples<VideoSample<Data>> | undefined;
  readonly audio: TrackSamples<AudioSample<Data>> | undefined;
  /** Number of the video's sample entry, from 1; the first if absent. */
  readonly videoEntry?: number;
}

/** Bytes of each sample in a `trun`: duration and size; for video also flags and composition offset. */
const VIDEO_ENTRY_BYTES = 16;
const AUDIO_ENTRY_BYTES = 8;
const TFHD_BYTES = 16;
/** Bytes of the optional field `sample_description_index`. */
const ENTRY_INDEX_BYTES = 4;
const TFDT_BYTES = 20;
const TRUN_HEAD_BYTES = 20;
const MFHD_BYTES = 16;
const BOX_HEAD_BYTES = 8;

/**
 * One CMAF chunk, `moof` and `mdat`, as consecutive buffers (ISO/IEC 14496-12 §8.8). The payloads are not copied,
 * because copies would double the memory of packets.
 */
export function buildMediaPart<Data extends Payload = Buffer>({
  sequence,
  video,
  audio,
  videoEntry,
}: PartContent<Data>): (Buffer | Data)[] {
  const entryIndexBytes = videoEntry === undefined ? 0 : ENTRY_INDEX_BYTES;
  const videoTrafBytes = video ? trafSize(video.samples.length, VIDEO_ENTRY_BYTES) + entryIndexBytes : 0;
  const audioTrafBytes = trafSize(audio?.samples.length ?? 0, AUDIO_ENTRY_BYTES);
  const moofBytes = BOX_HEAD_BYTES + MFHD_BYTES + videoTrafBytes + audioTrafBytes;
  const videoBytes = payloadSize(video?.samples);
  const mdatBytes = BOX_HEAD_BYTES + videoBytes + payloadSize(audio?.samples);
  const writer = new Writer(moofBytes + BOX_HEAD_BYTES);
  writer.box(moofBytes, 'moof').box(MFHD_BYTES, 'mfhd').u32(0).u32(sequence);
  if (video)
    writeVideoTraf(writer, video, {
      size: videoTrafBytes,
      offset: moofBytes + BOX_HEAD_BYTES,
      entry: videoEntry,
    });
  if (audio) writeAudioTraf(writer, audio, audioTrafBytes, moofBytes + BOX_HEAD_BYTES + videoBytes);
  writer.box(mdatBytes, 'mdat');
  const payloads = [...(video?.samples ?? []), ...(audio?.samples ?? [])].map(({ data }) => data);
  return [writer.buffer, ...payloads];
}

const trafSize = (sampleCount: number, entryBytes: number): number =>
  sampleCount === 0
    ? 0
    : BOX_HEAD_BYTES + TFHD_BYTES + TFDT_BYTES + TRUN_HEAD_BYTES + sampleCount * entryBytes;

/** Bytes of a part before its payloads. */
export function partHeadBytes(videoSamples: number, audioSamples: number): number {
  return (
    2 * BOX_HEAD_BYTES +
    MFHD_BYTES +
    trafSize(videoSamples, VIDEO_ENTRY_BYTES) +
    trafSize(audioSamples, AUDIO_ENTRY_BYTES)
  );
}

function payloadSize(samples: readonly { readonly data: Payload }[] = []): number {
  let sum = 0;
  for (const sample of samples) sum += sample.data.length;
  return sum;
}

/**
 * Writes `trun` version 1, which has signed composition offsets. Flags: data offset, duration, size, flags,
 * composition offset per sample.
 */
function writeVideoTraf(
  writer: Writer,
  video: TrackSamples<VideoSample<Payload>>,
  {
    size,
    offset,
    entry,
  }: { readonly size: number; readonly offset: number; readonly entry: number | undefined },
): void {
  writeTrafHead(writer, { track: VIDEO_TRACK, start: video.start, size, entry });
  writeTrunHead(writer, 0x01000f01, video.samples.length, VIDEO_ENTRY_BYTES, offset);
  for (const sample of video.samples) {
    writer
      .u32(sample.duration)
      .u32(sample.data.length)
      // sample_depends_on and sample_is_non_sync_sample.
      .u32(sample.key ? 0x02000000 : 0x01010000)
      .i32(sample.compositionOffset);
  }
}

/**
 * Writes `trun` with data offset, and duration and size per sample; every sample is a sync sample by the `trex`
 * default.
 */
function writeAudioTraf(
  writer: Writer,
  audio: TrackSamples<AudioSample<Payload>>,
  size: number,
  offset: number,
): void {
  writeTrafHead(writer, { track: AUDIO_TRACK, start: audio.start, size });
  writeTrunHead(writer, 0x00000301, audio.samples.length, AUDIO_ENTRY_BYTES, offset);
  for (const sample of audio.samples) writer.u32(sample.duration).u32(sample.data.length);
}

interface TrafHead {
  readonly track: number;
  readonly start: number;
  /** Bytes of the `traf`. */
  readonly size: number;
  /** Number of the sample entry, from 1; absent: the default of the init segment. */
  readonly entry?: number | undefined;
}

function writeTrafHead(writer: Writer, { track, start, size, entry }: TrafHead): void {
  const baseIsMoof = 0x020000;
  const hasEntryIndex = 0x02;
  writer.box(size, 'traf');
  if (entry === undefined) writer.box(TFHD_BYTES, 'tfhd').u32(baseIsMoof).u32(track);
  else
    writer
      .box(TFHD_BYTES + ENTRY_INDEX_BYTES, 'tfhd')
      .u32(baseIsMoof | hasEntryIndex)
      .u32(track)
      .u32(entry);
  writer.box(TFDT_BYTES, 'tfdt').u32(0x01000000).u64(start);
}

/**
 * @param entryBytes bytes of each sample in the `trun`
 * @param dataOffset offset of the first sample from the start of the `moof`
 */
function writeTrunHead(
  writer: Writer,
  flags: number,
  sampleCount: number,
  entryBytes: number,
  dataOffset: number,
): void {
  const size = TRUN_HEAD_BYTES + sampleCount * entryBytes;
  writer.box(size, 'trun').u32(flags).u32(sampleCount).u32(dataOffset);
}

/** Writes to a buffer of known size. */
class Writer {
  readonly buffer: Buffer;
  #offset = 0;

  constructor(size: number) {
    this.buffer = Buffer.allocUnsafe(size);
  }

  box(size: number, type: string): this {
    this.u32(size);
    this.#offset += this.buffer.write(type, this.#offset, 4, 'latin1');
    return this;
  }

  u32(value: number): this {
    this.#offset = this.buffer.writeUInt32BE(value, this.#offset);
    return this;
  }

  i32(value: number): this {
    this.#offset = this.buffer.writeInt32BE(value, this.#offset);
    return this;
  }

  u64(value: number): this {
    return this.u32(Math.floor(value / 2 ** 32)).u32(value % 2 ** 32);
  }
}
