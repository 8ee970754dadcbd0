import { type MovieTrack, readMovie } from '@/media-worker/vod/index/read-movie';
import { type ByteSource, withFile } from '@/media-worker/vod/index/byte-source';

/** One message of an encoder that sends HEVC or AV1. */
export interface EnhancedTag {
  readonly kind: 'audio' | 'video';
  readonly isConfig: boolean;
  readonly isKeyframe: boolean;
  /** Timestamp, ms. */
  readonly timestampMs: number;
  /** Send time, ms from the start. */
  readonly sendTimeMs: number;
  readonly body: Buffer;
}

export interface EnhancedClip {
  readonly configs: readonly EnhancedTag[];
  readonly frames: readonly EnhancedTag[];
  readonly lengthMs: number;
}

const fourCcs = { avc: 'avc1', hevc: 'hvc1', av1: 'av01' };
/** Bits of the first byte of an extended video tag: its mark, the frame type, and the packet type. */
const EXTENDED = 0x80;
const KEY_FRAME = 0x10;
const INTER_FRAME = 0x20;
const [SEQUENCE_START, CODED_FRAMES, CODED_FRAMES_X] = [0, 1, 3];

/**
 * Reads an MP4 as messages of Enhanced RTMP (https://veovera.org/docs/enhanced/enhanced-rtmp-v2.html), as OBS
 * sends them. ffmpeg before version 6.1 sends neither HEVC nor AV1.
 */
export function readEnhancedClip(path: string): Promise<EnhancedClip> {
  return withFile(path, async (source) => {
    const { tracks } = await readMovie(source);
    const video = tracks.find(({ handler }) => handler === 'vide');
    const audio = tracks.find(({ handler }) => handler === 'soun');
    const tagLists = await Promise.all([
      video && readVideoTags(source, video),
      audio && readAudioTags(source, audio),
    ]);
    const tags = tagLists.flatMap((tagList) => tagList ?? []);
    const lengths = [video, audio].map((track) => (track ? lengthMsOf(track) : 0));
    return {
      configs: tags.filter(({ isConfig: config }) => config),
      frames: tags
        .filter(({ isConfig: config }) => !config)
        .toSorted((a, b) => a.timestampMs - b.timestampMs),
      lengthMs: Math.round(Math.max(...lengths)),
    };
  });
}

function lengthMsOf({ samples, timescale }: MovieTrack): number {
  const last = samples.count - 1;
  return (((samples.dts[last] ?? 0) + (samples.duration[last] ?? 0)) * 1_000) / timescale;
}

async function readVideoTags(
  source: ByteSource,
  { samples, timescale, entries }: MovieTrack,
): Promise<EnhancedTag[]> {
  const [{ coding = 'avc', record = Buffer.alloc(0) } = {}] = entries;
  const fourCc = Buffer.from(fourCcs[coding], 'latin1');
  const createTagHeader = (frameType: number, packetType: number) =>
    Buffer.concat([Buffer.from([EXTENDED | frameType | packetType]), fourCc]);
  const config = Buffer.concat([createTagHeader(KEY_FRAME, SEQUENCE_START), record]);
  const tags: EnhancedTag[] = [
    { kind: 'video', isConfig: true, isKeyframe: false, timestampMs: 0, sendTimeMs: 0, body: config },
  ];
  const toMs = (ticks: number) => Math.round((ticks * 1_000) / timescale);
  for (let sample = 0; sample < samples.count; sample++) {
    const data = await source.read(samples.offset[sample] ?? 0, samples.size[sample] ?? 0);
    const key = samples.key[sample] === 1;
    const timestampMs = toMs(samples.dts[sample] ?? 0);
    const compositionOffset = Buffer.alloc(3);
    compositionOffset.writeIntBE(toMs(samples.pts(sample)) - timestampMs, 0, 3);
    // Without reordering the composition time is absent or 0.
    const hasNoOffset = coding === 'av1' || compositionOffset.readIntBE(0, 3) === 0;
    const packetType = coding !== 'av1' && hasNoOffset ? CODED_FRAMES_X : CODED_FRAMES;
    const body = [
      createTagHeader(key ? KEY_FRAME : INTER_FRAME, packetType),
      ...(hasNoOffset ? [] : [compositionOffset]),
      data,
    ];
    tags.push({
      kind: 'video',
      isConfig: false,
      isKeyframe: key,
      timestampMs,
      sendTimeMs: timestampMs,
      body: Buffer.concat(body),
    });
  }
  return tags;
}

/** First byte of an audio tag with AAC. The second one is 0 for the configuration, 1 for a frame. */
const AAC = 0xaf;

async function readAudioTags(
  source: ByteSource,
  { samples, timescale, entries }: MovieTrack,
): Promise<EnhancedTag[]> {
  const fields = { kind: 'audio', isKeyframe: false } as const;
  const config = Buffer.concat([Buffer.from([AAC, 0]), entries[0]?.record ?? Buffer.alloc(0)]);
  const tags: EnhancedTag[] = [{ ...fields, isConfig: true, timestampMs: 0, sendTimeMs: 0, body: config }];
  for (let sample = 0; sample < samples.count; sample++) {
    const data = await source.read(samples.offset[sample] ?? 0, samples.size[sample] ?? 0);
    const timestampMs = Math.round(((samples.dts[sample] ?? 0) * 1_000) / timescale);
    tags.push({
      ...fields,
      isConfig: false,
      timestampMs,
      sendTimeMs: timestampMs,
      body: Buffer.concat([Buffer.from([AAC, 1]), data]),
    });
  }
  return tags;
}
