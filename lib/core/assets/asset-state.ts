import { defineMachine, type StateOf } from '@/lib/core/state-machine';

/**
 * The phases of an asset. `waiting`: the file has not arrived. `uploading`: its bytes are arriving. `processing`: the
 * file is being processed. `ready`: the asset can be played and downloaded. `failed`: processing failed, with a reason;
 * only a retry leaves this phase. Deletion is no phase: a deleted asset returns 404.
 *
 * `upload_taken_over`: the client continues its upload, or another client takes over an upload that stopped.
 * `upload_broken`: the connection ended before the last byte; the upload URL can be used again. `work_started`: a worker
 * started the task. `retried`: a person retried the failed task.
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

/** Phases from which an asset can still fail. */
export const unfinishedAssetPhases: readonly AssetPhase[] = assetMachine.statesBefore('failed');
