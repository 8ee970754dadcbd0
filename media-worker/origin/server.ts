import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
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
} from '../http/answer';
import { listen, type HttpServer } from '../http/listen';
import type { ServeAsset } from './serve-asset';
import type { ServeIpfs } from './serve-ipfs';
import { serveLive, type ServeLive } from './serve-live';
import { serveRecording, type ServeRecordings } from './serve-recording';
import type { WatchPlaylists } from './watch-playlists';
import { serveUpload, uploadsPath, type ServeUploads } from './serve-uploads';

export interface OriginOptions extends ServeLive {
  readonly host: string;
  readonly port: number;
  readonly log: Logger;
  readonly uploads: ServeUploads;
  readonly recordings: ServeRecordings;
  readonly serveAsset: ServeAsset;
  readonly serveIpfs: ServeIpfs;
  readonly watch: WatchPlaylists;
  /** Told what was sent to viewers. */
  readonly delivered: (delivery: Delivery, bytes: number) => void;
}

const maxConnections = 20_000;
const methods = 'GET, HEAD, OPTIONS';
const readable = 'Content-Length, Content-Range, ETag, X-Ipfs-Path, X-Ipfs-Roots, X-Request-Id';

/** HTTP for viewers: any page of any site may play what is here (api-contract §13.13). */
export function startOrigin(options: OriginOptions): Promise<HttpServer> {
  const handler = (request: IncomingMessage, response: ServerResponse) => {
    setCommonHeaders(response);
    respond(request, response, options)
      .catch((error: unknown) => {
        options.log.error({ err: error, path: pathOf(request.url) }, 'request failed');
        if (response.headersSent) response.destroy();
        else send(response, errorAnswer(500, 'Something went wrong here.'));
      })
      .catch(() => response.destroy());
  };
  const { host, port, log } = options;
  // An upload takes as long as it takes; silent senders are cut off by a rule of its own.
  return listen(handler, { host, port, log, maxConnections, requestTimeout: 0 });
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  options: OriginOptions,
): Promise<void> {
  if (pathOf(request.url).startsWith(uploadsPath)) return serveUpload(request, response, options.uploads);
  const answer = await route(request, options);
  const { delivery } = answer;
  send(response, answer, delivery && ((bytes) => options.delivered(delivery, bytes)));
}

async function route(request: IncomingMessage, options: OriginOptions): Promise<Answer> {
  const path = pathOf(request.url);
  if (request.method === 'OPTIONS') return preflight;
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return errorAnswer(405, `Only ${methods} are possible here.`, { Allow: methods });
  }
  if (path === '/healthz') return jsonAnswer(200, { ok: true });
  if (path.startsWith('/hls/')) {
    const target = (request.url ?? '').slice('/hls'.length);
    return options.watch(request, target, () => serveLive(target, request.headers.range, options));
  }
  if (path.startsWith('/recordings/')) {
    return serveRecording(path.slice('/recordings'.length), request.headers, options.recordings);
  }
  if (path.startsWith('/ipfs/')) {
    const query = queryOf(request.url);
    return options.serveIpfs({ path: path.slice('/ipfs'.length), query, headers: request.headers });
  }
  if (path.startsWith('/asset/')) {
    const download = queryValue(request.url, 'download') !== null;
    return options.serveAsset({ path: path.slice('/asset'.length), download, headers: request.headers });
  }
  return errorAnswer(404, 'There is nothing at this address.');
}

const preflight: Answer = {
  status: 204,
  headers: {
    'Access-Control-Allow-Methods': methods,
    'Access-Control-Allow-Headers': 'Range, If-Range, If-None-Match',
    'Access-Control-Max-Age': 86_400,
  },
};

function setCommonHeaders(response: ServerResponse): void {
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Access-Control-Expose-Headers', readable);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('X-Request-Id', randomUUID());
}
