import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { ChildPlayback } from '@/lib/domain/streams';
import { type Answer, errorAnswer, pathOf, sharedForASecond } from '@/media-worker/kit/http/answer';
import { prefixAddresses } from '@/media-worker/kit/http/prefix-addresses';
import type { LookupCache } from '@/media-worker/delivery/origin/lookup-cache';

/** What viewers know of a child-session stream object: everything else is named by the playlist. */
const shape = /^\/hls\/([a-z0-9]{16})\/(index\.m3u8|thumbnail\.jpg)$/;

export const isFirstOfStream = (path: string): boolean => shape.test(path);

const unavailable = errorAnswer(503, 'Temporarily unavailable. Try again.', { 'Retry-After': 1 });

/**
 * Answers for the playback id of a child-session stream object with what it plays. The playlist leads to the addresses
 * of that, where everything else is decided: who may watch, and who is counted.
 * @param path of the request, one that `isFirstOfStream` is true of
 * @param serve answers the request at another address
 * @returns null for any other id
 */
export async function serveChild(
  request: IncomingMessage,
  path: string,
  children: Pick<LookupCache<ChildPlayback>, 'find'>,
  serve: (request: IncomingMessage) => Promise<Answer>,
): Promise<Answer | null> {
  const [, playbackId = '', file = ''] = shape.exec(path) ?? [];
  const child = await children.find(playbackId).catch(() => undefined);
  if (child === undefined) return unavailable;
  if (child === null) return null;
  const isPlaylist = file.endsWith('.m3u8');
  if (child.kind === 'recording' && !isPlaylist) return null;
  const [folder, fromHere] =
    child.kind === 'stream'
      ? [`/hls/${child.playbackId}`, `../${child.playbackId}/`]
      : [`/recordings/${child.sessionId}`, `../../recordings/${child.sessionId}/`];
  const { url = '' } = request;
  const query = url.slice(pathOf(url).length);
  const answer = await serve(asking(request, `${folder}/${file}${query}`));
  return isPlaylist ? withPrefix(answer, fromHere) : answer;
}

/** The same request for all of another file, as it is. */
function asking(request: IncomingMessage, url: string): IncomingMessage {
  const { 'accept-encoding': _encoding, range: _range, 'if-none-match': _tag, ...headers } = request.headers;
  return Object.create(request, { url: { value: url }, headers: { value: headers } }) as IncomingMessage;
}

async function withPrefix(answer: Answer, prefix: string): Promise<Answer> {
  const { status, headers = {}, body, stream, delivery } = answer;
  const { 'Content-Type': type, 'Cache-Control': cacheControl } = headers;
  // To a probe: there is no playlist.
  if (status !== 200 || type === 'application/json') return answer;
  const bytes = stream ? await buffer(await stream.open()) : Buffer.concat([...(body ?? [])]);
  return {
    status,
    headers: {
      'Content-Type': type ?? 'application/vnd.apple.mpegurl',
      // What it leads to changes with the end of the session.
      'Cache-Control': cacheControl === 'no-store' ? cacheControl : sharedForASecond,
    },
    body: [Buffer.from(prefixAddresses(bytes.toString(), prefix))],
    ...(delivery ? { delivery } : {}),
  };
}
