export { beginLateSession } from './begin-late-session';
export { beginRecording, waitForSegments, type RecordingRun } from './begin-recording';
export { completeRecording } from './complete-recording';
export { holdForSpool, releaseFromSpool, reviveRecording } from './hold-for-spool';
export { keepMadeRecording } from './keep-made-recording';
export { listDueSessions, planSessions, type PlannedSession } from './plan-sessions';
export { postponeRecording } from './postpone-recording';
export { removeOrphanedRecordings } from './remove-orphaned-recordings';
export { removeRecordings } from './remove-recordings';
