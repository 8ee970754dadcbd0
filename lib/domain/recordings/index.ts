export {
  startLateSession,
  holdForSpool,
  keepForDvr,
  releaseFromSpool,
  reviveRecording,
} from './late-recording';
export {
  type PlannedSession,
  type RecordingRun,
  startFinishing,
  listDueSessions,
  planSessions,
  waitForSegments,
} from './start-finishing';
export { completeRecording, endRun, postponeRecording } from './complete-recording';
export { deleteOrphanedRecordings, deleteRecordings } from './remove-recordings';
export { expireDvr } from './trim-dvr';
