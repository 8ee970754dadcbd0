export { activateSession, createChildStream } from './child-stream';
export { endExpiredSession, startReconnectWindow } from './end-session';
export {
  findDvrSession,
  findRecordedSession,
  playableStates,
  recordingAddresses,
  serializeSession,
} from './serialize';
export { getSession, listSessions, listStreamSessions } from './get-session';
export { startOrResumeSession } from './start-or-resume';
export {
  type RecordingChange,
  advanceRecording,
  markRecordingsDeleted,
  followStream,
  reportRecordingTrouble,
} from './step-recording';
