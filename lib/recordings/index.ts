export { beginLateSession, holdForSpool, releaseFromSpool, reviveRecording } from './late-recording';
export {
  type PlannedSession,
  type RecordingRun,
  beginRecording,
  listDueSessions,
  planSessions,
  waitForSegments,
} from './begin-recording';
export { completeRecording, keepMadeRecording, postponeRecording } from './complete-recording';
export { removeOrphanedRecordings, removeRecordings } from './remove-recordings';
