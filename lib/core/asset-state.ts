import { risenProgress } from './progress';

/**
 * What becomes of an asset (specification §3, api-contract §6).
 * `waiting`: the file is not here yet. `uploading`: its bytes arrive. `processing`: the file is being worked on.
 * `ready`: it can be played and downloaded. `failed`: final, with the reason. Deletion is no phase: a deleted
 * asset is not found.
 */
export const assetPhases = ['waiting', 'uploading', 'processing', 'ready', 'failed'] as const;
export type AssetPhase = (typeof assetPhases)[number];

export interface AssetState {
  readonly phase: AssetPhase;
  /** Of the processing, 0 to 1; never falls. Null before it has begun. */
  readonly progress: number | null;
}

/**
 * `upload_broken`: the bytes ended early, the same URL works again. `work_started`: the file is complete, or
 * the work on it begins anew after a crash. `progressed` carries the progress of the work, 0 to 1. `retried`: somebody
 * asked for the failed work once more; nothing else leads out of a final phase.
 */
export type AssetEvent =
  | {
      readonly type: 'upload_started' | 'upload_broken' | 'work_started' | 'completed' | 'failed' | 'retried';
    }
  | { readonly type: 'progressed'; readonly progress: number };

export type AssetTransition =
  { readonly state: AssetState } | { readonly refused: 'already_final' | 'out_of_turn' };

interface Turn {
  readonly from: readonly AssetPhase[];
  readonly to: AssetPhase;
}

const turns: Readonly<Record<AssetEvent['type'], Turn>> = {
  upload_started: { from: ['waiting'], to: 'uploading' },
  upload_broken: { from: ['uploading'], to: 'waiting' },
  work_started: { from: ['waiting', 'uploading', 'processing'], to: 'processing' },
  progressed: { from: ['processing'], to: 'processing' },
  completed: { from: ['processing'], to: 'ready' },
  failed: { from: ['waiting', 'uploading', 'processing'], to: 'failed' },
  retried: { from: ['failed'], to: 'processing' },
};

/** The phase of an asset that was just asked for. */
export const firstAssetPhase: AssetPhase = 'waiting';

/** What follows for one asset. */
export function nextAssetState(state: AssetState, event: AssetEvent): AssetTransition {
  const { from, to } = turns[event.type];
  if (!from.includes(state.phase)) {
    return { refused: isFinalAssetPhase(state.phase) ? 'already_final' : 'out_of_turn' };
  }
  return { state: { phase: to, progress: progressAfter(state.progress, event) } };
}

/** Whether it can be played, downloaded, exported and transcoded. */
export function isReadyAsset(phase: AssetPhase): boolean {
  return phase === 'ready';
}

/** Its file is not here yet, but may still come. */
export const receivingAssetPhases: readonly AssetPhase[] = ['waiting', 'uploading'];

/** Something may still become of it. */
export const unfinishedAssetPhases: readonly AssetPhase[] = ['waiting', 'uploading', 'processing'];

export function isFinalAssetPhase(phase: AssetPhase): boolean {
  return phase === 'ready' || phase === 'failed';
}

function progressAfter(before: number | null, event: AssetEvent): number | null {
  if (event.type === 'completed') return 1;
  if (event.type === 'retried') return null;
  if (event.type !== 'progressed') return before;
  return risenProgress(before, event.progress);
}
