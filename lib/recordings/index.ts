export { beginLateSession } from './begin-late-session';
export { claimRecording, listDueRecordings, renewRecording, type RecordingClaim } from './claim-recording';
export { completeRecordings } from './complete-recordings';
export { holdForSpool, releaseFromSpool, reviveRecording } from './hold-for-spool';
export { keepMadeRecording } from './keep-made-recording';
export { postponeRecording } from './postpone-recording';
export { removeOrphanedRecordings } from './remove-orphaned-recordings';
export { removeRecordings } from './remove-recordings';
