import type { IncomingHttpHeaders } from 'node:http';
import type { RecordingState } from '@/lib/core/sessions/recording-state';
import { hlsFolder, mp4File, parseSegmentName } from '@/lib/core/sessions/recorded-segment';
import { isStorageKey, recordingKey } from '@/lib/core/storage-keys';
import type { StorageDriver } from '@/lib/infra/storage';
import { errorAnswer, notFoundAnswer, type Answer } from '@/media-worker/kit/http/answer';
import { contentTypes } from '@/media-worker/kit/http/content-types';
import type { LookupCache } from '@/media-worker/delivery/origin/lookup-cache';
import { acceptsGzip, gzipAnswer } from './serve-bytes';
import { serveFile, type ServedFile } from './serve-file';
import { dispositionOf } from './content-disposition';
import { oneMinuteCache, immutable } from './cache-control';

interface RecordedSession {
  readonly name: string;
  /** State of the recording; absent: `ready`. */
  readonly recording?: RecordingState;
}

export interface ServeRecordings {
  readonly storage: Pick<StorageDriver, 'head' | 'read'>;
  /** Playable recordings and their names, cached for a moment. */
  readonly sessions: Pick<LookupCache<RecordedSession>, 'find'>;
  /** Returns the playlists of an unfinished session, by path; absent: only finished ones can be played. */
  readonly unfinished?: (
    sessionId: string,
    ended: boolean,
  ) => Promise<ReadonlyMap<string, string> | undefined>;
}

export interface RecordingRequest {
  /** Path after `/recordings`, without the query. */
  readonly path: string;
  /** `?download`: save the MP4 instead of showing it. */
  readonly download: boolean;
  readonly headers: IncomingHttpHeaders;
}

const shortCache = 'public, max-age=2';

/** All valid paths. Other paths are not found, and nothing is percent-decoded. */
const recordingPath =
  /^\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/(?:(source\.mp4)|(index\.m3u8|[a-z0-9-]{1,40}\/(?:index\.m3u8|init-[0-9-]{1,32}\.mp4|[0-9_-]{1,100}_[id]\.m4s)))$/;

/** Answers a GET or HEAD below `/recordings`. */
export async function serveRecording(
  { path, download, headers }: RecordingRequest,
  { storage, sessions, unfinished }: ServeRecordings,
): Promise<Answer> {
  const [, sessionId = '', mp4, hls = ''] = recordingPath.exec(path) ?? [];
  if (!sessionId) return noRecordingAnswer();
  const session = await sessions.find(sessionId).catch(() => undefined);
  if (session === undefined) {
    return errorAnswer(503, 'The recording is temporarily unavailable. Try again.', { 'Retry-After': 1 });
  }
  if (session === null) return noRecordingAnswer();
  const file = mp4 ? mp4FileOf(sessionId, dispositionOf(session.name, download)) : hlsFileOf(sessionId, hls);
  const answer = file && (await serveFile(storage, file, headers));
  if (answer) return answer;
  const { recording = 'ready' } = session;
  if (recording === 'ready' || !hls.endsWith('.m3u8')) return noRecordingAnswer();
  const playlist = (await unfinished?.(sessionId, recording !== 'recording'))?.get(hls);
  return playlist === undefined
    ? noRecordingAnswer()
    : unfinishedPlaylistAnswer(playlist, sessionId, headers);
}

/**
 * The answer with the playlist of an unfinished recording. It changes with each stored segment, so caches store it
 * only briefly.
 */
function unfinishedPlaylistAnswer(text: string, sessionId: string, headers: IncomingHttpHeaders): Answer {
  const uncompressedAnswer: Answer = {
    status: 200,
    headers: { 'Content-Type': contentTypes.playlist, 'Cache-Control': shortCache, Vary: 'Accept-Encoding' },
    body: [Buffer.from(text)],
    delivery: { kind: 'session', id: sessionId, secondsPerByte: 0 },
  };
  return acceptsGzip(headers['accept-encoding']) ? gzipAnswer(uncompressedAnswer) : uncompressedAnswer;
}

function mp4FileOf(sessionId: string, disposition: string): ServedFile {
  const delivery = { kind: 'session', id: sessionId, seconds: null } as const;
  return {
    key: recordingKey(sessionId, mp4File),
    contentType: 'video/mp4',
    cacheControl: immutable,
    disposition,
    delivery,
  };
}

function hlsFileOf(sessionId: string, name: string): ServedFile | null {
  const key = recordingKey(sessionId, `${hlsFolder}${name}`);
  if (!isStorageKey(key)) return null;
  const { durationMs = 0 } = parseSegmentName(name.split('/').at(-1) ?? '') ?? {};
  const delivery = { kind: 'session', id: sessionId, seconds: durationMs / 1_000 } as const;
  if (name.endsWith('.m3u8')) {
    return { key, contentType: 'application/vnd.apple.mpegurl', cacheControl: oneMinuteCache, delivery };
  }
  const contentType = name.endsWith('.mp4') ? 'video/mp4' : 'video/iso.segment';
  return { key, contentType, cacheControl: immutable, delivery };
}

function noRecordingAnswer(): Answer {
  return notFoundAnswer('No recording at this URL.');
}
