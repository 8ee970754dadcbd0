import { defineMachine, type EventOf, type StateOf } from '@/lib/core/state-machine';

/**
 * The states of the recording of one session.
 * `none`: not playable yet. `empty`: the session ended without becoming playable. `recording`: the stream is active.
 * `waiting`: the stream is idle, the session may continue. `processing`: the session has ended, its files are being made.
 * `importing`: the files exist, the asset is being created from them. `ready`: the asset can be played. `failed`: the
 * asset could not be created. `deleted`: the files are deleted. `transient`: the session is not recorded; its DVR segments
 * are kept until it ends, and never become a recording.
 *
 * `playable`: media can be played; a reconnect continues the same recording, so it starts once. `found`: unreported
 * segments were discovered, because a process died or the database was down. `made`: playlist and MP4 are stored.
 * `deleted`: the stream was deleted, or the asset of the recording. `asset_deleted`: the asset was deleted before it was
 * ready. `account_deleted`: all data of the account is deleted. `retried`: the asset is created again. `kept`: segments of
 * an unrecorded session are about to be stored for DVR.
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

/** Maps the state to the status of the API. */
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
