import { ladderOf, type Rung, type SourcePicture, type WantedRung } from './ladder';
import { transcodeCost, withoutTopRung } from './transcode-cost';

export interface TranscodeQuestion {
  readonly profiles: readonly WantedRung[];
  /** Null where the encoder sends sound alone. */
  readonly source: SourcePicture | null;
  /** Rungs that proved to be too much for this machine. */
  readonly givenUp: number;
  /** Cores that the transcoders of other streams leave. */
  readonly freeCores: number;
}

export interface TranscodePlan {
  readonly rungs: readonly Rung[];
  /** Why what was asked for is not made, a sentence each. */
  readonly issues: readonly string[];
  /** Cores that it keeps busy. */
  readonly cost: number;
}

/** Which renditions of one source are made now. Where not all can be, the costliest go first. */
export function planTranscode({ profiles, source, givenUp, freeCores }: TranscodeQuestion): TranscodePlan {
  if (profiles.length === 0) return { rungs: [], issues: [], cost: 0 };
  if (!source) {
    return { rungs: [], issues: ['renditions need video; the encoder sends only audio'], cost: 0 };
  }
  const { rungs: wanted, skipped } = ladderOf(profiles, source);
  const issues = [...skipped];
  let rungs = wanted;
  const giveUp = (reason: string) => {
    const kept = withoutTopRung(rungs, source);
    for (const { name } of rungs.filter((rung) => !kept.includes(rung))) {
      issues.push(`rendition "${name}" is paused: ${reason}; it will be retried later`);
    }
    rungs = kept;
  };
  for (let turn = 0; turn < givenUp && rungs.length > 0; turn++) giveUp('this machine is too slow for it');
  while (rungs.length > 0 && transcodeCost(rungs, source) > freeCores) {
    giveUp('other streams use the transcoding capacity');
  }
  return { rungs, issues, cost: transcodeCost(rungs, source) };
}
