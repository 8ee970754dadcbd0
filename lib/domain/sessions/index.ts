export { activateChildStream } from './child-stream';
export { completeRecording, endRecordingRun, postponeRecording } from './complete-recording';
export { endExpiredSession, startReconnectWindow } from './end-session';
export {
  findDvrSession,
  findRecordedSession,
  playableStates,
  recordingUrls,
  serializeSession,
} from './serialize';
export { getSession, listSessions, listStreamSessions } from './get-session';
export {
  holdForSpool,
  markForDvr,
  releaseFromSpool,
  recoverRecording,
  startLateSession,
} from './late-recording';
export { deleteOrphanedRecordings, deleteRecordings } from './delete-recordings';
export {
  type PlannedSession,
  type RecordingRun,
  listDueSessions,
  planSessions,
  startRecordingRun,
  delayForSegments,
} from './start-recording-run';
export { startOrResumeSession } from './start-or-resume';
export {
  type EmitRecordingEvent,
  advanceRecording,
  markRecordingsDeleted,
  startOrPauseRecording,
  storeRecordingError,
} from './advance-recording';
export { expireDvrSegments } from './expire-dvr';
