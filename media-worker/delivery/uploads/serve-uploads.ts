import { daySeconds } from '@/lib/core/units';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorAnswer, pathOf, send, type Answer } from '@/media-worker/kit/http/answer';
import { tusBody, tusPath, type TusUploads } from './upload-tus';

export interface ServeUploads {
  readonly put: (request: IncomingMessage) => Promise<Answer>;
  readonly logo: (request: IncomingMessage) => Promise<Answer>;
  readonly slate: (request: IncomingMessage) => Promise<Answer>;
  readonly poster: (request: IncomingMessage) => Promise<Answer>;
  readonly tus: Pick<TusUploads, 'handle'>;
}

export const uploadsPath = '/api/asset/upload/';
const putPath = `${uploadsPath}direct`;
const putMethods = 'PUT, OPTIONS';
/** How long a rejected client may keep sending: it reads the response only after its body. */
const drainMs = 5_000;

/** Handles every upload path. CORS allows every site: the URL is the credential. */
export async function serveUpload(
  request: IncomingMessage,
  response: ServerResponse,
  { put, logo, slate, poster, tus }: ServeUploads,
): Promise<void> {
  const path = pathOf(request.url);
  const isTus = path === tusPath || path.startsWith(`${tusPath}/`);
  if (isTus) request.method = tusMethod(request);
  const refusal = isTus ? refusedTus(request) : null;
  if (refusal) {
    answerUpload(request, response, refusal);
    return;
  }
  if (isTus && request.method !== 'OPTIONS') return tus.handle(request, response);
  const takers: Readonly<Record<string, ServeUploads['put']>> = {
    [putPath]: put,
    [`${uploadsPath}logo`]: logo,
    [`${uploadsPath}slate`]: slate,
    [`${uploadsPath}poster`]: poster,
  };
  const taker = Object.hasOwn(takers, path) ? takers[path] : undefined;
  answerUpload(request, response, await answer(request, isTus, taker));
}

const overrides = ['PATCH', 'DELETE', 'HEAD'];
const overrideHeader = 'x-http-method-override';
const tusVersion = { 'Tus-Resumable': '1.0.0' };

/** Clients behind proxies without PATCH send POST and name the method in a header: see "Core Protocol" of tus 1.0. */
function tusMethod({ method = 'GET', headers }: IncomingMessage): string {
  const override = headers[overrideHeader];
  return method === 'POST' && typeof override === 'string' ? override.toUpperCase() : method;
}

function refusedTus({ method = '', headers }: IncomingMessage): Answer | null {
  if (headers['upload-concat'] !== undefined)
    return errorAnswer(501, 'Concatenation is not supported; upload in one piece.', tusVersion);
  if (headers[overrideHeader] !== undefined && ![...overrides, 'POST', 'OPTIONS'].includes(method)) {
    return errorAnswer(
      400,
      { field: 'X-HTTP-Method-Override', message: `must be one of ${overrides.join(', ')}.` },
      tusVersion,
    );
  }
  if (method !== 'PATCH' || headers['content-type'] === tusBody) return null;
  return errorAnswer(415, { field: 'Content-Type', message: `must be ${tusBody}.` }, tusVersion);
}

async function answer(
  request: IncomingMessage,
  isTus: boolean,
  take: ServeUploads['put'] | undefined,
): Promise<Answer> {
  if (!isTus && !take) return errorAnswer(404, 'Not found.');
  const methods = isTus ? 'POST, HEAD, PATCH, DELETE, OPTIONS' : putMethods;
  if (request.method === 'OPTIONS') return preflight(request, methods, isTus);
  if (!take || request.method !== 'PUT') return errorAnswer(405, 'Only PUT is allowed.', { Allow: methods });
  return take(request);
}

/** Allow all request headers: clients send their own, and none has a meaning here. */
function preflight(request: IncomingMessage, methods: string, isTus: boolean): Answer {
  const requestedHeaders = request.headers['access-control-request-headers'] ?? '';
  return {
    status: 204,
    headers: {
      'Access-Control-Allow-Methods': methods,
      'Access-Control-Allow-Headers': /^[\w!#$%&'*+.^`|~, -]{1,2000}$/.test(requestedHeaders)
        ? requestedHeaders
        : 'Content-Type',
      'Access-Control-Max-Age': daySeconds,
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

/** A client that is rejected midway keeps sending, and reads the response only when its bytes are accepted. */
function answerUpload(request: IncomingMessage, response: ServerResponse, reply: Answer): void {
  send(response, reply);
  if (request.complete || request.destroyed) return;
  const timer = setTimeout(() => request.socket.destroy(), drainMs);
  request.once('close', () => clearTimeout(timer));
  request.resume();
}
