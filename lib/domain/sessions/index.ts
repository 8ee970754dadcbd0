export { activateSession } from './child-stream';
export { completeRecording, endRun, postponeRecording } from './complete-recording';
export { endExpiredSession, startReconnectWindow } from './end-session';
export {
  findDvrSession,
  findRecordedSession,
  playableStates,
  recordingAddresses,
  serializeSession,
} from './serialize';
export { getSession, listSessions, listStreamSessions } from './get-session';
export {
  holdForSpool,
  keepForDvr,
  releaseFromSpool,
  reviveRecording,
  startLateSession,
} from './late-recording';
export { deleteOrphanedRecordings, deleteRecordings } from './delete-recordings';
export {
  type PlannedSession,
  type RecordingRun,
  listDueSessions,
  planSessions,
  startFinishing,
  waitForSegments,
} from './start-finishing';
export { startOrResumeSession } from './start-or-resume';
export {
  type EmitRecordingEvent,
  advanceRecording,
  markRecordingsDeleted,
  followStream,
  reportRecordingTrouble,
} from './step-recording';
export { expireDvr } from './expire-dvr';
