import type { IncomingHttpHeaders } from 'node:http';
import {
  type HlsPath,
  type PlaylistQuery,
  parseHlsPath,
  parsePlaylistQuery,
} from '@/media-worker/kit/http/hls-request';
import { contentTypes } from '@/media-worker/kit/http/content-types';
import type { PublicStatus } from '@/lib/core/streams/public-status';
import type { StorageDriver } from '@/lib/infra/storage';
import {
  errorAnswer,
  jsonAnswer,
  notFoundAnswer,
  sharedForASecond,
  type Answer,
  type Headers,
} from '@/media-worker/kit/http/answer';
import { queryValue, pathOf } from '@/media-worker/kit/http/request-url';
import { acceptsGzip, parseByteRange, gzipAnswer } from '@/media-worker/delivery/origin/stored/serve-bytes';
import type { EndedStreams } from './ended-streams';
import type { LiveSource } from './live-source';
import { type Dvr, createDvrMasterPlaylist } from '@/media-worker/delivery/origin/stored/serve-dvr';
import { serveFile } from '@/media-worker/delivery/origin/stored/serve-file';
import type { LookupCache } from '@/media-worker/delivery/origin/lookup-cache';
import type { UpstreamAnswer } from './live-proxy';

export interface ServeLiveOptions {
  readonly live: Pick<LiveSource, 'get'> & { readonly endedStreams?: Pick<EndedStreams, 'recordCacheable'> };
  /** Explains to viewers why a playlist is missing. */
  readonly publicStatuses?: Pick<LookupCache<PublicStatus>, 'find'>;
  /** Stored segments before the live window; absent: no DVR. */
  readonly dvr?: Pick<Dvr, 'extendPlaylist' | 'findFile'> & {
    readonly storage: Pick<StorageDriver, 'head' | 'read'>;
  };
}

/** Query for a playlist without parts. */
const queryWithoutParts: PlaylistQuery = { lowLatency: false, msn: null, part: null };

/** Cache lifetime of segments, which never change. */
const immutableCache = 'public, max-age=31536000, immutable';
/** Cache lifetime of live playlists: half the time after which a player reloads a playlist. */
const oneSecondCache = 'public, max-age=1';
/** Cache lifetime of live thumbnails: a thumbnail is refreshed every five seconds. */
const shortCache = 'public, max-age=5';

/**
 * Answers a GET or HEAD request below `/hls`.
 * @param target path after `/hls` with its query
 * @param headers headers of the request
 */
export async function serveLive(
  target: string,
  headers: IncomingHttpHeaders,
  { live, publicStatuses, dvr }: ServeLiveOptions,
): Promise<Answer> {
  const hls = parseHlsPath(pathOf(target));
  if (!hls) return noStreamAnswer();
  const query = parsePlaylistQuery(target);
  if (!query) return badDirectiveAnswer();
  const hasDvr = hls.kind === 'playlist' && query.dvr === true;
  const answer = await live.get(hls, hasDvr && hls.rendition !== null ? queryWithoutParts : query);
  if (answer === 'not_found') {
    const storedAnswer = dvr && (await answerStoredFile(hls, headers, dvr));
    if (storedAnswer) return storedAnswer;
    return answerAbsent(target, publicStatuses);
  }
  if (answer === 'unavailable') return unavailableAnswer(503);
  if (answer === 'timeout') return unavailableAnswer(504);
  if (answer.status === 400) return badDirectiveAnswer();
  if (answer.status !== 200) return unavailableAnswer(503);
  if (hls.kind !== 'playlist' && headers.range !== undefined)
    return successAnswer(hls, query, answer, headers.range);
  const uncompressedAnswer = hasDvr
    ? await answerWithDvr(hls, query, answer, dvr)
    : wholeAnswer(hls, query, answer);
  if (headers.via !== undefined && isStorable(uncompressedAnswer))
    live.endedStreams?.recordCacheable(hls.playbackId);
  return isSameForAll(hls, query) && acceptsGzip(headers['accept-encoding'])
    ? gzipAnswer(uncompressedAnswer)
    : uncompressedAnswer;
}

/**
 * Answers why there is no master playlist; not found for all other files.
 * @param target path after `/hls`
 */
export async function answerAbsent(
  target: string,
  publicStatuses: ServeLiveOptions['publicStatuses'],
): Promise<Answer> {
  const hls = parseHlsPath(pathOf(target));
  if (hls?.kind !== 'playlist' || hls.rendition !== null) return noStreamAnswer();
  return notLiveAnswer(await publicStatuses?.find(hls.playbackId).catch(() => null), isProbe(target));
}

/** The answer with a segment or init segment that has left the live window; null if it is not stored. */
async function answerStoredFile(
  hls: HlsPath,
  headers: IncomingHttpHeaders,
  dvr: NonNullable<ServeLiveOptions['dvr']>,
): Promise<Answer | null> {
  if (hls.kind !== 'media' && hls.kind !== 'init') return null;
  const file = await dvr.findFile(hls);
  return file && serveFile(dvr.storage, file, headers);
}

const isStorable = ({ headers }: Answer): boolean => headers?.['Cache-Control'] !== 'no-store';

async function answerWithDvr(
  hls: HlsPath,
  query: PlaylistQuery,
  { status, body, ending = false }: UpstreamAnswer,
  dvr: ServeLiveOptions['dvr'],
): Promise<Answer> {
  const dvrPlaylist =
    hls.rendition === null ? createDvrMasterPlaylist(body) : ((await dvr?.extendPlaylist(hls, body)) ?? body);
  const reloadQuery = hls.rendition === null ? query : queryWithoutParts;
  return successAnswer(hls, reloadQuery, { status, body: dvrPlaylist, ending }, undefined);
}

/** The answer to viewers for each answer of a node, so that it is created once for all viewers. */
const wholeAnswers = new WeakMap<UpstreamAnswer, Answer>();

function wholeAnswer(hls: HlsPath, query: PlaylistQuery, upstream: UpstreamAnswer): Answer {
  let answer = wholeAnswers.get(upstream);
  if (!answer) wholeAnswers.set(upstream, (answer = successAnswer(hls, query, upstream, undefined)));
  return answer;
}

/** Whether every viewer gets the same playlist: a low-latency master playlist carries a viewer token. */
function isSameForAll({ kind, rendition }: HlsPath, { lowLatency }: PlaylistQuery): boolean {
  return kind === 'playlist' && (rendition !== null || !lowLatency);
}

function successAnswer(
  hls: HlsPath,
  query: PlaylistQuery,
  { body, seconds = 0, ending = false }: UpstreamAnswer,
  range: string | undefined,
): Answer {
  const isCacheable = isSameForAll(hls, query) && !ending;
  const answer =
    hls.kind === 'playlist' ? playlistAnswer(query, body, isCacheable) : fileAnswer(hls, body, range);
  if (answer.status >= 300) return answer;
  const secondsPerByte = seconds / Math.max(1, body.length);
  return { ...answer, delivery: { kind: 'stream', id: hls.playbackId, secondsPerByte } };
}

/**
 * The answer with a playlist. A low-latency playlist is cached for a second, and only by shared caches. A part is
 * added every half second, but whole seconds are the smallest unit of `Cache-Control`. A blocking reload always
 * returns at least its part, and a player with an older playlist requests the next part immediately.
 * @param isCacheable whether caches may store the playlist
 */
function playlistAnswer(query: PlaylistQuery, body: Buffer, isCacheable: boolean): Answer {
  const headers: Headers = {
    'Content-Type': contentTypes.playlist,
    ...(isCacheable
      ? { 'Cache-Control': query.lowLatency ? sharedForASecond : oneSecondCache, Vary: 'Accept-Encoding' }
      : { 'Cache-Control': 'no-store' }),
  };
  return { status: 200, headers, body: [body] };
}

function fileAnswer({ kind }: HlsPath, body: Buffer, rangeHeader: string | undefined): Answer {
  const headers: Headers = {
    'Content-Type': contentTypes[kind],
    'Cache-Control': kind === 'thumbnail' ? shortCache : immutableCache,
    'Accept-Ranges': 'bytes',
  };
  const range = parseByteRange(rangeHeader, body.length);
  if (range === 'whole') return { status: 200, headers, body: [body] };
  if (range === 'unsatisfiable') {
    return errorAnswer(416, 'The requested range is outside the file.', {
      'Content-Range': `bytes */${body.length}`,
    });
  }
  const { start, end } = range;
  return {
    status: 206,
    headers: { ...headers, 'Content-Range': `bytes ${start}-${end}/${body.length}` },
    body: [body.subarray(start, end + 1)],
  };
}

export function badDirectiveAnswer(): Answer {
  return errorAnswer(400, '_HLS_msn and _HLS_part: must name an existing or upcoming part');
}

const noStreamMessage = 'No live stream at this URL.';

function noStreamAnswer(): Answer {
  return notFoundAnswer(noStreamMessage);
}

/** This service's player sends `?probe` to learn whether there is a playlist. */
const isProbe = (target: string): boolean => queryValue(target, 'probe') !== null;

/**
 * The answer for a stream that is not live. Waiting players request the master playlist every few seconds, so the answer
 * explains why there is none. A probe gets no error status, because browsers log every 404 to the console.
 */
function notLiveAnswer(publicStatus: PublicStatus | null | undefined, isProbe: boolean): Answer {
  if (!publicStatus) return noStreamAnswer();
  const headers = { 'Cache-Control': sharedForASecond };
  return isProbe
    ? jsonAnswer(200, { broadcast: publicStatus }, headers)
    : jsonAnswer(404, { errors: [noStreamMessage], broadcast: publicStatus }, headers);
}

function unavailableAnswer(status: 503 | 504): Answer {
  return errorAnswer(status, 'The stream is temporarily unavailable. Try again.', { 'Retry-After': 1 });
}
