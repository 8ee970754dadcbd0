import type { IncomingMessage } from 'node:http';
import { DAY_SECONDS } from '@/lib/core/units';
import type { Logger } from '@/lib/infra/logger';
import type { IceServer } from '@/lib/infra/settings/rtc-settings';
import { errorAnswer, type Answer, type Headers } from '@/media-worker/kit/http/answer';
import { pathOf } from '@/media-worker/kit/http/request-url';
import { readBody } from '@/media-worker/kit/http/read-body';
import type { RtcRequest } from '@/media-worker/rtc/rtc-request';
import { MAX_SDP_BYTES } from '@/media-worker/rtc/sdp';
import { formatIceServerLinks } from './ice-server-links';
import type { AdmittedViewer } from './rtc-viewers';

/** WHIP (RFC 9725) and WHEP (draft-ietf-wish-whep) for encoders and viewers; the process `rtc` answers the offers. */

export const webrtcPath = '/webrtc';

export interface ServeWebrtcOptions {
  /** Sends a request to the rtc process of this machine. Rejects if the process does not respond. */
  readonly ask: (request: RtcRequest) => Promise<Answer>;
  /** Returns the STUN and TURN servers for clients, with credentials that are valid now. */
  readonly iceServers: () => readonly IceServer[];
  readonly addressOf: (request: IncomingMessage) => string;
  readonly log: Pick<Logger, 'warn'>;
  /** Decides about access, and finds the live process that has the stream. Absent: there are no viewers over WebRTC. */
  readonly admitViewer?: (request: IncomingMessage, playbackId: string) => Promise<AdmittedViewer | Answer>;
}

/** A path or bearer token that is not a playback id is a stream key. */
const playbackIdPattern = /^[a-z0-9]{16}$/;
const sessionPattern = /^\/webrtc\/session\/([\w-]{1,64})$/;
const endpointPattern = /^\/webrtc\/([^/]{1,512})$/;
/** Path of a viewer with a token, in the form of HLS paths. */
const tokenPattern = /^\/webrtc\/([a-z0-9]{16})\/~[\w-]{40,1024}\/?$/;
const bearerPattern = /^Bearer ([\w.~+/=-]{1,512})$/i;

const endpointMethods = 'POST, HEAD, OPTIONS';
const sessionMethods = 'PATCH, DELETE, OPTIONS';
const offerType = 'application/sdp';
const fragmentType = 'application/trickle-ice-sdpfrag';

const acceptedHeaders = [
  ...['Authorization', 'Content-Type', 'If-Match', 'If-None-Match'],
  ...['Livepeer-Jwt', 'Livepeer-Access-Key'],
].join(', ');

/** Response headers of `/webrtc`, which allow pages of other sites to read the URL of their session. */
export const webrtcHeaders = (common: Headers): Headers => ({
  ...common,
  'Access-Control-Expose-Headers':
    'Location, ETag, Link, Accept-Post, Accept-Patch, Playhead-Utc, X-Request-Id',
});

/** The answer is the same for a wrong key, a stream that may not be published to, and a stream that is not live. */
const noStreamAnswer = errorAnswer(404, 'No stream at this URL.');
const unavailableAnswer = errorAnswer(503, 'WebRTC is temporarily unavailable. Try again.', {
  'Retry-After': 2,
});

/** Answers a request below `/webrtc`. */
export async function serveWebrtc(request: IncomingMessage, options: ServeWebrtcOptions): Promise<Answer> {
  const { method = '' } = request;
  const path = pathOf(request.url);
  const [, sessionId] = sessionPattern.exec(path) ?? [];
  const isSession = sessionId !== undefined;
  if (method === 'OPTIONS') return answerPreflight(isSession ? sessionMethods : endpointMethods, options);
  if (isSession) return answerSession(request, sessionId, options);
  if (method === 'HEAD') return { status: 200, headers: endpointHeaders(options) };
  if (method !== 'POST') return notAllowedAnswer(endpointMethods);
  const name = parseEndpointName(path, request);
  return name === null ? noStreamAnswer : answerOffer(request, name, options);
}

/** The stream key or playback id of an endpoint URL or bearer token; null if the request has none. */
function parseEndpointName(path: string, { headers }: IncomingMessage): string | null {
  if (path === webrtcPath) return bearerPattern.exec(headers.authorization ?? '')?.[1] ?? null;
  const [, name] = tokenPattern.exec(path) ?? endpointPattern.exec(path) ?? [];
  try {
    return name === undefined ? null : decodeURIComponent(name).trim() || null;
  } catch {
    return null;
  }
}

async function answerOffer(
  request: IncomingMessage,
  name: string,
  options: ServeWebrtcOptions,
): Promise<Answer> {
  if (contentTypeOf(request) !== offerType) {
    return errorAnswer(
      415,
      { field: 'Content-Type', message: `expected ${offerType}.` },
      { 'Accept-Post': offerType },
    );
  }
  const body = await readText(request);
  if (typeof body !== 'string') return body;
  const openRequest = { ip: options.addressOf(request), offer: body };
  const viewer = playbackIdPattern.test(name) ? await findViewer(request, name, options) : null;
  if (viewer && 'status' in viewer) return viewer;
  const answer = await askRtc(
    viewer
      ? { kind: 'watch', ...openRequest, playbackId: name, live: viewer.liveUrl }
      : { kind: 'publish', ...openRequest, streamKey: name },
    options,
  );
  if (answer.status !== 201) return answer;
  const [, id] = sessionPattern.exec(String(answer.headers?.['Location'])) ?? [];
  if (id !== undefined) viewer?.onOpen(id);
  return {
    ...answer,
    headers: { ...answer.headers, ...endpointHeaders(options), 'Accept-Patch': fragmentType },
  };
}

async function findViewer(
  request: IncomingMessage,
  playbackId: string,
  { admitViewer }: ServeWebrtcOptions,
): Promise<AdmittedViewer | Answer> {
  return (await admitViewer?.(request, playbackId)) ?? noStreamAnswer;
}

async function answerSession(
  request: IncomingMessage,
  id: string,
  options: ServeWebrtcOptions,
): Promise<Answer> {
  if (request.method === 'DELETE') return askRtc({ kind: 'close', id }, options);
  if (request.method !== 'PATCH') return notAllowedAnswer(sessionMethods);
  if (contentTypeOf(request) !== fragmentType) {
    return errorAnswer(
      415,
      { field: 'Content-Type', message: `expected ${fragmentType}.` },
      { 'Accept-Patch': fragmentType },
    );
  }
  const fragment = await readText(request);
  if (typeof fragment !== 'string') return fragment;
  return askRtc({ kind: 'trickle', id, ifMatch: request.headers['if-match'] ?? null, fragment }, options);
}

async function askRtc(request: RtcRequest, { ask, log }: ServeWebrtcOptions): Promise<Answer> {
  try {
    return await ask(request);
  } catch (error) {
    log.warn({ err: error, kind: request.kind }, 'WebRTC process does not answer');
    return unavailableAnswer;
  }
}

async function readText(request: IncomingMessage): Promise<string | Answer> {
  const bodyTimeoutAnswer = errorAnswer(408, 'The body did not arrive in time.');
  const body = await readBody(request, MAX_SDP_BYTES).catch(() => bodyTimeoutAnswer);
  return Buffer.isBuffer(body) ? body.toString('utf8') : body;
}

const contentTypeOf = ({ headers }: IncomingMessage): string =>
  (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';

function endpointHeaders({ iceServers }: Pick<ServeWebrtcOptions, 'iceServers'>): Headers {
  const links = formatIceServerLinks(iceServers());
  return { 'Accept-Post': offerType, ...(links === null ? {} : { Link: links }) };
}

function answerPreflight(methods: string, options: ServeWebrtcOptions): Answer {
  return {
    status: 204,
    headers: {
      'Access-Control-Allow-Methods': methods,
      'Access-Control-Allow-Headers': acceptedHeaders,
      'Access-Control-Max-Age': DAY_SECONDS,
      ...endpointHeaders(options),
    },
  };
}

const notAllowedAnswer = (methods: string): Answer =>
  errorAnswer(405, `Only ${methods} are allowed.`, { Allow: methods });
