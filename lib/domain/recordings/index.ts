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
export { deleteOrphanedRecordings, deleteRecordings } from './delete-recordings';
export { expireDvr } from './expire-dvr';
