import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { classifyDatabaseError } from '@/lib/core/errors';
import type { OpenMetrics } from '@/lib/infra/metrics/metrics-endpoint';
import { countResponses } from '@/lib/infra/metrics/observe-responses';
import type { Logger } from '@/lib/infra/logger';
import type { ChildPlayback } from '@/lib/domain/streams';
import {
  errorAnswer,
  jsonAnswer,
  notFoundAnswer,
  send,
  type Answer,
  type Delivery,
} from '@/media-worker/kit/http/answer';
import { loggedPathOf, queryOf, queryValue, pathOf } from '@/media-worker/kit/http/request-url';
import {
  preflight,
  reportPreflight,
  viewerHeaders,
  viewerMethods,
} from '@/media-worker/kit/http/viewer-headers';
import type { AnswerWrite } from '@/media-worker/kit/http/internal-writes';
import { probeAnswer } from '@/media-worker/kit/http/probes';
import { listen, type HttpServer, type ListenOptions } from '@/media-worker/kit/http/listen';
import { SlowReaders } from '@/media-worker/kit/http/slow-readers';
import { isChildPath, serveChild } from './live/child-playback';
import type { LookupCache } from './lookup-cache';
import type { QuotaGate } from './access/quota-gate';
import type { ServeAsset } from './stored/serve-asset';
import type { ServeIpfs } from './stored/serve-ipfs';
import { answerAbsent, serveLive, type ServeLiveOptions } from './live/serve-live';
import { serveRecording, type ServeRecordings } from './stored/serve-recording';
import type { GuardViewers } from './access/viewer-access';
import { reportsPath, type PlayerReporting } from './audience/viewer-reports';
import type { Watch } from './live/watch-playlists';
import { serveWebrtc, webrtcHeaders, webrtcPath, type ServeWebrtcOptions } from './webrtc/serve-webrtc';
import { serveUpload, uploadsPath, type UploadHandlers } from '@/media-worker/delivery/uploads/serve-uploads';

export interface OriginOptions extends ServeLiveOptions {
  readonly host: string;
  readonly port: number;
  readonly log: Logger;
  /** CIDR ranges of load balancers that may send PROXY headers. */
  readonly trustedProxies?: readonly string[];
  /** Certificates of the public port; absent: plain HTTP. */
  readonly publicTls?: ListenOptions['publicTls'];
  readonly uploads: UploadHandlers;
  /** Content of child-session stream objects, by playback id; absent: there are none. */
  readonly children?: Pick<LookupCache<ChildPlayback>, 'find'>;
  readonly recordings: ServeRecordings;
  readonly serveAsset: ServeAsset;
  readonly serveIpfs: ServeIpfs;
  /**
   * Serves uploaded pictures: logos, slates and posters.
   * @param path path of the request, such as `/brand/<file>`
   */
  readonly serveUploadedPicture: (path: string, headers: IncomingHttpHeaders) => Promise<Answer>;
  readonly watch: Watch;
  /** Absent: views of assets are not counted. */
  readonly watchAsset?: Watch;
  readonly guard: GuardViewers;
  /** Receives player reports; absent: players are asked to stop. */
  readonly reports?: PlayerReporting | undefined;
  /** Absent: this machine has no WebRTC. */
  readonly webrtc?: ServeWebrtcOptions | undefined;
  readonly quotas?: Pick<QuotaGate, 'findRejection'>;
  /** Handles reports of edges and signed requests of other nodes; absent: they are rejected. */
  readonly answerWrite?: AnswerWrite;
  /** Limits of slow clients; absent: default limits per connection address. */
  readonly readers?: SlowReaders;
  /** Called with the number of bytes sent to viewers. */
  readonly onDelivery: (delivery: Delivery, bytes: number) => void;
  /** Serves `/metrics` at this port. */
  readonly metrics?: Pick<OpenMetrics, 'withMetricsEndpoint'>;
}

/** Options of the request handler, wherever it listens. */
type HandlerOptions = Omit<OriginOptions, 'host' | 'port' | 'trustedProxies' | 'publicTls' | 'metrics'>;

interface RouteOptions extends HandlerOptions {
  readonly readers: SlowReaders;
}

const internalErrorAnswer = errorAnswer(500, 'Something went wrong.');
const unavailableAnswer = errorAnswer(503, 'Temporarily unavailable. Try again.', { 'Retry-After': 2 });
/** Players stop reporting after this status (CTA-5004-B). */
const reportsDisabledAnswer = Promise.resolve(
  errorAnswer(410, 'This server does not accept player reports.'),
);
const MAX_CONNECTIONS = 20_000;

/** Starts the HTTP server for viewers. CORS allows every site. */
export function startOrigin(options: OriginOptions): Promise<HttpServer> {
  const { host, port, log, trustedProxies = [], publicTls } = options;
  // Uploads have no time limit; silent clients are disconnected by a separate rule.
  const limits = { maxConnections: MAX_CONNECTIONS, trustedProxies, publicTls, requestTimeoutMs: 0 };
  const handler = countResponses(createOriginHandler(options));
  return listen(options.metrics?.withMetricsEndpoint(handler) ?? handler, { host, port, log, ...limits });
}

/** Creates the request handler of an origin, for any listener. */
export function createOriginHandler(handlerOptions: HandlerOptions): RequestListener {
  const readers = handlerOptions.readers ?? new SlowReaders();
  const options = { ...handlerOptions, readers, guard: withReportRecording(handlerOptions) };
  return (request, response) => {
    const onFailure = (error: unknown) => {
      const isUnavailable = classifyDatabaseError(error) === 'unavailable';
      // While the database is unavailable, requests of thousands of viewers would each write a log line.
      if (!isUnavailable)
        options.log.error({ err: error, path: loggedPathOf(request.url) }, 'request failed');
      if (response.headersSent) response.destroy();
      else
        send(response, isUnavailable ? unavailableAnswer : internalErrorAnswer, { common: viewerHeaders() });
    };
    respond(request, response, options)
      .catch(onFailure)
      .catch(() => response.destroy());
  };
}

/** Extends the access check so that it records the player reports in the requests of admitted viewers. */
function withReportRecording({ guard, reports }: Pick<HandlerOptions, 'guard' | 'reports'>): GuardViewers {
  if (!reports) return guard;
  return (request, folder, serve, absent) =>
    guard(
      request,
      folder,
      (url, headers, object, pass) => {
        reports.recordRequest(request, object);
        return serve(url, headers, object, pass);
      },
      absent,
    );
}

/**
 * Thousands of viewers may wait for the same part, and when it arrives, each promise of this path is settled for every
 * one of them. Therefore it creates as few promises as possible.
 */
function respond(request: IncomingMessage, response: ServerResponse, options: RouteOptions): Promise<void> {
  const path = pathOf(request.url);
  if (path.startsWith(uploadsPath)) {
    for (const [name, value] of Object.entries(viewerHeaders())) response.setHeader(name, value);
    return serveUpload(request, response, options.uploads);
  }
  if (options.webrtc && (path === webrtcPath || path.startsWith(`${webrtcPath}/`))) {
    const common = webrtcHeaders(viewerHeaders());
    return serveWebrtc(request, options.webrtc).then((answer) => send(response, answer, { common }));
  }
  return route(request, path, options).then((answer) => {
    const { delivery } = answer;
    const onSent = delivery && ((bytes: number) => options.onDelivery(delivery, bytes));
    send(response, answer, { common: viewerHeaders(), onSent, readers: options.readers });
  });
}

function route(request: IncomingMessage, path: string, options: RouteOptions): Promise<Answer> {
  const { method } = request;
  const isReport = path.startsWith(reportsPath);
  if (method === 'OPTIONS') return Promise.resolve(isReport ? reportPreflight : preflight);
  if (method === 'POST' && isReport)
    return options.reports?.receive(request, options.guard) ?? reportsDisabledAnswer;
  if (method !== 'GET' && method !== 'HEAD') {
    return (
      options.answerWrite?.(request) ??
      Promise.resolve(errorAnswer(405, `Only ${viewerMethods} are allowed.`, { Allow: viewerMethods }))
    );
  }
  const probeReply = probeAnswer(request, () => true);
  if (probeReply) return Promise.resolve(probeReply);
  if (path === '/healthz') return Promise.resolve(jsonAnswer(200, { ok: true }));
  const rejection = options.quotas?.findRejection(path);
  if (!rejection) return serveContent(request, path, options);
  return rejection.then((answer) => answer ?? serveContent(request, path, options));
}

/** Creates the fallback for a stream that is not found: its id may be that of a child-session stream object. */
function createChildFallback(request: IncomingMessage, path: string, options: RouteOptions) {
  const { children } = options;
  return async (answer: Answer): Promise<Answer> => {
    if (answer.status !== 404 || !children) return answer;
    const serve = (childRequest: IncomingMessage) =>
      serveContent(childRequest, pathOf(childRequest.url), options);
    return (await serveChild(request, path, children, serve)) ?? answer;
  };
}

function serveContent(request: IncomingMessage, path: string, options: RouteOptions): Promise<Answer> {
  const { url = '', headers } = request;
  if (path.startsWith('/hls/')) {
    const targetOf = (urlWithoutToken: string) => urlWithoutToken.slice('/hls'.length);
    const serve = (urlWithoutToken: string, headers: IncomingHttpHeaders) =>
      options.watch(request, targetOf(urlWithoutToken), () =>
        serveLive(targetOf(urlWithoutToken), headers, options),
      );
    const pendingAnswer = options.guard(request, '/hls', serve, (urlWithoutToken) =>
      answerAbsent(targetOf(urlWithoutToken), options.publicStatuses),
    );
    return options.children && isChildPath(path)
      ? pendingAnswer.then(createChildFallback(request, path, options))
      : pendingAnswer;
  }
  const downloadValue = queryValue(url, 'download');
  const download = downloadValue !== null;
  if (path.startsWith('/recordings/')) {
    return options.guard(request, '/recordings', (urlWithoutToken, headers) => {
      const assetRequest = { path: pathOf(urlWithoutToken).slice('/recordings'.length), download, headers };
      return serveRecording(assetRequest, options.recordings);
    });
  }
  if (path.startsWith('/ipfs/')) {
    return options.serveIpfs({ path: path.slice('/ipfs'.length), query: queryOf(url), headers });
  }
  if (/^\/(?:brand|slate|poster)\//.test(path)) return options.serveUploadedPicture(path, headers);
  if (path.startsWith('/asset/')) {
    return options.guard(request, '/asset', (urlWithoutToken, headers) => {
      const assetRequest = {
        path: pathOf(urlWithoutToken).slice('/asset'.length),
        download,
        audio: downloadValue === 'audio',
        query: queryOf(urlWithoutToken),
        client: options.readers.networkOf(request),
        headers,
      };
      const serve = () => options.serveAsset(assetRequest);
      return options.watchAsset?.(request, urlWithoutToken.slice('/asset'.length), serve) ?? serve();
    });
  }
  return Promise.resolve(notFoundAnswer('Not found.'));
}
