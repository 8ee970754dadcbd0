import type { RecordingState } from './recording-state';
import type { SessionState } from './session-state';
import { defined } from '@/lib/core/defined';

/**
 * The spool keeps recorded segments on the local disk of a live node until they are in the storage. A folder holds the
 * files of one session. Each is named after its storage object and length, so that truncated files are recognized after
 * a power failure.
 */

/** Decision about the spooled files of a session. */
export type SpoolVerdict =
  /** Store them: the recording cannot be finished meanwhile. */
  | 'store'
  /** Store the files after marking the session as recorded, which the database does not know yet. */
  | 'unheard'
  /** Store the files after marking the segments of an unrecorded session as kept for DVR. */
  | 'unmarked'
  /** A process is making the files of the recording, or the stream is just becoming active: ask again. */
  | 'wait'
  /** The recording was finished without them. */
  | 'late'
  /** Drop the files: the session or its recording was deleted. */
  | 'gone';

/** The columns of a session's row that the decision needs. */
export interface SpooledSession {
  readonly state: SessionState;
  readonly recording: RecordingState;
  readonly record: boolean;
}

/**
 * @param session null if it has no row (anymore)
 * @param isHeld whether its recording is held back from being finished while files are stored
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
      // A running publish reports it itself, in order with its other events.
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

/** A file in the spool: the key of its object, below the recording's prefix, and its complete length. */
export interface SpoolName {
  readonly file: string;
  readonly bytes: number;
}

/** `hls/source/init-1.mp4` of 812 bytes ↔ `hls~source~init-1.mp4~812`; no storage key holds a `~`. */
export const spoolName = ({ file, bytes }: SpoolName): string => `${file.replaceAll('/', '~')}~${bytes}`;

const nameGrammar = /^(\w[\w.~-]*)~(\d{1,12})$/;

/** Null for every other file. */
export function parseSpoolName(name: string): SpoolName | null {
  const [, file, bytes] = nameGrammar.exec(name) ?? [];
  return file === undefined ? null : { file: file.replaceAll('~', '/'), bytes: Number(bytes) };
}

/** A folder of the spool. */
export interface SpoolFolder {
  readonly name: string;
  readonly sessionId: string;
  /** The session they were recorded in, if it was finished without them; `sessionId` is then created for them. */
  readonly lateOf?: string;
}

export const lateFolderName = (sessionId: string, lateOf: string): string => `${sessionId}_${lateOf}`;

const folderGrammar = /^([0-9a-z-]+)(?:_([0-9a-z-]+))?$/;

/** Null for every other folder. */
export function parseSpoolFolder(name: string): SpoolFolder | null {
  const [, sessionId, lateOf] = folderGrammar.exec(name) ?? [];
  if (sessionId === undefined) return null;
  return { name, sessionId, ...defined({ lateOf }) };
}
