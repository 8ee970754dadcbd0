import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { ChildPlayback } from '@/lib/domain/streams';
import { type Answer, errorAnswer, sharedForASecond } from '@/media-worker/kit/http/answer';
import { pathOf } from '@/media-worker/kit/http/request-url';
import { prefixUrls } from '@/media-worker/kit/http/prefix-urls';
import type { LookupCache } from '@/media-worker/delivery/origin/lookup-cache';

/** Public paths of a child-session stream object. Its playlist refers to all other files. */
const childPath = /^\/hls\/([a-z0-9]{16})\/(index\.m3u8|thumbnail\.jpg)$/;

export const isChildPath = (path: string): boolean => childPath.test(path);

const unavailableAnswer = errorAnswer(503, 'Temporarily unavailable. Try again.', { 'Retry-After': 1 });

/**
 * Serves the playback id of a child-session stream object. Its playlist refers to the URLs of the content that it
 * plays, which check access and count viewers.
 * @param path a path for which `isChildPath` is true
 * @param serve answers the request at another URL
 * @returns null for any other id, and for the thumbnail of a recording
 */
export async function serveChild(
  request: IncomingMessage,
  path: string,
  children: Pick<LookupCache<ChildPlayback>, 'find'>,
  serve: (request: IncomingMessage) => Promise<Answer>,
): Promise<Answer | null> {
  const [, playbackId = '', file = ''] = childPath.exec(path) ?? [];
  const child = await children.find(playbackId).catch(() => undefined);
  if (child === undefined) return unavailableAnswer;
  if (child === null) return null;
  const isPlaylist = file.endsWith('.m3u8');
  if (child.kind === 'recording' && !isPlaylist) return null;
  const [folder, urlPrefix] =
    child.kind === 'stream'
      ? [`/hls/${child.playbackId}`, `../${child.playbackId}/`]
      : [`/recordings/${child.sessionId}`, `../../recordings/${child.sessionId}/`];
  const { url = '' } = request;
  const query = url.slice(pathOf(url).length);
  const answer = await serve(withUrl(request, `${folder}/${file}${query}`));
  return isPlaylist ? withPrefix(answer, urlPrefix) : answer;
}

/** Copies a request with another URL, without the headers that select an encoding, a range or a version. */
function withUrl(request: IncomingMessage, url: string): IncomingMessage {
  const { 'accept-encoding': _encoding, range: _range, 'if-none-match': _tag, ...headers } = request.headers;
  return Object.create(request, { url: { value: url }, headers: { value: headers } }) as IncomingMessage;
}

async function withPrefix(answer: Answer, prefix: string): Promise<Answer> {
  const { status, headers = {}, body, stream, delivery } = answer;
  const { 'Content-Type': type, 'Cache-Control': cacheControl } = headers;
  // A probe without a playlist gets JSON.
  if (status !== 200 || type === 'application/json') return answer;
  const bytes = stream ? await buffer(await stream.open()) : Buffer.concat([...(body ?? [])]);
  return {
    status,
    headers: {
      'Content-Type': type ?? 'application/vnd.apple.mpegurl',
      // The target of the playlist changes at the end of the session.
      'Cache-Control': cacheControl === 'no-store' ? cacheControl : sharedForASecond,
    },
    body: [Buffer.from(prefixUrls(bytes.toString(), prefix))],
    ...(delivery ? { delivery } : {}),
  };
}
