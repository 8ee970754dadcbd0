import { defineMachine, type StateOf } from '@/lib/core/state-machine';

/**
 * The states of an asset.
 * `waiting`: the file has not arrived. `uploading`: its bytes are arriving. `processing`: the file is being processed.
 * `ready`: it can be played and downloaded. `failed`: final, with a reason. Deletion is no phase: a deleted asset
 * returns 404.
 *
 * `upload_taken_over`: the same sender continues, or replaces a sender that stopped sending. `upload_broken`: the bytes
 * ended early, the same URL works again. `work_started`: a worker has the task; a restarted task finds the asset already
 * in `processing`. `retried`: a person retried the failed task.
 */
export const assetMachine = defineMachine({
  states: ['waiting', 'uploading', 'processing', 'ready', 'failed'],
  events: {
    upload_started: { waiting: 'uploading' },
    upload_taken_over: { uploading: 'uploading' },
    upload_broken: { uploading: 'waiting' },
    upload_received: { uploading: 'processing' },
    work_started: { waiting: 'processing', uploading: 'processing' },
    progressed: { processing: 'processing' },
    completed: { processing: 'ready' },
    failed: { waiting: 'failed', uploading: 'failed', processing: 'failed' },
    retried: { failed: 'processing' },
  },
});
export type AssetPhase = StateOf<typeof assetMachine>;

export const firstAssetPhase: AssetPhase = 'waiting';

/** Whether the asset can be played, downloaded, exported and transcoded. */
export function isReadyAsset(phase: AssetPhase): boolean {
  return phase === 'ready';
}

/** Phases before the file has arrived. */
export const receivingAssetPhases: readonly AssetPhase[] = ['waiting', 'uploading'];

/** Phases that are not final. */
export const unfinishedAssetPhases: readonly AssetPhase[] = assetMachine.before('failed');
