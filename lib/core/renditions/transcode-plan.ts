import { type RenditionSpec, type RequestedRendition, type SourceFormat, ladderOf } from './ladder';

/**
 * Cost of transcoding in cores, measured with x264 veryfast (360p30 0.16, 480p30 0.21, 720p30 0.36, 1080p30 0.77) and
 * for the decoder (720p30 0.055). A rough estimate is enough: it decides how many transcoders start, and their lag shows
 * the capacity of the machine.
 */
const CORES_PER_RENDITION = 0.07;
const PIXELS_PER_CORE = 92_000_000;
const DECODED_PIXELS_PER_CORE = 500_000_000;
/** Frame rate of a source that names none. */
const DEFAULT_FPS = 30;

function renditionCost(rendition: RenditionSpec, source: SourceFormat): number {
  const fps = rendition.fps ?? source.fps ?? DEFAULT_FPS;
  return CORES_PER_RENDITION + (rendition.width * rendition.height * fps) / PIXELS_PER_CORE;
}

/** Cores used by making these renditions of one source; 0 for none. */
export function transcodeCost(renditions: readonly RenditionSpec[], source: SourceFormat): number {
  if (renditions.length === 0) return 0;
  const decodeCost = (source.width * source.height * (source.fps ?? DEFAULT_FPS)) / DECODED_PIXELS_PER_CORE;
  return renditions.reduce((sum, rendition) => sum + renditionCost(rendition, source), decodeCost);
}

/**
 * The renditions without the costliest one, which is dropped first when the machine is too slow: this frees the most, and its
 * viewers have the source and the next smaller rendition. Viewers of the smallest one have no other that fits their bandwidth.
 * @param remainingRenditions never dropped
 */
export function withoutCostliest(
  renditions: readonly RenditionSpec[],
  source: SourceFormat,
  remainingRenditions: readonly RenditionSpec[] = [],
): readonly RenditionSpec[] {
  const costs = renditions.map((rendition) =>
    includes(remainingRenditions, rendition) ? -Infinity : renditionCost(rendition, source),
  );
  const top = costs.indexOf(Math.max(...costs));
  return renditions.filter((_, index) => index !== top || costs[index] === -Infinity);
}

/** Whether a list has a rendition with the same name and settings. */
const includes = (list: readonly RenditionSpec[], rendition: RenditionSpec): boolean =>
  list.some((each) => JSON.stringify(each) === JSON.stringify(rendition));

export interface TranscodeInput {
  readonly profiles: readonly RequestedRendition[];
  /** Null if the encoder sends only audio. */
  readonly source: SourceFormat | null;
  /** Number of renditions that overloaded this machine. */
  readonly givenUp: number;
  /** Cores not used by transcoders of other streams. */
  readonly freeCores: number;
  /** Quota of the stream's team; null: any number. */
  readonly maxRenditions?: number | null;
  /** Running renditions, which stay even if other streams now need the cores. */
  readonly running?: readonly RenditionSpec[];
}

export interface TranscodePlan {
  readonly renditions: readonly RenditionSpec[];
  /** Why requested renditions are missing, one message each. */
  readonly issues: readonly string[];
  /** Cores used by the renditions. */
  readonly cost: number;
}

/** Which renditions of one source to make now. If not all fit, the costliest are left out first. */
export function planTranscode({
  profiles,
  source,
  givenUp,
  freeCores,
  running = [],
  maxRenditions = null,
}: TranscodeInput): TranscodePlan {
  if (profiles.length === 0) return { renditions: [], issues: [], cost: 0 };
  if (!source) {
    return { renditions: [], issues: ['renditions need video; the encoder sends only audio'], cost: 0 };
  }
  const { renditions: requestedRenditions, skipped } = ladderOf(profiles, source);
  const issues = [...skipped];
  let renditions = requestedRenditions;
  const drop = (issueOf: (name: string) => string, protectedOnes: readonly RenditionSpec[] = []) => {
    const affordable = withoutCostliest(renditions, source, protectedOnes);
    const droppedRenditions = renditions.filter((rendition) => !affordable.includes(rendition));
    issues.push(...droppedRenditions.map(({ name }) => issueOf(name)));
    renditions = affordable;
  };
  const giveUp = (reason: string, protectedOnes?: readonly RenditionSpec[]) =>
    drop((name) => `rendition "${name}" is paused: ${reason}; it will be retried later`, protectedOnes);
  while (maxRenditions !== null && renditions.length > maxRenditions)
    drop(
      (name) => `rendition "${name}" is left out: the quota allows ${maxRenditions} of them for one stream`,
    );
  for (let count = 0; count < givenUp && renditions.length > 0; count++)
    giveUp('this machine is too slow for it');
  const allRun = () => renditions.every((rendition) => includes(running, rendition));
  while (!allRun() && transcodeCost(renditions, source) > freeCores) {
    giveUp('other streams use the transcoding capacity', running);
  }
  return { renditions, issues, cost: transcodeCost(renditions, source) };
}
