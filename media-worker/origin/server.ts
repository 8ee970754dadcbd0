import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { databaseFailure } from '@/lib/core/errors';
import type { Logger } from '@/lib/infra/logger';
import {
  errorAnswer,
  jsonAnswer,
  pathOf,
  queryOf,
  queryValue,
  send,
  type Answer,
  type Delivery,
  type Headers,
} from '../http/answer';
import { listen, type HttpServer } from '../http/listen';
import type { ServeAsset } from './serve-asset';
import type { ServeIpfs } from './serve-ipfs';
import { serveLive, type ServeLive } from './serve-live';
import { serveRecording, type ServeRecordings } from './serve-recording';
import type { WatchPlaylists } from './watch-playlists';
import { serveUpload, uploadsPath, type ServeUploads } from '@/media-worker/uploads/serve-uploads';

export interface OriginOptions extends ServeLive {
  readonly host: string;
  readonly port: number;
  readonly log: Logger;
  readonly uploads: ServeUploads;
  readonly recordings: ServeRecordings;
  readonly serveAsset: ServeAsset;
  readonly serveIpfs: ServeIpfs;
  /** @param path what follows `/brand` */
  readonly serveLogo: (path: string, headers: IncomingHttpHeaders) => Promise<Answer>;
  readonly watch: WatchPlaylists;
  /** Called with what was sent to viewers. */
  readonly delivered: (delivery: Delivery, bytes: number) => void;
}

const broken = errorAnswer(500, 'Something went wrong.');
const unavailable = errorAnswer(503, 'Temporarily unavailable. Try again.', { 'Retry-After': 2 });
const maxConnections = 20_000;
const methods = 'GET, HEAD, OPTIONS';
const readable = 'Content-Length, Content-Range, ETag, X-Ipfs-Path, X-Ipfs-Roots, X-Request-Id';

/** HTTP for viewers. Any origin may play. */
export function startOrigin(options: OriginOptions): Promise<HttpServer> {
  const handler = (request: IncomingMessage, response: ServerResponse) => {
    const failed = (error: unknown) => {
      const away = databaseFailure(error) === 'unavailable';
      // Each of thousands of viewers would write a line while the database is away.
      if (!away) options.log.error({ err: error, path: pathOf(request.url) }, 'request failed');
      if (response.headersSent) response.destroy();
      else send(response, away ? unavailable : broken, { common: commonHeaders() });
    };
    respond(request, response, options)
      .catch(failed)
      .catch(() => response.destroy());
  };
  const { host, port, log } = options;
  // Uploads have no time limit; silent clients are disconnected by a separate rule.
  return listen(handler, { host, port, log, maxConnections, requestTimeout: 0 });
}

/**
 * As few promises as possible stand between a part and the thousands who wait for it: each is one round over all of
 * them.
 */
function respond(request: IncomingMessage, response: ServerResponse, options: OriginOptions): Promise<void> {
  const path = pathOf(request.url);
  if (path.startsWith(uploadsPath)) {
    for (const [name, value] of Object.entries(commonHeaders())) response.setHeader(name, value);
    return serveUpload(request, response, options.uploads);
  }
  return route(request, path, options).then((answer) => {
    const { delivery } = answer;
    const onSent = delivery && ((bytes: number) => options.delivered(delivery, bytes));
    send(response, answer, { common: commonHeaders(), onSent });
  });
}

function route(request: IncomingMessage, path: string, options: OriginOptions): Promise<Answer> {
  const { method, url = '', headers } = request;
  if (method === 'OPTIONS') return Promise.resolve(preflight);
  if (method !== 'GET' && method !== 'HEAD') {
    return Promise.resolve(errorAnswer(405, `Only ${methods} are allowed.`, { Allow: methods }));
  }
  if (path === '/healthz') return Promise.resolve(jsonAnswer(200, { ok: true }));
  if (path.startsWith('/hls/')) {
    const target = url.slice('/hls'.length);
    return options.watch(request, target, () => serveLive(target, headers, options));
  }
  const download = queryValue(url, 'download') !== null;
  if (path.startsWith('/recordings/')) {
    return serveRecording({ path: path.slice('/recordings'.length), download, headers }, options.recordings);
  }
  if (path.startsWith('/ipfs/')) {
    return options.serveIpfs({ path: path.slice('/ipfs'.length), query: queryOf(url), headers });
  }
  if (path.startsWith('/brand/')) return options.serveLogo(path.slice('/brand'.length), headers);
  if (path.startsWith('/asset/')) {
    return options.serveAsset({ path: path.slice('/asset'.length), download, headers });
  }
  return Promise.resolve(errorAnswer(404, 'Not found.'));
}

const preflight: Answer = {
  status: 204,
  headers: {
    'Access-Control-Allow-Methods': methods,
    'Access-Control-Allow-Headers': 'Range, If-Range, If-None-Match',
    'Access-Control-Max-Age': 86_400,
  },
};

const commonHeaders = (): Headers => ({
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': readable,
  'X-Content-Type-Options': 'nosniff',
  'X-Request-Id': randomUUID(),
});
