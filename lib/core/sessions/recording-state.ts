import { defineMachine, type EventOf, type StateOf } from '@/lib/core/state-machine';

/**
 * The states of the recording of one session. `none`: nothing can be played yet. `empty`: the session ended before
 * anything could be played. `recording`: the stream is active. `waiting`: the stream is idle, and the session may
 * continue. `processing`: the session has ended, and its files are being made. `importing`: the files exist, and the
 * asset is being created from them. `ready`: the asset can be played. `failed`: the asset could not be created.
 * `deleted`: the files are deleted. `transient`: the session is not recorded; its DVR segments are kept until it ends.
 *
 * `playable`: media can be played; a reconnect continues the recording. `found`: segments were found that had not been
 * reported, because a process died or the database was down. `idle`: the stream became idle. `ended`: the session ended.
 * `made`: playlist and MP4 are stored. `deleted`: the stream or the asset of the recording was deleted. `asset_deleted`: the
 * asset was deleted before it was ready. `account_deleted`: all data of the account is deleted. `retried`: a person retried
 * the failed recording. `kept`: segments of an unrecorded session are about to be stored for DVR.
 */
export const recordingMachine = defineMachine({
  states: [
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
  ],
  events: {
    playable: {
      none: ['recording', 'recording.started'],
      recording: 'recording',
      waiting: 'recording',
    },
    found: {
      none: ['waiting', 'recording.started'],
      empty: ['processing', 'recording.started'],
    },
    idle: { none: 'none', recording: ['waiting', 'recording.waiting'], waiting: 'waiting' },
    ended: { none: 'empty', recording: 'processing', waiting: 'processing', transient: 'deleted' },
    made: { processing: 'importing' },
    ready: { importing: ['ready', 'recording.ready'] },
    failed: { processing: 'failed', importing: 'failed' },
    deleted: { ready: 'deleted', failed: 'deleted', transient: 'deleted' },
    asset_deleted: { importing: 'deleted' },
    account_deleted: {
      recording: 'deleted',
      waiting: 'deleted',
      processing: 'deleted',
      importing: 'deleted',
      ready: 'deleted',
      failed: 'deleted',
      transient: 'deleted',
    },
    retried: { failed: 'importing' },
    kept: { none: 'transient' },
  },
});
export type RecordingState = StateOf<typeof recordingMachine>;
export type RecordingEvent = EventOf<typeof recordingMachine>;

export type RecordingStatus = 'waiting' | 'ready' | 'failed' | 'deleted' | 'none';

/** The status of a recording in the API. */
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
