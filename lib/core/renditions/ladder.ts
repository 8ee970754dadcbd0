/** A profile of the stream, as far as it shapes a rendition. */
export interface RequestedRendition {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  /** Bit/s. */
  readonly bitrate: number;
  /** 0 keeps the source's. */
  readonly fps: number;
  readonly fpsDen?: number;
  /** Constant rate factor, with `bitrate` as the ceiling. */
  readonly quality?: number;
  /** Seconds between keyframes beside those of the source, or "intra". */
  readonly gop?: string;
  readonly profile?: string;
}

/** The source's picture as it is shown: non-square samples already accounted for. */
export interface SourcePicture {
  readonly width: number;
  readonly height: number;
  /** Undefined where the encoder does not say. */
  readonly fps: number | undefined;
}

/** One rendition that is made, in final numbers. */
export interface RenditionSpec {
  readonly name: string;
  /** Even, and never above the source's. */
  readonly width: number;
  readonly height: number;
  readonly bitrate: number;
  /** Most frames a second; null keeps every frame of the source. */
  readonly fps: number | null;
  readonly quality: number | null;
  /** Frames between keyframes at most, beside those of the source; null adds none. */
  readonly gopFrames: number | null;
  readonly profile: 'baseline' | 'main' | 'high';
}

export interface Ladder {
  /** Renditions in the order of the profiles. */
  readonly renditions: readonly RenditionSpec[];
  /** Why profiles were left out, a sentence each. */
  readonly skipped: readonly string[];
}

/** Lowest bitrate for the encoder, whose rate control works in kilobits. */
const MIN_BITRATE = 16_000;
/** A cap this close to the source's rate would drop a frame now and then for nothing: 29.97 is 30. */
const SAME_RATE = 1.02;
/** Frame rate of a source that does not name one. */
const DEFAULT_FPS = 30;

const H264_PROFILES: Readonly<Record<string, RenditionSpec['profile']>> = {
  H264Baseline: 'baseline',
  H264ConstrainedHigh: 'high',
  H264High: 'high',
  H264Main: 'main',
};

/**
 * Which renditions a source of this picture gets. A profile's width and height are a box that the picture is fitted
 * into, lying or standing as the picture does; a box above the picture is left out, never filled by upscaling. Frames
 * are never doubled. The source's bit rate decides nothing: its first seconds say little about the hours to come.
 */
export function ladderOf(profiles: readonly RequestedRendition[], source: SourcePicture): Ladder {
  const renditions: RenditionSpec[] = [];
  const skipped: string[] = [];
  for (const profile of profiles) {
    const size = fit(profile, source);
    if (size) renditions.push({ name: profile.name, ...size, ...encoding(profile, source) });
    else skipped.push(tooLarge(profile, source));
  }
  return { renditions, skipped };
}

function fit(box: RequestedRendition, source: SourcePicture): { width: number; height: number } | null {
  const landscape = source.width >= source.height;
  const [width, height] =
    landscape === box.width >= box.height ? [box.width, box.height] : [box.height, box.width];
  const scale = Math.min(width / source.width, height / source.height);
  if (scale > 1) return null;
  return {
    width: even(source.width * scale, source.width),
    height: even(source.height * scale, source.height),
  };
}

/** The nearest even number that is no larger than the source. */
function even(length: number, max: number): number {
  const nearest = 2 * Math.round(length / 2);
  return Math.max(2, nearest > max ? nearest - 2 : nearest);
}

function encoding(
  profile: RequestedRendition,
  source: SourcePicture,
): Omit<RenditionSpec, 'name' | 'width' | 'height'> {
  const fps = profile.fps / (profile.fpsDen ?? 1);
  const keeps = fps === 0 || (source.fps !== undefined && fps * SAME_RATE >= source.fps);
  return {
    bitrate: Math.max(MIN_BITRATE, profile.bitrate),
    fps: keeps ? null : fps,
    quality: profile.quality ?? null,
    gopFrames: gopFrames(profile.gop, keeps ? (source.fps ?? DEFAULT_FPS) : fps),
    profile: H264_PROFILES[profile.profile ?? ''] ?? 'main',
  };
}

/** "intra" is a keyframe at every frame; "0" and nothing leave them to the source. */
function gopFrames(gop: string | undefined, fps: number): number | null {
  if (gop === undefined || Number(gop) === 0) return null;
  return gop === 'intra' ? 1 : Math.max(1, Math.round(Number(gop) * fps));
}

function tooLarge({ name, width, height }: RequestedRendition, source: SourcePicture): string {
  return `rendition "${name}" (${width}x${height}) is left out: the source is only ${source.width}x${source.height}`;
}
