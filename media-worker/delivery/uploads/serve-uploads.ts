import { DAY_SECONDS } from '@/lib/core/units';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorAnswer, send, type Answer } from '@/media-worker/kit/http/answer';
import { pathOf } from '@/media-worker/kit/http/request-url';
import { tusContentType, tusPath, type TusUploads } from './upload-tus';

export interface UploadHandlers {
  /** Handles the PUT of an asset file. */
  readonly put: (request: IncomingMessage) => Promise<Answer>;
  readonly logo: (request: IncomingMessage) => Promise<Answer>;
  readonly slate: (request: IncomingMessage) => Promise<Answer>;
  readonly poster: (request: IncomingMessage) => Promise<Answer>;
  readonly tus: Pick<TusUploads, 'handle'>;
}

export const uploadsPath = '/api/asset/upload/';
const putPath = `${uploadsPath}direct`;
const putMethods = 'PUT, OPTIONS';
/** How long a rejected client may keep sending before it is disconnected. */
const DRAIN_TIMEOUT_MS = 5_000;

/** Handles every upload path. CORS allows every site: the URL is the credential. */
export async function serveUpload(
  request: IncomingMessage,
  response: ServerResponse,
  { put, logo, slate, poster, tus }: UploadHandlers,
): Promise<void> {
  const path = pathOf(request.url);
  const isTus = path === tusPath || path.startsWith(`${tusPath}/`);
  if (isTus) request.method = tusMethod(request);
  const rejection = isTus ? checkTusRequest(request) : null;
  if (rejection) {
    sendAndDrain(request, response, rejection);
    return;
  }
  if (isTus && request.method !== 'OPTIONS') return tus.handle(request, response);
  const handlers: Readonly<Record<string, UploadHandlers['put']>> = {
    [putPath]: put,
    [`${uploadsPath}logo`]: logo,
    [`${uploadsPath}slate`]: slate,
    [`${uploadsPath}poster`]: poster,
  };
  const handler = Object.hasOwn(handlers, path) ? handlers[path] : undefined;
  sendAndDrain(request, response, await answerPutOrPreflight(request, isTus, handler));
}

const overrideMethods = ['PATCH', 'DELETE', 'HEAD'];
const overrideHeader = 'x-http-method-override';
const tusVersion = { 'Tus-Resumable': '1.0.0' };

/** Clients behind proxies without PATCH send POST and name the method in a header: see "Core Protocol" of tus 1.0. */
function tusMethod({ method = 'GET', headers }: IncomingMessage): string {
  const override = headers[overrideHeader];
  return method === 'POST' && typeof override === 'string' ? override.toUpperCase() : method;
}

function checkTusRequest({ method = '', headers }: IncomingMessage): Answer | null {
  if (headers['upload-concat'] !== undefined)
    return errorAnswer(501, 'Concatenation is not supported; upload in one piece.', tusVersion);
  if (headers[overrideHeader] !== undefined && ![...overrideMethods, 'POST', 'OPTIONS'].includes(method)) {
    return errorAnswer(
      400,
      { field: 'X-HTTP-Method-Override', message: `must be one of ${overrideMethods.join(', ')}.` },
      tusVersion,
    );
  }
  if (method !== 'PATCH' || headers['content-type'] === tusContentType) return null;
  return errorAnswer(415, { field: 'Content-Type', message: `must be ${tusContentType}.` }, tusVersion);
}

async function answerPutOrPreflight(
  request: IncomingMessage,
  isTus: boolean,
  handler: UploadHandlers['put'] | undefined,
): Promise<Answer> {
  if (!isTus && !handler) return errorAnswer(404, 'Not found.');
  const methods = isTus ? 'POST, HEAD, PATCH, DELETE, OPTIONS' : putMethods;
  if (request.method === 'OPTIONS') return answerPreflight(request, methods, isTus);
  if (!handler || request.method !== 'PUT')
    return errorAnswer(405, 'Only PUT is allowed.', { Allow: methods });
  return handler(request);
}

/** A list of header names, which are tokens (RFC 9110 §5.6.2). */
const headerListPattern = /^[\w!#$%&'*+.^`|~, -]{1,2000}$/;

/** The answer to a CORS preflight. All requested headers are allowed, because clients add their own. */
function answerPreflight(request: IncomingMessage, methods: string, isTus: boolean): Answer {
  const requestedHeaders = request.headers['access-control-request-headers'] ?? '';
  return {
    status: 204,
    headers: {
      'Access-Control-Allow-Methods': methods,
      'Access-Control-Allow-Headers': headerListPattern.test(requestedHeaders)
        ? requestedHeaders
        : 'Content-Type',
      'Access-Control-Max-Age': DAY_SECONDS,
      ...(isTus
        ? {
            'Tus-Resumable': '1.0.0',
            'Tus-Version': '1.0.0',
            'Tus-Extension': 'creation,creation-with-upload,creation-defer-length,termination,expiration',
          }
        : {}),
    },
  };
}

/**
 * Sends an answer, and then discards the rest of the body for a while: a client that is rejected midway keeps
 * sending, and reads the response only when its bytes are accepted.
 */
function sendAndDrain(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  send(response, answer);
  if (request.complete || request.destroyed) return;
  const timer = setTimeout(() => request.socket.destroy(), DRAIN_TIMEOUT_MS);
  request.once('close', () => clearTimeout(timer));
  request.resume();
}
