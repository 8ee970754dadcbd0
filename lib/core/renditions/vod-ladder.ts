import { ladderOf, type RequestedRendition } from './ladder';

/** Properties of an asset's source, from its master playlist and init segment. */
export interface VodSource {
  /** Coded size with square pixels, before any rotation. */
  readonly width: number;
  readonly height: number;
  /** Frames per second; undefined if unknown. */
  readonly fps: number | undefined;
  /** Average bit/s of video and audio. */
  readonly bitrate: number;
  readonly hasAudio: boolean;
}

/** A rendition of an asset that is encoded on demand. */
export interface VodRendition {
  /** Folder in its URL. */
  readonly name: string;
  readonly width: number;
  readonly height: number;
  /** Maximum number of frames per second; null keeps every frame of the source. */
  readonly fps: number | null;
  /** Maximum video bitrate, in bit/s. */
  readonly bitrate: number;
  readonly quality: number;
  /** H.264 level, such as `3.1`. */
  readonly level: string;
}

interface LadderStep {
  /** The shorter side. */
  readonly lines: number;
  /** Video bitrates in bit/s at 30 frames per second: for the most and the least complex content. */
  readonly maxBitrate: number;
  readonly minBitrate: number;
}

const ladderSteps: readonly LadderStep[] = [
  { lines: 1080, maxBitrate: 5_000_000, minBitrate: 1_600_000 },
  { lines: 720, maxBitrate: 2_800_000, minBitrate: 900_000 },
  { lines: 480, maxBitrate: 1_400_000, minBitrate: 500_000 },
  { lines: 360, maxBitrate: 800_000, minBitrate: 300_000 },
  { lines: 240, maxBitrate: 400_000, minBitrate: 180_000 },
];
/** The required bitrate grows more slowly than the picture area. */
const areaExponent = 0.75;
/** Assumed audio bitrate of the source; at most half of the total. */
const audioBitrate = 128_000;
const defaultFps = 30;
const crf = 23;
/** Allowance above the maximum bitrate for the start of a segment, when the rate control buffer is full. */
const peakFactor = 1.25;

/**
 * The renditions below the source, best first. Bitrates follow the source's bits per pixel: a still screen needs little,
 * and a rendition can't restore detail that the source lost.
 */
export function vodLadder(source: VodSource): VodRendition[] {
  const short = Math.min(source.width, source.height);
  return ladderSteps.filter(({ lines }) => lines < short).map((step) => renditionOf(step, source, short));
}

function renditionOf(
  { lines, maxBitrate, minBitrate }: LadderStep,
  source: VodSource,
  short: number,
): VodRendition {
  const scale = lines / short;
  const [width, height] = [even(source.width * scale), even(source.height * scale)];
  const fps = source.fps ?? defaultFps;
  const faster = Math.max(1, fps / defaultFps) ** areaExponent;
  const area = (width * height) / (source.width * source.height);
  const sourceBitrate = videoBitrate(source) * area ** areaExponent;
  const bitrate =
    Math.round(Math.min(maxBitrate * faster, Math.max(minBitrate * faster, sourceBitrate)) / 1_000) * 1_000;
  const size = { width, height };
  return { name: `${lines}p`, ...size, fps: null, bitrate, quality: crf, level: levelOf(size, fps, bitrate) };
}

/**
 * The renditions of the profiles that an asset was created with, in order. A profile's size is a box that the picture is
 * fitted into; renditions larger than the source are left out. Segments start with keyframes.
 */
export function profileLadder(profiles: readonly RequestedRendition[], source: VodSource): VodRendition[] {
  const { renditions } = ladderOf(profiles, { width: source.width, height: source.height, fps: source.fps });
  const names = new Set<string>();
  return renditions.map(({ width, height, fps, bitrate, quality }) => {
    const size = { width, height };
    const lines = `${Math.min(width, height)}p`;
    const name = names.has(lines) ? `${lines}_${names.size}` : lines;
    names.add(name);
    const level = levelOf(size, fps ?? source.fps ?? defaultFps, bitrate);
    return { name, ...size, fps, bitrate, quality: quality ?? crf, level };
  });
}

/**
 * The same rendition for a source whose size changed after the ladder was made: as many lines, but not more than the
 * source has.
 */
export function renditionFor(
  rendition: VodRendition,
  sourceSize: { readonly width: number; readonly height: number },
  sourceFps: number | undefined,
): VodRendition {
  const lines = Math.min(rendition.width, rendition.height);
  const scale = Math.min(1, lines / Math.max(1, Math.min(sourceSize.width, sourceSize.height)));
  const size = { width: even(sourceSize.width * scale), height: even(sourceSize.height * scale) };
  if (size.width === rendition.width && size.height === rendition.height) return rendition;
  const level = levelOf(size, rendition.fps ?? sourceFps ?? defaultFps, rendition.bitrate);
  return { ...rendition, ...size, level: Number(level) > Number(rendition.level) ? level : rendition.level };
}

const even = (length: number): number => Math.max(2, 2 * Math.round(length / 2));

function videoBitrate({ bitrate, hasAudio }: VodSource): number {
  return hasAudio ? Math.max(bitrate / 2, bitrate - audioBitrate) : bitrate;
}

/** Bit/s of a rendition's busiest segment, and on average, with the source's audio. */
export function bandwidthOf(
  { bitrate }: Pick<VodRendition, 'bitrate'>,
  { hasAudio }: Pick<VodSource, 'hasAudio'>,
): { readonly bandwidth: number; readonly averageBandwidth: number } {
  const audio = hasAudio ? audioBitrate : 0;
  return { bandwidth: Math.ceil(bitrate * peakFactor) + audio, averageBandwidth: bitrate + audio };
}

/** Limits of H.264 levels in macroblocks and bit/s of the High profile (ITU-T H.264 table A-1). */
const levels = [
  { level: '2.1', frame: 792, perSecond: 19_800, bitrate: 5_000_000 },
  { level: '3.0', frame: 1_620, perSecond: 40_500, bitrate: 12_500_000 },
  { level: '3.1', frame: 3_600, perSecond: 108_000, bitrate: 17_500_000 },
  { level: '3.2', frame: 5_120, perSecond: 216_000, bitrate: 25_000_000 },
  { level: '4.0', frame: 8_192, perSecond: 245_760, bitrate: 25_000_000 },
  { level: '4.2', frame: 8_704, perSecond: 522_240, bitrate: 62_500_000 },
  { level: '5.1', frame: 36_864, perSecond: 983_040, bitrate: 300_000_000 },
] as const;

/** The lowest level that allows this picture. */
export function levelOf(
  { width, height }: { readonly width: number; readonly height: number },
  fps: number,
  bitrate: number,
): string {
  const frame = Math.ceil(width / 16) * Math.ceil(height / 16);
  const fits = levels.find(
    (level) => frame <= level.frame && frame * fps <= level.perSecond && bitrate <= level.bitrate,
  );
  return fits?.level ?? '5.2';
}

/** RFC 6381 name of a rendition's video: High profile. */
export function codecOf({ level }: Pick<VodRendition, 'level'>): string {
  return `avc1.6400${(Number(level) * 10).toString(16).padStart(2, '0')}`;
}
