import type { RecordingState } from './recording-state';
import type { SessionState } from './session-state';
import { omitUndefined } from '@/lib/core/omit-undefined';

/**
 * The spool keeps recorded segments on the local disk of a live node until they are in the storage. A folder has the files
 * of one session. The name of a file contains its storage key and its length, so that truncated files are recognized after a
 * power failure.
 */

/** A decision about the files of a session in the spool. */
export type SpoolDecision =
  /** Store the files. The recording is not finished until they are stored. */
  | 'store'
  /** First create the recording in the database, which does not show that the session is recorded. Then store the files. */
  | 'create-recording'
  /** First mark that the segments of an unrecorded session are kept for DVR. Then store the files. */
  | 'mark-for-dvr'
  /** Check again later: another process works on the recording, or the stream is becoming active. */
  | 'wait'
  /** Move the files to a session of their own: the recording was finished without them. */
  | 'move'
  /** Delete the files: the session or its recording was deleted. */
  | 'delete';

/** The session columns that the decision needs. */
export interface SpooledSession {
  readonly state: SessionState;
  readonly recording: RecordingState;
  readonly record: boolean;
}

/**
 * Decides what happens to the files of a session in the spool.
 * @param session columns of the session; null if it has no row
 * @param isHeld whether the caller keeps the recording from being finished
 */
export function decideSpooledFiles(session: SpooledSession | null, isHeld: boolean): SpoolDecision {
  if (!session) return 'delete';
  switch (session.recording) {
    case 'deleted':
      return 'delete';
    case 'importing':
    case 'ready':
    case 'failed':
      return 'move';
    case 'none':
      if (!session.record) return session.state === 'ended' ? 'delete' : isHeld ? 'mark-for-dvr' : 'wait';
      // The live process of a running publish marks the session, in order with its other events.
      return isHeld && session.state !== 'live' ? 'create-recording' : 'wait';
    case 'empty':
      return isHeld ? 'create-recording' : 'wait';
    case 'recording':
    case 'waiting':
    case 'processing':
    case 'transient':
      return isHeld ? 'store' : 'wait';
  }
}

/** A file in the spool: its storage key below the prefix of the session, and its complete length. */
export interface SpoolFile {
  readonly file: string;
  readonly bytes: number;
}

/**
 * The name of a file in the spool, such as `hls~source~init-1.mp4~812` for `hls/source/init-1.mp4` with 812 bytes. No
 * storage key contains `~`.
 */
export const formatSpoolName = ({ file, bytes }: SpoolFile): string =>
  `${file.replaceAll('/', '~')}~${bytes}`;

const fileNamePattern = /^(\w[\w.~-]*)~(\d{1,12})$/;

/** Parses a spool file name; null for other files. */
export function parseSpoolName(name: string): SpoolFile | null {
  const [, file, bytes] = fileNamePattern.exec(name) ?? [];
  return file === undefined ? null : { file: file.replaceAll('~', '/'), bytes: Number(bytes) };
}

/** A folder of the spool. */
export interface SpoolFolder {
  readonly name: string;
  readonly sessionId: string;
  /** Id of the session whose recording was finished without these files; `sessionId` is the new session of the files. */
  readonly lateOf?: string;
}

/**
 * The name of the folder of files that arrived after their recording was finished.
 * @param sessionId id of the new session of the files
 * @param lateOf id of the session in which they were recorded
 */
export const formatLateFolderName = (sessionId: string, lateOf: string): string => `${sessionId}_${lateOf}`;

const folderNamePattern = /^([0-9a-z-]+)(?:_([0-9a-z-]+))?$/;

/** Parses a spool folder name; null for other folders. */
export function parseSpoolFolder(name: string): SpoolFolder | null {
  const [, sessionId, lateOf] = folderNamePattern.exec(name) ?? [];
  if (sessionId === undefined) return null;
  return { name, sessionId, ...omitUndefined({ lateOf }) };
}
