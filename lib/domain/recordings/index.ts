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
export { completeRecording, completeFromExisting, postponeRecording } from './complete-recording';
export { removeOrphanedRecordings, removeRecordings } from './remove-recordings';
export { trimDvr } from './trim-dvr';
