import { contentTypes, parseHlsPath, type HlsPath } from '../hls-path';
import { errorAnswer, pathOf, type Answer, type Headers } from '../http/answer';
import { parsePlaylistQuery, playlistQueryText } from '../playlist-query';
import { byteRange } from './byte-range';
import type { NodeFinder } from './find-node';
import type { LiveProxy } from './live-proxy';
import { UpstreamError, type UpstreamAnswer } from './upstream';

export interface ServeLive {
  readonly nodes: NodeFinder;
  readonly proxy: LiveProxy;
}

const immutable = 'public, max-age=31536000, immutable';
/** As long as a picture is the latest one. */
const forMoments = 'public, max-age=5';

/**
 * Answers a GET or HEAD below `/hls`.
 * @param target what follows `/hls`, query included
 * @param range the `Range` header
 */
export async function serveLive(
  target: string,
  range: string | undefined,
  { nodes, proxy }: ServeLive,
): Promise<Answer> {
  const hls = parseHlsPath(pathOf(target));
  if (!hls) return notFound();
  const query = parsePlaylistQuery(target);
  if (!query) return badDirective();
  const node = await nodes.find(hls.playbackId).catch(() => undefined);
  if (node === undefined) return unavailable(503);
  if (node === null) return notFound();
  let answer: UpstreamAnswer;
  try {
    answer = await proxy.get(node, hls, hls.kind === 'playlist' ? playlistQueryText(query) : '');
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    return unavailable(error.kind === 'timeout' ? 504 : 503);
  }
  if (answer.status === 404) return notFound();
  if (answer.status === 400) return badDirective();
  if (answer.status !== 200) return unavailable(503);
  return range === undefined ? wholeAnswer(hls, answer) : ready(hls, answer, range);
}

/** Made once for what a node answered, however many viewers get it. */
const whole = new WeakMap<UpstreamAnswer, Answer>();

function wholeAnswer(hls: HlsPath, upstream: UpstreamAnswer): Answer {
  let answer = whole.get(upstream);
  if (!answer) whole.set(upstream, (answer = ready(hls, upstream, undefined)));
  return answer;
}

function ready(hls: HlsPath, { body, seconds = 0 }: UpstreamAnswer, range: string | undefined): Answer {
  const answer = hls.kind === 'playlist' ? playlist(body) : file(hls, body, range);
  if (answer.status >= 300) return answer;
  const secondsPerByte = seconds / Math.max(1, body.length);
  return { ...answer, delivery: { of: 'stream', id: hls.playbackId, secondsPerByte } };
}

function playlist(body: Buffer): Answer {
  return {
    status: 200,
    headers: { 'Content-Type': contentTypes.playlist, 'Cache-Control': 'no-cache' },
    body: [body],
  };
}

function file({ kind }: HlsPath, body: Buffer, wanted: string | undefined): Answer {
  const headers: Headers = {
    'Content-Type': contentTypes[kind],
    'Cache-Control': kind === 'thumbnail' ? forMoments : immutable,
    'Accept-Ranges': 'bytes',
  };
  const range = byteRange(wanted, body.length);
  if (range === 'whole') return { status: 200, headers, body: [body] };
  if (range === 'unsatisfiable') {
    return errorAnswer(416, 'The file has no such bytes.', { 'Content-Range': `bytes */${body.length}` });
  }
  const { start, end } = range;
  return {
    status: 206,
    headers: { ...headers, 'Content-Range': `bytes ${start}-${end}/${body.length}` },
    body: [body.subarray(start, end + 1)],
  };
}

function badDirective(): Answer {
  return errorAnswer(400, '_HLS_msn and _HLS_part: name a part that is there or comes soon');
}

function notFound(): Answer {
  return errorAnswer(404, 'Nothing is live at this address.');
}

function unavailable(status: 503 | 504): Answer {
  return errorAnswer(status, 'The stream cannot be reached at the moment.', { 'Retry-After': 1 });
}
