/**
 * The states of an asset.
 * `waiting`: the file has not arrived. `uploading`: its bytes are arriving. `processing`: the file is being processed.
 * `ready`: it can be played and downloaded. `failed`: final, with the reason. Deletion is no phase: a deleted asset is
 * not found.
 */
export const assetPhases = ['waiting', 'uploading', 'processing', 'ready', 'failed'] as const;
export type AssetPhase = (typeof assetPhases)[number];

/**
 * `upload_taken_over`: the same sender continues, or another one replaces a sender that went silent. `upload_broken`:
 * the bytes ended early, the same URL works again. `work_started`: a worker has the task; a restarted task finds the
 * asset in `processing` already. `retried`: a person retried the task that failed.
 */
export const assetEvents = [
  'upload_started',
  'upload_taken_over',
  'upload_broken',
  'upload_received',
  'work_started',
  'progressed',
  'completed',
  'failed',
  'retried',
] as const;
export type AssetEvent = (typeof assetEvents)[number];

const transitions: Readonly<
  Record<AssetEvent, { readonly from: readonly AssetPhase[]; readonly to: AssetPhase }>
> = {
  upload_started: { from: ['waiting'], to: 'uploading' },
  upload_taken_over: { from: ['uploading'], to: 'uploading' },
  upload_broken: { from: ['uploading'], to: 'waiting' },
  upload_received: { from: ['uploading'], to: 'processing' },
  work_started: { from: ['waiting', 'uploading'], to: 'processing' },
  progressed: { from: ['processing'], to: 'processing' },
  completed: { from: ['processing'], to: 'ready' },
  failed: { from: ['waiting', 'uploading', 'processing'], to: 'failed' },
  retried: { from: ['failed'], to: 'processing' },
};

/** The phase of a new asset. */
export const firstAssetPhase: AssetPhase = 'waiting';

/** The phase that follows; null when the event is not possible in this phase. */
export function nextAssetPhase(phase: AssetPhase, event: AssetEvent): AssetPhase | null {
  const { from, to } = transitions[event];
  return from.includes(phase) ? to : null;
}

/** Where `event` is possible from: the condition of a conditional update. */
export const assetPhasesBefore = (event: AssetEvent): AssetPhase[] => [...transitions[event].from];

/** Where `event` leads to. */
export const assetPhaseAfter = (event: AssetEvent): AssetPhase => transitions[event].to;

/** Whether it can be played, downloaded, exported and transcoded. */
export function isReadyAsset(phase: AssetPhase): boolean {
  return phase === 'ready';
}

/** Its file has not arrived yet, but may still come. */
export const receivingAssetPhases: readonly AssetPhase[] = ['waiting', 'uploading'];

/** Not final yet. */
export const unfinishedAssetPhases: readonly AssetPhase[] = transitions.failed.from;
