import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Clock, systemClock } from '@/lib/infra/clock';
import type { SliceCache } from '@/lib/infra/cache/slice-cache';
import type { Logger } from '@/lib/infra/logger';
import { isPlaybackStatus } from '@/lib/core/assets/asset-view';
import type { OpenMetrics } from '@/lib/infra/metrics/metrics-endpoint';
import { countResponses } from '@/lib/infra/metrics/observe-responses';
import { errorAnswer, jsonAnswer, notFoundAnswer, send, type Answer } from '@/media-worker/kit/http/answer';
import { loggedPathOf, pathOf } from '@/media-worker/kit/http/request-url';
import { edgeReportPath, parseEdgeReport } from '@/media-worker/kit/http/edge-report';
import { readBody } from '@/media-worker/kit/http/read-body';
import { listen, type HttpServer, type ListenOptions } from '@/media-worker/kit/http/listen';
import { SlowReaders } from '@/media-worker/kit/http/slow-readers';
import { parseEdges, formatVia } from '@/media-worker/kit/http/via';
import { viewerAddress } from '@/media-worker/kit/http/viewer-address';
import {
  preflight,
  reportPreflight,
  viewerHeaders,
  viewerMethods,
} from '@/media-worker/kit/http/viewer-headers';
import { reportsPath } from '@/media-worker/delivery/origin/audience/viewer-reports';
import { webrtcHeaders } from '@/media-worker/delivery/origin/webrtc/serve-webrtc';
import { BlockingRequests } from '@/media-worker/delivery/origin/live/blocking-requests';
import { badDirectiveAnswer } from '@/media-worker/delivery/origin/live/serve-live';
import { proofHeaders, parseEdgeRequest, type EdgeRequest, type WatchingViewer } from './edge-request';
import { answerWith, cachePolicyOf, failureAnswer, unavailableAnswer } from './cached-answer';
import { KnownRestrictions, contentFolderOf } from './known-restrictions';
import { OriginWaits } from './origin-waits';
import { PlayerReports } from './player-reports';
import type { ViewerLog } from './viewer-log';
import { SharedAnswers } from './shared-answers';
import { proxyRequest, pickHeaders } from './proxy-request';
import { SlicedFiles } from './sliced-files';
import type { Upstream } from './upstream';
import { isWebrtcOfViewer, WebrtcProxy } from './webrtc-proxy';

export interface EdgeOptions {
  readonly host: string;
  readonly port: number;
  readonly log: Logger;
  /** CIDR ranges of load balancers that may send PROXY headers. */
  readonly trustedProxies?: readonly string[];
  /** Certificates of the public port; absent: plain HTTP. */
  readonly publicTls?: ListenOptions['publicTls'];
  /** Name of this edge in the `Via` header. */
  readonly name: string;
  readonly upstream: Upstream;
  /** Null: large files are forwarded without caching. */
  readonly slices: SliceCache | null;
  readonly viewers: ViewerLog;
  readonly addressOf: (request: IncomingMessage) => string;
  /** Whether reports of this client about its viewers are trusted. */
  readonly isTrusted: (request: IncomingMessage) => boolean;
  /** Handles requests for `/metrics`. */
  readonly metrics?: Pick<OpenMetrics, 'withMetricsEndpoint'>;
  readonly clock?: Pick<Clock, 'monotonic'>;
}

const MAX_CONNECTIONS = 20_000;
const internalErrorAnswer = errorAnswer(500, 'Something went wrong.');
const readOnlyAnswer = errorAnswer(405, 'This edge only serves viewers. Send uploads to the origin.', {
  Allow: viewerMethods,
});

const methodOf = ({ method }: IncomingMessage): 'GET' | 'HEAD' => (method === 'HEAD' ? 'HEAD' : 'GET');

/** Starts the server of an edge. Answers come from an origin or another edge and are cached here. */
export function startEdge(options: EdgeOptions): Promise<HttpServer> {
  const edge = new Edge(options);
  const readers = new SlowReaders({ addressOf: options.addressOf });
  const handler = countResponses((request: IncomingMessage, response: ServerResponse) => {
    edge
      .respond(request)
      .catch((error: unknown) => {
        options.log.error({ err: error, path: loggedPathOf(request.url) }, 'request failed');
        return internalErrorAnswer;
      })
      .then((answer) => {
        const common = isWebrtcOfViewer(request) ? webrtcHeaders(viewerHeaders()) : viewerHeaders();
        send(response, answer, { common, readers });
      })
      .catch(() => response.destroy());
  });
  const listenOptions = { ...options, maxConnections: MAX_CONNECTIONS };
  return listen(options.metrics?.withMetricsEndpoint(handler) ?? handler, listenOptions);
}

/** Decides for each request whether to answer from the caches, forward it, or reject it. */
class Edge {
  readonly #options: EdgeOptions;
  readonly #sharedAnswers: SharedAnswers;
  readonly #files: SlicedFiles;
  readonly #restrictions: KnownRestrictions;
  readonly #reports: PlayerReports;
  readonly #waits: OriginWaits;
  readonly #webrtc: WebrtcProxy;
  readonly #blockingRequests = new BlockingRequests();

  constructor(options: EdgeOptions) {
    const { upstream, name, slices, clock = systemClock } = options;
    this.#options = options;
    this.#restrictions = new KnownRestrictions({ upstream, clock, via: formatVia([name]) });
    this.#sharedAnswers = new SharedAnswers({ upstream: this.#restrictions.upstream });
    this.#waits = new OriginWaits(clock);
    this.#reports = new PlayerReports(upstream, this.#waits);
    this.#webrtc = new WebrtcProxy(upstream);
    this.#files = new SlicedFiles(this.#restrictions.upstream, slices);
  }

  async respond(request: IncomingMessage): Promise<Answer> {
    const { method, url = '', headers } = request;
    const isReport = pathOf(url).startsWith(reportsPath);
    const isWebrtc = isWebrtcOfViewer(request);
    if (method === 'OPTIONS' && !isWebrtc) return isReport ? reportPreflight : preflight;
    const previousEdges = parseEdges(headers.via);
    // The request has passed this edge before.
    if (previousEdges.includes(this.#options.name)) return unavailableAnswer(508);
    if (method === 'POST' && pathOf(url) === edgeReportPath) return this.#receiveEdgeReport(request);
    const via = formatVia([...previousEdges, this.#options.name]);
    if (method === 'POST' && isReport) {
      return this.#reports.forward(request, this.#identityHeaders(request, via)).catch(failureAnswer);
    }
    if (isWebrtc)
      return this.#webrtc.forward(request, this.#identityHeaders(request, via)).catch(failureAnswer);
    if (method !== 'GET' && method !== 'HEAD') return readOnlyAnswer;
    if (pathOf(url) === '/healthz') return jsonAnswer(200, { ok: true });
    const edgeRequest = parseEdgeRequest(url, headers);
    return this.#waits
      .measure(edgeRequest, () => this.#answer(request, edgeRequest, via))
      .catch(failureAnswer);
  }

  async #answer(request: IncomingMessage, edgeRequest: EdgeRequest, via: string): Promise<Answer> {
    switch (edgeRequest.kind) {
      case 'nothing':
        return notFoundAnswer('Not found.');
      case 'bad directive':
        return badDirectiveAnswer();
      case 'master':
        return this.#fetchMaster(request, edgeRequest, via);
      case 'restricted':
        return this.#forward(request, edgeRequest, via);
      case 'file':
      case 'whole': {
        const folder = contentFolderOf(edgeRequest.target);
        if (folder === null) return this.#answerFromCache(request, edgeRequest, via);
        if (await this.#restrictions.isRestricted(folder)) return this.#forward(request, edgeRequest, via);
        const answer = await this.#answerFromCache(request, edgeRequest, via);
        // The content is restricted; this viewer may still have access.
        return answer.status === 403 ? this.#forward(request, edgeRequest, via) : answer;
      }
    }
  }

  /** Answers from the cache, which is the same for all viewers. */
  async #answerFromCache(
    request: IncomingMessage,
    edgeRequest: Extract<EdgeRequest, { kind: 'file' | 'whole' }>,
    via: string,
  ): Promise<Answer> {
    const { headers } = request;
    const { target, viewer } = edgeRequest;
    if (edgeRequest.kind === 'file') {
      const { accept } = edgeRequest;
      const answer = await this.#files.answer({ target, accept, method: methodOf(request), headers, via });
      if (viewer) this.#recordViewer(request, viewer, answer);
      return answer;
    }
    const { gzip, heldFor } = edgeRequest;
    const encoding = gzip ? 'gzip' : 'identity';
    const upstreamRequest = { target, headers: { Via: via, 'Accept-Encoding': encoding }, heldFor };
    const cachedAnswer = await this.#sharedAnswers.get(`${target} ${encoding}`, upstreamRequest);
    if (viewer) this.#recordViewer(request, viewer, { status: cachedAnswer.status });
    return answerWith(cachedAnswer, headers);
  }

  /** Forwards the request, so that the upstream decides for this viewer. Nothing is cached. */
  async #forward(
    request: IncomingMessage,
    edgeRequest: Extract<EdgeRequest, { kind: 'file' | 'whole' | 'restricted' }>,
    via: string,
  ): Promise<Answer> {
    const { upstream } = this.#options;
    const { url = '', headers } = request;
    const { viewer } = edgeRequest;
    const heldFor = edgeRequest.kind === 'file' ? null : edgeRequest.heldFor;
    const isBlocking = heldFor !== null;
    const upstreamHeaders = this.#identityHeaders(request, via);
    const method = methodOf(request);
    const forward = () =>
      proxyRequest(upstream, { target: url, method, upstreamHeaders, headers, isBlocking });
    const answer = await (isBlocking ? this.#blockingRequests.run(heldFor, forward) : forward());
    // The upstream counts viewers with a token.
    if (viewer?.token === null) this.#recordViewer(request, viewer, answer);
    return answer;
  }

  #recordViewer(request: IncomingMessage, viewer: WatchingViewer, { status }: Answer): void {
    const hasStarted = viewer.isAsset ? isPlaybackStatus(status) : status === 200;
    // Other edges report their own viewers.
    const isCounted = request.method === 'GET' && hasStarted && parseEdges(request.headers.via).length === 0;
    if (isCounted) this.#options.viewers.record(request, viewer);
  }

  /** A master playlist contains a viewer token, so it is fetched for each viewer; only its absence is shared. */
  async #fetchMaster(
    request: IncomingMessage,
    { target, sharedTarget }: { readonly target: string; readonly sharedTarget: string },
    via: string,
  ): Promise<Answer> {
    const { upstream } = this.#options;
    const key = `${sharedTarget} identity`;
    const sharedAnswer = this.#sharedAnswers.findFresh(key);
    if (sharedAnswer) return answerWith(sharedAnswer, request.headers);
    const response = await upstream.fetch(target, {
      headers: { ...this.#identityHeaders(request, via), 'Accept-Encoding': 'identity' },
    });
    const { status, headers } = response;
    const answer = { ...response, policy: cachePolicyOf(sharedTarget, status, headers) };
    this.#sharedAnswers.cacheIfUsable(key, answer);
    return answerWith(answer, request.headers);
  }

  /** Headers that identify the viewer and the page to the origin. */
  #identityHeaders(request: IncomingMessage, via: string): Readonly<Record<string, string>> {
    const { headers } = request;
    const address = viewerAddress(request, this.#options.addressOf);
    return {
      ...pickHeaders(headers, ['origin', 'referer', 'sec-fetch-site', 'accept-encoding', ...proofHeaders]),
      Via: via,
      ...(address === null ? {} : { 'X-Forwarded-For': address }),
    };
  }

  async #receiveEdgeReport(request: IncomingMessage): Promise<Answer> {
    const { viewers, isTrusted } = this.#options;
    const body = await readBody(request).catch(() => null);
    if (body !== null && !Buffer.isBuffer(body)) return body;
    const reportedViewers = body && parseEdgeReport(body.toString('utf8'));
    if (!reportedViewers) return errorAnswer(400, 'Not a report of viewers.');
    viewers.receive(reportedViewers, isTrusted(request));
    return { status: 204 };
  }
}
