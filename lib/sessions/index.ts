export { activateSession, createChildStream } from './child-stream';
export { endExpiredSession } from './end-expired-session';
export { findRecordedSession } from './find-recorded-session';
export { getSession } from './get-session';
export { listSessions, listStreamSessions } from './list-sessions';
export { parkSession } from './park-session';
export { recordingAddresses } from './addresses';
export { serializeSession } from './serialize';
export { startOrResumeSession } from './start-or-resume';
