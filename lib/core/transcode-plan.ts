import { ladderOf, type RenditionSpec, type SourcePicture, type RequestedRendition } from './ladder';
import { transcodeCost, withoutCostliest } from './transcode-cost';

export interface TranscodeQuestion {
  readonly profiles: readonly RequestedRendition[];
  /** Null where the encoder sends sound alone. */
  readonly source: SourcePicture | null;
  /** Renditions that proved to be too much for this machine. */
  readonly givenUp: number;
  /** Cores that the transcoders of other streams leave. */
  readonly freeCores: number;
}

export interface TranscodePlan {
  readonly renditions: readonly RenditionSpec[];
  /** Why what was asked for is not made, a sentence each. */
  readonly issues: readonly string[];
  /** Cores that it keeps busy. */
  readonly cost: number;
}

/** Which renditions of one source are made now. Where not all can be, the costliest go first. */
export function planTranscode({ profiles, source, givenUp, freeCores }: TranscodeQuestion): TranscodePlan {
  if (profiles.length === 0) return { renditions: [], issues: [], cost: 0 };
  if (!source) {
    return { renditions: [], issues: ['renditions need video; the encoder sends only audio'], cost: 0 };
  }
  const { renditions: wanted, skipped } = ladderOf(profiles, source);
  const issues = [...skipped];
  let renditions = wanted;
  const giveUp = (reason: string) => {
    const kept = withoutCostliest(renditions, source);
    for (const { name } of renditions.filter((rendition) => !kept.includes(rendition))) {
      issues.push(`rendition "${name}" is paused: ${reason}; it will be retried later`);
    }
    renditions = kept;
  };
  for (let turn = 0; turn < givenUp && renditions.length > 0; turn++)
    giveUp('this machine is too slow for it');
  while (renditions.length > 0 && transcodeCost(renditions, source) > freeCores) {
    giveUp('other streams use the transcoding capacity');
  }
  return { renditions, issues, cost: transcodeCost(renditions, source) };
}
