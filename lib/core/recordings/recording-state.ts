/**
 * The states of the recording of one session.
 * `none`: not playable yet. `empty`: the session ended without becoming playable. `recording`: the stream is active.
 * `waiting`: the stream is idle, the session may continue. `processing`: the session has ended, its files are being
 * made. `importing`: the files exist, the asset is being created from them. `ready`: the asset can be played. `failed`:
 * it could not be created. `deleted`: its files are removed. `transient`: the session is not recorded; what viewers can go
 * back in is kept until it ends, and never becomes a recording.
 */
export const recordingStates = [
  'none',
  'empty',
  'recording',
  'waiting',
  'processing',
  'importing',
  'ready',
  'failed',
  'deleted',
  'transient',
] as const;
export type RecordingState = (typeof recordingStates)[number];

/**
 * `found`: unreported segments were found, because a process died or the database was away.
 * `made`: playlist and MP4 are stored. `deleted`: the stream was deleted, or the asset that the recording became.
 * `asset_deleted`: the asset was deleted before it was ready. `account_deleted`: everything of the account is removed.
 * `retried`: the asset is created again. `kept`: segments of a session that is not recorded are about to be stored for DVR.
 */
export const recordingEvents = [
  'playable',
  'found',
  'idle',
  'ended',
  'made',
  'ready',
  'failed',
  'deleted',
  'asset_deleted',
  'account_deleted',
  'retried',
  'kept',
] as const;
export type RecordingEvent = (typeof recordingEvents)[number];

type Emits = 'recording.started' | 'recording.waiting' | 'recording.ready';

export type RecordingTransition =
  | { readonly state: RecordingState; readonly emits: Emits | null }
  | { readonly refused: 'out_of_turn' };

const to = (state: RecordingState, emits: Emits | null = null): RecordingTransition => ({ state, emits });

const transitions: Readonly<
  Record<RecordingState, Partial<Readonly<Record<RecordingEvent, RecordingTransition>>>>
> = {
  none: {
    playable: to('recording', 'recording.started'),
    found: to('waiting', 'recording.started'),
    idle: to('none'),
    ended: to('empty'),
    kept: to('transient'),
  },
  empty: { found: to('processing', 'recording.started') },
  recording: {
    playable: to('recording'),
    idle: to('waiting', 'recording.waiting'),
    ended: to('processing'),
    account_deleted: to('deleted'),
  },
  // A reconnect continues the same recording: it starts once.
  waiting: {
    playable: to('recording'),
    idle: to('waiting'),
    ended: to('processing'),
    account_deleted: to('deleted'),
  },
  processing: { made: to('importing'), failed: to('failed'), account_deleted: to('deleted') },
  importing: {
    ready: to('ready', 'recording.ready'),
    failed: to('failed'),
    asset_deleted: to('deleted'),
    account_deleted: to('deleted'),
  },
  ready: { deleted: to('deleted'), account_deleted: to('deleted') },
  failed: { deleted: to('deleted'), account_deleted: to('deleted'), retried: to('importing') },
  deleted: {},
  transient: { ended: to('deleted'), deleted: to('deleted'), account_deleted: to('deleted') },
};

/** What follows for the recording of one session. */
export function nextRecordingState(state: RecordingState, event: RecordingEvent): RecordingTransition {
  return transitions[state][event] ?? { refused: 'out_of_turn' };
}

/** Where `event` is possible from: the condition of a conditional update. */
export function recordingStatesBefore(event: RecordingEvent): RecordingState[] {
  return recordingStates.filter((state) => transitions[state][event] !== undefined);
}

/** The state that all deletions lead to. */
export const deletedRecordingState: RecordingState = 'deleted';

export type RecordingStatus = 'waiting' | 'ready' | 'failed' | 'deleted' | 'none';

/** The status that the API shows. */
export function recordingStatusOf(state: RecordingState): RecordingStatus {
  switch (state) {
    case 'empty':
    case 'transient':
      return 'none';
    case 'none':
    case 'recording':
    case 'waiting':
    case 'processing':
    case 'importing':
      return 'waiting';
    case 'ready':
    case 'failed':
    case 'deleted':
      return state;
  }
}
