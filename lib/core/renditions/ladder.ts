/** The fields of a stream's profile that determine a rendition. */
export interface RequestedRendition {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  /** Bit/s. */
  readonly bitrate: number;
  /** 0 keeps the frame rate of the source. */
  readonly fps: number;
  readonly fpsDen?: number;
  /** Constant rate factor, with `bitrate` as maximum. */
  readonly quality?: number;
  /** Seconds between keyframes in addition to those of the source, or "intra". */
  readonly gop?: string;
  /** H.264 profile by its name in the API. */
  readonly profile?: string;
}

/** Displayed size and frame rate of the source, corrected for non-square pixels. */
export interface SourceFormat {
  readonly width: number;
  readonly height: number;
  /** Frames per second; undefined if the encoder does not state a frame rate. */
  readonly fps: number | undefined;
}

/** The final parameters of one rendition. */
export interface RenditionSpec {
  readonly name: string;
  /** Width and height are even, and not larger than those of the source. */
  readonly width: number;
  readonly height: number;
  /** Bit/s: the average, or the maximum if `quality` is set. */
  readonly bitrate: number;
  /** Maximum frames per second; null keeps every frame of the source. */
  readonly fps: number | null;
  /** Constant rate factor of x264; null encodes at the bitrate. */
  readonly quality: number | null;
  /** Maximum frames between keyframes, in addition to the keyframes of the source; null adds none. */
  readonly gopFrames: number | null;
  readonly profile: 'baseline' | 'main' | 'high';
}

export interface Ladder {
  /** Renditions in the order of the profiles. */
  readonly renditions: readonly RenditionSpec[];
  /** Why profiles were left out, one message each. */
  readonly skipped: readonly string[];
}

/** Minimum bitrate in bit/s. The rate control of the encoder works in kilobits. */
const MIN_BITRATE = 16_000;
/**
 * Factor within which a frame rate limit counts as the rate of the source. A limit of 29.97 for a source with 30 would only
 * drop single frames.
 */
const FRAME_RATE_TOLERANCE = 1.02;
/** Frame rate of a source that does not state one. */
const DEFAULT_FPS = 30;

/** H.264 profiles of x264 by the names in the API. */
const H264_PROFILES: Readonly<Record<string, RenditionSpec['profile']>> = {
  H264Baseline: 'baseline',
  H264ConstrainedHigh: 'high',
  H264High: 'high',
  H264Main: 'main',
};

/**
 * Creates the renditions of a source. The width and height of a profile are a box that the picture is fitted into, in
 * landscape or portrait like the picture. A profile whose box is larger than the picture is left out: no picture is
 * upscaled, and no frame is duplicated. The bitrate of the source is ignored, because it may change at any time.
 */
export function createLadder(profiles: readonly RequestedRendition[], source: SourceFormat): Ladder {
  const renditions: RenditionSpec[] = [];
  const skipped: string[] = [];
  for (const profile of profiles) {
    const size = fitIntoBox(profile, source);
    if (size) renditions.push({ name: profile.name, ...size, ...encodingOf(profile, source) });
    else skipped.push(skippedMessage(profile, source));
  }
  return { renditions, skipped };
}

function fitIntoBox(box: RequestedRendition, source: SourceFormat): { width: number; height: number } | null {
  const isLandscape = source.width >= source.height;
  const [width, height] =
    isLandscape === box.width >= box.height ? [box.width, box.height] : [box.height, box.width];
  const scale = Math.min(width / source.width, height / source.height);
  if (scale > 1) return null;
  return {
    width: evenLength(source.width * scale, source.width),
    height: evenLength(source.height * scale, source.height),
  };
}

/** The nearest even number that is not larger than the size of the source. */
function evenLength(length: number, max: number): number {
  const nearest = 2 * Math.round(length / 2);
  return Math.max(2, nearest > max ? nearest - 2 : nearest);
}

function encodingOf(
  profile: RequestedRendition,
  source: SourceFormat,
): Omit<RenditionSpec, 'name' | 'width' | 'height'> {
  const fps = profile.fps / (profile.fpsDen ?? 1);
  const keepsFrameRate = fps === 0 || (source.fps !== undefined && fps * FRAME_RATE_TOLERANCE >= source.fps);
  return {
    bitrate: Math.max(MIN_BITRATE, profile.bitrate),
    fps: keepsFrameRate ? null : fps,
    quality: profile.quality ?? null,
    gopFrames: gopFrames(profile.gop, keepsFrameRate ? (source.fps ?? DEFAULT_FPS) : fps),
    profile: H264_PROFILES[profile.profile ?? ''] ?? 'main',
  };
}

/**
 * Maximum number of frames between keyframes. "intra" makes every frame a keyframe; "0" or undefined adds no keyframes to
 * those of the source.
 */
function gopFrames(gop: string | undefined, fps: number): number | null {
  if (gop === undefined || Number(gop) === 0) return null;
  return gop === 'intra' ? 1 : Math.max(1, Math.round(Number(gop) * fps));
}

function skippedMessage({ name, width, height }: RequestedRendition, source: SourceFormat): string {
  return `rendition "${name}" (${width}x${height}) is left out: the source is only ${source.width}x${source.height}`;
}
