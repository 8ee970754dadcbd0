export { claimRecording, listDueRecordings, renewRecording, type RecordingClaim } from './claim-recording';
export { completeRecordings } from './complete-recordings';
export { keepMadeRecording } from './keep-made-recording';
export { postponeRecording } from './postpone-recording';
export { removeOrphanedRecordings } from './remove-orphaned-recordings';
export { removeRecordings } from './remove-recordings';
