export { activateSession } from './child-stream';
export { endExpiredSessions } from './end-expired-sessions';
export { parkSession } from './park-session';
export { startOrResumeSession } from './start-or-resume';
