import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Clock, systemClock } from '@/lib/infra/clock';
import type { SliceCache } from '@/lib/infra/cache/slice-cache';
import type { Logger } from '@/lib/infra/logger';
import { isStarted } from '@/lib/core/assets/asset-view';
import type { OpenMetrics } from '@/lib/infra/metrics/metrics-endpoint';
import { countResponses } from '@/lib/infra/metrics/observe-responses';
import {
  errorAnswer,
  jsonAnswer,
  loggedPathOf,
  notFoundAnswer,
  pathOf,
  send,
  type Answer,
} from '@/media-worker/kit/http/answer';
import { edgeReportPath, readEdgeReport } from '@/media-worker/kit/http/edge-report';
import { bodyOf } from '@/media-worker/kit/http/internal-writes';
import { listen, type HttpServer, type ListenOptions } from '@/media-worker/kit/http/listen';
import { SlowReaders } from '@/media-worker/kit/http/slow-readers';
import { edgesIn, viaOf } from '@/media-worker/kit/http/via';
import { viewerAddress } from '@/media-worker/kit/http/viewer-address';
import { preflight, viewerHeaders, viewerMethods } from '@/media-worker/kit/http/viewer-headers';
import { HeldRequests } from '@/media-worker/delivery/origin/live/held-requests';
import { badDirective } from '@/media-worker/delivery/origin/live/serve-live';
import { proofHeaders, readEdgeRequest, type EdgeRequest, type WatchingViewer } from './edge-request';
import { answerWith, cachePolicyOf, failed, unavailable } from './kept-answer';
import { KnownGates, contentOf } from './known-gates';
import type { SeenViewers } from './seen-viewers';
import { SharedAnswers } from './shared-answers';
import { passOn, pickHeaders } from './pass-on';
import { SlicedFiles } from './sliced-files';
import type { Upstream } from './upstream';

export interface EdgeOptions {
  readonly host: string;
  readonly port: number;
  readonly log: Logger;
  /** CIDR ranges of balancers that may send PROXY headers. */
  readonly trustedProxies?: readonly string[];
  /** Absent: plain HTTP. */
  readonly publicTls?: ListenOptions['publicTls'];
  /** How this edge is called in `Via`. */
  readonly name: string;
  readonly upstream: Upstream;
  /** Null: large files are passed on and not kept. */
  readonly slices: SliceCache | null;
  readonly viewers: SeenViewers;
  readonly addressOf: (request: IncomingMessage) => string;
  /** Whether what this client says of its viewers is believed. */
  readonly isTrusted: (request: IncomingMessage) => boolean;
  /** Answers `/metrics`. */
  readonly metrics?: Pick<OpenMetrics, 'withMetricsEndpoint'>;
  readonly clock?: Pick<Clock, 'monotonic'>;
}

const maxConnections = 20_000;
/** Of those that a request passed, so many are named to the next: a circle of edges is no longer. */
const maxNamed = 8;
const broken = errorAnswer(500, 'Something went wrong.');
const readOnly = errorAnswer(405, 'This edge only serves viewers. Send uploads to the origin.', {
  Allow: viewerMethods,
});

const methodOf = ({ method }: IncomingMessage): 'GET' | 'HEAD' => (method === 'HEAD' ? 'HEAD' : 'GET');

/** HTTP for viewers, answered by another origin or edge and kept here. */
export function startEdge(options: EdgeOptions): Promise<HttpServer> {
  const edge = new Edge(options);
  const readers = new SlowReaders({ addressOf: options.addressOf });
  const handler = countResponses((request: IncomingMessage, response: ServerResponse) => {
    edge
      .respond(request)
      .catch((error: unknown) => {
        options.log.error({ err: error, path: loggedPathOf(request.url) }, 'request failed');
        return broken;
      })
      .then((answer) => send(response, answer, { common: viewerHeaders(), readers }))
      .catch(() => response.destroy());
  });
  return listen(options.metrics?.withMetricsEndpoint(handler) ?? handler, { ...options, maxConnections });
}

class Edge {
  readonly #options: EdgeOptions;
  readonly #shared: SharedAnswers;
  readonly #files: SlicedFiles;
  readonly #gates: KnownGates;
  /** Of viewers whose requests are passed on. */
  readonly #held = new HeldRequests();

  constructor(options: EdgeOptions) {
    const { upstream, name, slices, clock = systemClock } = options;
    this.#options = options;
    this.#gates = new KnownGates({ upstream, clock, via: viaOf([name]) });
    this.#shared = new SharedAnswers({ upstream: this.#gates.upstream });
    this.#files = new SlicedFiles(this.#gates.upstream, slices);
  }

  async respond(request: IncomingMessage): Promise<Answer> {
    const { method, url = '', headers } = request;
    if (method === 'OPTIONS') return preflight;
    const passed = edgesIn(headers.via);
    if (passed.includes(this.#options.name)) return unavailable(508);
    if (method === 'POST' && pathOf(url) === edgeReportPath) return this.#takeReport(request);
    if (method !== 'GET' && method !== 'HEAD') return readOnly;
    if (pathOf(url) === '/healthz') return jsonAnswer(200, { ok: true });
    const via = viaOf([...passed, this.#options.name].slice(-maxNamed));
    return this.#answer(request, readEdgeRequest(url, headers), via).catch(failed);
  }

  async #answer(request: IncomingMessage, asked: EdgeRequest, via: string): Promise<Answer> {
    switch (asked.kind) {
      case 'nothing':
        return notFoundAnswer('Not found.');
      case 'bad directive':
        return badDirective();
      case 'master':
        return this.#master(request, asked, via);
      case 'gated':
        return this.#pass(request, asked, via);
      case 'file':
      case 'whole': {
        const folder = contentOf(asked.target);
        if (folder === null) return this.#kept(request, asked, via);
        if (await this.#gates.isGated(folder)) return this.#pass(request, asked, via);
        const answer = await this.#kept(request, asked, via);
        // To nobody in particular; the page of this viewer may be allowed.
        return answer.status === 403 ? this.#pass(request, asked, via) : answer;
      }
    }
  }

  /** From what is kept here, the same for all. */
  async #kept(
    request: IncomingMessage,
    asked: Extract<EdgeRequest, { kind: 'file' | 'whole' }>,
    via: string,
  ): Promise<Answer> {
    const { headers } = request;
    const { target } = asked;
    const { viewer } = asked;
    if (asked.kind === 'file') {
      const { accept } = asked;
      const file = await this.#files.answer({ target, accept, method: methodOf(request), headers, via });
      if (viewer) this.#saw(request, viewer, file);
      return file;
    }
    const { gzip, heldFor } = asked;
    const encoding = gzip ? 'gzip' : 'identity';
    const asking = { target, headers: { Via: via, 'Accept-Encoding': encoding }, heldFor };
    const kept = await this.#shared.get(`${target} ${encoding}`, asking);
    if (viewer) this.#saw(request, viewer, { status: kept.status });
    return answerWith(kept, headers);
  }

  /** As the upstream decides on this viewer; nothing is kept. */
  async #pass(
    request: IncomingMessage,
    asked: Extract<EdgeRequest, { kind: 'file' | 'whole' | 'gated' }>,
    via: string,
  ): Promise<Answer> {
    const { upstream } = this.#options;
    const { url = '', headers } = request;
    const { viewer } = asked;
    const heldFor = asked.kind === 'file' ? null : asked.heldFor;
    const held = heldFor !== null;
    const asking = this.#ofViewer(request, via);
    const pass = () => passOn(upstream, { target: url, method: methodOf(request), asking, headers, held });
    const answer = await (held ? this.#held.run(heldFor, pass) : pass());
    // The upstream itself counts those who have a token.
    if (viewer?.token === null) this.#saw(request, viewer, answer);
    return answer;
  }

  #saw(request: IncomingMessage, viewer: WatchingViewer, { status }: Answer): void {
    const watches = viewer.isAsset ? isStarted(status) : status === 200;
    // Other edges say themselves who watches through them.
    const counted = request.method === 'GET' && watches && edgesIn(request.headers.via).length === 0;
    if (counted) this.#options.viewers.saw(request, viewer);
  }

  /** Names its viewer, so each gets one of its own; only that there is none is the same for all. */
  async #master(
    request: IncomingMessage,
    { target, shared }: { readonly target: string; readonly shared: string },
    via: string,
  ): Promise<Answer> {
    const { upstream } = this.#options;
    const key = `${shared} identity`;
    const missing = this.#shared.fresh(key);
    if (missing) return answerWith(missing, request.headers);
    const response = await upstream.fetch(target, {
      headers: { ...this.#ofViewer(request, via), 'Accept-Encoding': 'identity' },
    });
    const { status, headers } = response;
    const answer = { ...response, policy: cachePolicyOf(shared, status, headers) };
    this.#shared.offer(key, answer);
    return answerWith(answer, request.headers);
  }

  /** Headers by which the origin knows one viewer, and the page that plays. */
  #ofViewer(request: IncomingMessage, via: string): Readonly<Record<string, string>> {
    const { headers } = request;
    const address = viewerAddress(request, this.#options.addressOf);
    return {
      ...pickHeaders(headers, ['origin', 'referer', 'sec-fetch-site', 'accept-encoding', ...proofHeaders]),
      Via: via,
      ...(address === null ? {} : { 'X-Forwarded-For': address }),
    };
  }

  async #takeReport(request: IncomingMessage): Promise<Answer> {
    const { viewers, isTrusted } = this.#options;
    const body = await bodyOf(request).catch(() => null);
    if (body !== null && !Buffer.isBuffer(body)) return body;
    const seen = body && readEdgeReport(body.toString('utf8'));
    if (!seen) return errorAnswer(400, 'Not a report of viewers.');
    viewers.receive(seen, isTrusted(request));
    return { status: 204 };
  }
}
