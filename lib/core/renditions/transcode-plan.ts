import { type RenditionSpec, type RequestedRendition, type SourceFormat, createLadder } from './ladder';

/**
 * Cost of transcoding in cores, measured with x264 veryfast (360p30 0.16, 480p30 0.21, 720p30 0.36, 1080p30 0.77) and with
 * the decoder (720p30 0.055). A rough estimate is enough to decide how many transcoders start: their lag shows whether the
 * machine is fast enough.
 */
const CORES_PER_RENDITION = 0.07;
const PIXELS_PER_CORE = 92_000_000;
const DECODED_PIXELS_PER_CORE = 500_000_000;
/** Frame rate of a source that does not state one. */
const DEFAULT_FPS = 30;

function renditionCost(rendition: RenditionSpec, source: SourceFormat): number {
  const fps = rendition.fps ?? source.fps ?? DEFAULT_FPS;
  return CORES_PER_RENDITION + (rendition.width * rendition.height * fps) / PIXELS_PER_CORE;
}

/** Number of cores that encoding these renditions of one source uses; 0 without renditions. */
export function transcodeCost(renditions: readonly RenditionSpec[], source: SourceFormat): number {
  if (renditions.length === 0) return 0;
  const decodeCost = (source.width * source.height * (source.fps ?? DEFAULT_FPS)) / DECODED_PIXELS_PER_CORE;
  return renditions.reduce((sum, rendition) => sum + renditionCost(rendition, source), decodeCost);
}

/**
 * The renditions without the costliest one. Without it the most capacity is free, and its viewers can use the source or the
 * next smaller rendition. Viewers of the smallest rendition have no other one that fits their bandwidth.
 * @param protectedRenditions renditions that are not dropped while the list has others
 */
export function withoutCostliest(
  renditions: readonly RenditionSpec[],
  source: SourceFormat,
  protectedRenditions: readonly RenditionSpec[] = [],
): readonly RenditionSpec[] {
  const costs = renditions.map((rendition) =>
    includesRendition(protectedRenditions, rendition) ? -Infinity : renditionCost(rendition, source),
  );
  const costliestIndex = costs.indexOf(Math.max(...costs));
  return renditions.filter((_, index) => index !== costliestIndex || costs[index] === -Infinity);
}

/** Whether a list has a rendition with the same name and settings. */
const includesRendition = (list: readonly RenditionSpec[], rendition: RenditionSpec): boolean =>
  list.some((item) => JSON.stringify(item) === JSON.stringify(rendition));

export interface TranscodeInput {
  readonly profiles: readonly RequestedRendition[];
  /** Null if the encoder sends only audio. */
  readonly source: SourceFormat | null;
  /** Number of renditions that are dropped because they overloaded this machine. */
  readonly droppedRenditionCount: number;
  /** Cores not used by transcoders of other streams. */
  readonly freeCores: number;
  /** Quota of the stream's team; null without a limit. */
  readonly maxRenditions?: number | null;
  /** Running renditions, which are kept even if other streams need their cores now. */
  readonly running?: readonly RenditionSpec[];
}

export interface TranscodePlan {
  readonly renditions: readonly RenditionSpec[];
  /** Why requested renditions are missing, one message each. */
  readonly issues: readonly string[];
  /** Cores used by the renditions. */
  readonly cost: number;
}

/** Chooses the renditions that are made of a source now. If not all of them fit, the costliest ones are left out first. */
export function planTranscode({
  profiles,
  source,
  droppedRenditionCount,
  freeCores,
  running = [],
  maxRenditions = null,
}: TranscodeInput): TranscodePlan {
  if (profiles.length === 0) return { renditions: [], issues: [], cost: 0 };
  if (!source) {
    return { renditions: [], issues: ['renditions need video; the encoder sends only audio'], cost: 0 };
  }
  const { renditions: requestedRenditions, skipped } = createLadder(profiles, source);
  const issues = [...skipped];
  let renditions = requestedRenditions;
  const drop = (issueOf: (name: string) => string, protectedRenditions: readonly RenditionSpec[] = []) => {
    const affordable = withoutCostliest(renditions, source, protectedRenditions);
    const droppedRenditions = renditions.filter((rendition) => !affordable.includes(rendition));
    issues.push(...droppedRenditions.map(({ name }) => issueOf(name)));
    renditions = affordable;
  };
  const pause = (reason: string, protectedRenditions?: readonly RenditionSpec[]) =>
    drop((name) => `rendition "${name}" is paused: ${reason}; it will be retried later`, protectedRenditions);
  while (maxRenditions !== null && renditions.length > maxRenditions)
    drop(
      (name) => `rendition "${name}" is left out: the quota allows ${maxRenditions} of them for one stream`,
    );
  for (let count = 0; count < droppedRenditionCount && renditions.length > 0; count++)
    pause('this machine is too slow for it');
  const areAllRunning = () => renditions.every((rendition) => includesRendition(running, rendition));
  while (!areAllRunning() && transcodeCost(renditions, source) > freeCores) {
    pause('other streams use the transcoding capacity', running);
  }
  return { renditions, issues, cost: transcodeCost(renditions, source) };
}
