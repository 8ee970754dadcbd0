import { createLadder, type RequestedRendition } from './ladder';

/** Properties of the source of an asset, from its master playlist and its init segment. */
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
  /** Name of the rendition, which is its folder in URLs. */
  readonly name: string;
  readonly width: number;
  readonly height: number;
  /** Maximum number of frames per second; null keeps every frame of the source. */
  readonly fps: number | null;
  /** Maximum video bitrate, in bit/s. */
  readonly bitrate: number;
  /** Constant rate factor of x264. */
  readonly quality: number;
  /** H.264 level, such as `3.1`. */
  readonly level: string;
}

interface LadderStep {
  /** Pixels of the shorter side. */
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
const AREA_EXPONENT = 0.75;
/** Assumed audio bitrate of the source; at most half of the total. */
const AUDIO_BITRATE = 128_000;
/** Frame rate of a source that does not state one. */
const DEFAULT_FPS = 30;
/** Constant rate factor of x264. */
const CRF = 23;
/**
 * Factor for the peak bitrate: at the start of a segment, the bitrate may be higher because the rate control
 * buffer is full.
 */
const PEAK_FACTOR = 1.25;

/**
 * Creates the renditions that are smaller than the source, the best first. Their bitrates follow the bits per pixel of the
 * source: a still screen needs few, and a rendition can't restore detail that the source lost.
 */
export function createVodLadder(source: VodSource): VodRendition[] {
  const shortSide = Math.min(source.width, source.height);
  return ladderSteps
    .filter(({ lines }) => lines < shortSide)
    .map((step) => createRendition(step, source, shortSide));
}

function createRendition(
  { lines, maxBitrate, minBitrate }: LadderStep,
  source: VodSource,
  shortSide: number,
): VodRendition {
  const scale = lines / shortSide;
  const [width, height] = [evenLength(source.width * scale), evenLength(source.height * scale)];
  const fps = source.fps ?? DEFAULT_FPS;
  const frameRateFactor = Math.max(1, fps / DEFAULT_FPS) ** AREA_EXPONENT;
  const areaRatio = (width * height) / (source.width * source.height);
  const sourceBitrate = videoBitrate(source) * areaRatio ** AREA_EXPONENT;
  const bitrate =
    Math.round(
      Math.min(maxBitrate * frameRateFactor, Math.max(minBitrate * frameRateFactor, sourceBitrate)) / 1_000,
    ) * 1_000;
  const size = { width, height };
  return {
    name: `${lines}p`,
    ...size,
    fps: null,
    bitrate,
    quality: CRF,
    level: h264LevelOf(size, fps, bitrate),
  };
}

/**
 * Creates the renditions of the profiles of an asset, in their order. The size of a profile is a box that the picture is
 * fitted into; profiles that are larger than the source are left out.
 */
export function createProfileLadder(
  profiles: readonly RequestedRendition[],
  source: VodSource,
): VodRendition[] {
  const { renditions } = createLadder(profiles, {
    width: source.width,
    height: source.height,
    fps: source.fps,
  });
  const names = new Set<string>();
  return renditions.map(({ width, height, fps, bitrate, quality }) => {
    const size = { width, height };
    const lines = `${Math.min(width, height)}p`;
    const name = names.has(lines) ? `${lines}_${names.size}` : lines;
    names.add(name);
    const level = h264LevelOf(size, fps ?? source.fps ?? DEFAULT_FPS, bitrate);
    return { name, ...size, fps, bitrate, quality: quality ?? CRF, level };
  });
}

/**
 * Adapts a rendition to a source whose size changed after the ladder was created. The rendition keeps its number of lines,
 * but has no more than the source.
 */
export function adaptRendition(
  rendition: VodRendition,
  sourceSize: { readonly width: number; readonly height: number },
  sourceFps: number | undefined,
): VodRendition {
  const lines = Math.min(rendition.width, rendition.height);
  const scale = Math.min(1, lines / Math.max(1, Math.min(sourceSize.width, sourceSize.height)));
  const size = { width: evenLength(sourceSize.width * scale), height: evenLength(sourceSize.height * scale) };
  if (size.width === rendition.width && size.height === rendition.height) return rendition;
  const level = h264LevelOf(size, rendition.fps ?? sourceFps ?? DEFAULT_FPS, rendition.bitrate);
  return { ...rendition, ...size, level: Number(level) > Number(rendition.level) ? level : rendition.level };
}

const evenLength = (length: number): number => Math.max(2, 2 * Math.round(length / 2));

function videoBitrate({ bitrate, hasAudio }: VodSource): number {
  return hasAudio ? Math.max(bitrate / 2, bitrate - AUDIO_BITRATE) : bitrate;
}

/** Peak and average bitrate of a rendition with the audio of the source, in bit/s. */
export function renditionBandwidthOf(
  { bitrate }: Pick<VodRendition, 'bitrate'>,
  { hasAudio }: Pick<VodSource, 'hasAudio'>,
): { readonly bandwidth: number; readonly averageBandwidth: number } {
  const audioBitrate = hasAudio ? AUDIO_BITRATE : 0;
  return {
    bandwidth: Math.ceil(bitrate * PEAK_FACTOR) + audioBitrate,
    averageBandwidth: bitrate + audioBitrate,
  };
}

/** Limits of H.264 levels: macroblocks of a frame and per second, and bit/s of the High profile (ITU-T H.264 table A-1). */
const levels = [
  { level: '2.1', macroblocks: 792, macroblocksPerSecond: 19_800, bitrate: 5_000_000 },
  { level: '3.0', macroblocks: 1_620, macroblocksPerSecond: 40_500, bitrate: 12_500_000 },
  { level: '3.1', macroblocks: 3_600, macroblocksPerSecond: 108_000, bitrate: 17_500_000 },
  { level: '3.2', macroblocks: 5_120, macroblocksPerSecond: 216_000, bitrate: 25_000_000 },
  { level: '4.0', macroblocks: 8_192, macroblocksPerSecond: 245_760, bitrate: 25_000_000 },
  { level: '4.2', macroblocks: 8_704, macroblocksPerSecond: 522_240, bitrate: 62_500_000 },
  { level: '5.1', macroblocks: 36_864, macroblocksPerSecond: 983_040, bitrate: 300_000_000 },
] as const;

/** The lowest level in the table that allows this picture; 5.2 if none does. */
export function h264LevelOf(
  { width, height }: { readonly width: number; readonly height: number },
  fps: number,
  bitrate: number,
): string {
  const macroblocks = Math.ceil(width / 16) * Math.ceil(height / 16);
  const sufficientLevel = levels.find(
    (level) =>
      macroblocks <= level.macroblocks &&
      macroblocks * fps <= level.macroblocksPerSecond &&
      bitrate <= level.bitrate,
  );
  return sufficientLevel?.level ?? '5.2';
}

/** RFC 6381 name of the video codec of a rendition, which has the High profile. */
export function h264CodecOf({ level }: Pick<VodRendition, 'level'>): string {
  // 64 is the High profile, 00 the constraint flags, and the last two digits are ten times the level.
  return `avc1.6400${(Number(level) * 10).toString(16).padStart(2, '0')}`;
}
