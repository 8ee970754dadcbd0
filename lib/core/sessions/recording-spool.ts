import type { RecordingState } from './recording-state';
import type { SessionState } from './session-state';
import { defined } from '@/lib/core/defined';

/**
 * The spool keeps recorded segments on the local disk of a live node until they are stored. A folder holds the files of one
 * session. File names contain the storage key and length, so that truncated files are recognized after a power failure.
 */

/** Decision about the spooled files of a session. */
export type SpoolVerdict =
  /** Store the files: the recording can't be finished meanwhile. */
  | 'store'
  /** Store the files after marking the session as recorded in the database, which is not recorded there yet. */
  | 'unheard'
  /** Store the files after marking the segments of an unrecorded session as kept for DVR. */
  | 'unmarked'
  /** A process is making the files of the recording, or the stream is becoming active: check again later. */
  | 'wait'
  /** The recording was finished without the files. */
  | 'late'
  /** Delete the files: the session or its recording was deleted. */
  | 'gone';

/** The session columns that the decision needs. */
export interface SpooledSession {
  readonly state: SessionState;
  readonly recording: RecordingState;
  readonly record: boolean;
}

/**
 * @param session null without a row
 * @param isHeld whether the recording is kept from being finished while files are stored
 */
export function spoolVerdict(session: SpooledSession | null, isHeld: boolean): SpoolVerdict {
  if (!session) return 'gone';
  switch (session.recording) {
    case 'deleted':
      return 'gone';
    case 'importing':
    case 'ready':
    case 'failed':
      return 'late';
    case 'none':
      if (!session.record) return session.state === 'ended' ? 'gone' : isHeld ? 'unmarked' : 'wait';
      // A running publish marks the session itself, in order with its other events.
      return isHeld && session.state !== 'live' ? 'unheard' : 'wait';
    case 'empty':
      return isHeld ? 'unheard' : 'wait';
    case 'recording':
    case 'waiting':
    case 'processing':
    case 'transient':
      return isHeld ? 'store' : 'wait';
  }
}

/** A file in the spool: its storage key below the recording's prefix, and its complete length. */
export interface SpoolName {
  readonly file: string;
  readonly bytes: number;
}

/** `hls/source/init-1.mp4` of 812 bytes ↔ `hls~source~init-1.mp4~812`; no storage key contains `~`. */
export const spoolName = ({ file, bytes }: SpoolName): string => `${file.replaceAll('/', '~')}~${bytes}`;

const nameGrammar = /^(\w[\w.~-]*)~(\d{1,12})$/;

/** Parses a spool file name; null for other files. */
export function parseSpoolName(name: string): SpoolName | null {
  const [, file, bytes] = nameGrammar.exec(name) ?? [];
  return file === undefined ? null : { file: file.replaceAll('~', '/'), bytes: Number(bytes) };
}

/** A folder of the spool. */
export interface SpoolFolder {
  readonly name: string;
  readonly sessionId: string;
  /** Session whose recording was finished without these files; `sessionId` is the new session for the files. */
  readonly lateOf?: string;
}

export const lateFolderName = (sessionId: string, lateOf: string): string => `${sessionId}_${lateOf}`;

const folderGrammar = /^([0-9a-z-]+)(?:_([0-9a-z-]+))?$/;

/** Parses a spool folder name; null for other folders. */
export function parseSpoolFolder(name: string): SpoolFolder | null {
  const [, sessionId, lateOf] = folderGrammar.exec(name) ?? [];
  if (sessionId === undefined) return null;
  return { name, sessionId, ...defined({ lateOf }) };
}
