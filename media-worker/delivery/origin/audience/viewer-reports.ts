import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { ViewShares } from '@/lib/core/audience/audience-sums';
import { type PlayerReport, parseReports, parseRequestReports } from '@/lib/core/audience/read-cmcd';
import { detectDevice } from '@/lib/core/audience/viewer-device';
import type { Clock } from '@/lib/infra/clock';
import { networkOfIp } from '@/lib/infra/egress/ip-address';
import { type Answer, errorAnswer } from '@/media-worker/kit/http/answer';
import { queryValue } from '@/media-worker/kit/http/request-url';
import { hasEdgeWaited } from '@/media-worker/kit/http/edge-waited';
import { withTrailingSlash } from '@/media-worker/kit/http/trailing-slash';
import { readBody } from '@/media-worker/kit/http/read-body';
import type { GuardViewers, GuardedObject } from '@/media-worker/delivery/origin/access/viewer-access';
import type { WatchedObject } from './audience-count';

/** Path of player reports, before the playback id. */
export const reportsPath = '/cmcd/';

/** Handles player reports at an origin. */
export interface PlayerReporting {
  /** Answers a POST of a player's reports. */
  readonly receive: (request: IncomingMessage, guard: GuardViewers) => Promise<Answer>;
  /** Records the CMCD keys in a request for media. */
  readonly recordRequest: (request: IncomingMessage, object: GuardedObject) => void;
}

interface ViewerReportsOptions {
  readonly clock: Pick<Clock, 'monotonic' | 'now'>;
  readonly addressOf: (request: IncomingMessage) => string;
  /** The country code of the viewer; null if it has none, undefined if unknown. */
  readonly countryOf: (request: IncomingMessage) => string | null | undefined;
  readonly onReport: (watchedObject: WatchedObject, report: PlayerReport, shares: ViewShares) => void;
  readonly onLines: (lines: { readonly acceptedLines: number; readonly malformedLines: number }) => void;
  /** Maximum number of requests of one network per minute. */
  readonly perMinute?: number;
  /** Maximum number of bodies read at the same time. */
  readonly maxBodies?: number;
}

const MAX_BODY_BYTES = 65_536;
const MAX_NETWORKS = 50_000;
const acceptedAnswer: Answer = { status: 204, headers: { 'Cache-Control': 'no-store' } };
const goneAnswer = errorAnswer(410, 'Nothing can be played here.');
export const overloadedAnswer = errorAnswer(429, 'Too many reports. Send them later.', { 'Retry-After': 10 });
const incompleteBodyAnswer = errorAnswer(400, 'The body did not arrive.');

/**
 * Receives player reports (CMCD version 2): event reports, and the keys in requests for media. The network of a
 * viewer is kept in memory for a minute as a hash with a salt of this process. User agent and address only determine
 * the category in which a report counts.
 */
export class ViewerReports implements PlayerReporting {
  readonly #options: Required<ViewerReportsOptions>;
  readonly #salt = randomBytes(32);
  /** Requests in the current minute, by hash of the network. */
  readonly #requestCounts: LRUCache<string, number>;
  #pendingBodies = 0;

  constructor({ perMinute = 1_200, maxBodies = 256, ...options }: ViewerReportsOptions) {
    this.#options = { perMinute, maxBodies, ...options };
    // lru-cache never expires an entry with the time 0.
    const perf = { now: () => options.clock.monotonic() + 1 };
    const ttlOptions = { ttl: 60_000, ttlResolution: 0, perf };
    this.#requestCounts = new LRUCache({ max: MAX_NETWORKS, noUpdateTTL: true, ...ttlOptions });
  }

  /** Accepts reports of viewers who have access. */
  readonly receive: PlayerReporting['receive'] = async (request, guard) => {
    if (this.#isLimited(request)) return overloadedAnswer;
    const serve = (_url: string, _headers: object, object: GuardedObject) => this.#receive(request, object);
    return guard(withTrailingSlash(request), reportsPath.slice(0, -1), serve, () =>
      Promise.resolve(goneAnswer),
    );
  };

  /** Records the report in a request for media. */
  readonly recordRequest = (request: IncomingMessage, object: GuardedObject): void => {
    const keys = object.acceptsViewerReports ? cmcdKeysOf(request) : '';
    if (keys === '') return;
    const { clock, onReport } = this.#options;
    const reports = parseRequestReports(keys, clock.now().getTime());
    if (reports.length === 0) return;
    const shares = this.#sharesOf(request);
    for (const report of reports) onReport(object, report, shares);
  };

  async #receive(
    request: IncomingMessage,
    { teamId, objectId, acceptsViewerReports }: GuardedObject,
  ): Promise<Answer> {
    if (!acceptsViewerReports) return goneAnswer;
    if (this.#pendingBodies >= this.#options.maxBodies) return overloadedAnswer;
    this.#pendingBodies++;
    const body = await readReportBody(request).finally(() => this.#pendingBodies--);
    if (!Buffer.isBuffer(body)) return body;
    const { reports, malformedCount: malformed } = parseReports(body.toString('utf8'));
    const { onReport } = this.#options;
    const shares = this.#sharesOf(request);
    const edgeWaited = hasEdgeWaited(request.headers);
    for (const report of reports) onReport({ teamId, objectId }, { ...report, edgeWaited }, shares);
    this.#options.onLines({ acceptedLines: reports.length, malformedLines: malformed });
    return acceptedAnswer;
  }

  #sharesOf(request: IncomingMessage): ViewShares {
    const country = this.#options.countryOf(request) ?? null;
    return { country, ...detectDevice(request.headers['user-agent']) };
  }

  #isLimited(request: IncomingMessage): boolean {
    const { addressOf, perMinute } = this.#options;
    const network = createHash('sha256')
      .update(this.#salt)
      .update(networkOfIp(addressOf(request)))
      .digest('base64url');
    const requestCount = (this.#requestCounts.get(network) ?? 0) + 1;
    this.#requestCounts.set(network, requestCount);
    return requestCount > perMinute;
  }
}

const cmcdHeaders = ['cmcd-session', 'cmcd-status', 'cmcd-object', 'cmcd-request'] as const;

/** The CMCD keys in the query or the headers of a request; empty if it has none. */
function cmcdKeysOf({ url = '', headers }: IncomingMessage): string {
  if (url.includes('CMCD=')) return queryValue(url, 'CMCD') ?? '';
  return cmcdHeaders.flatMap((name) => headers[name] ?? []).join(',');
}

/**
 * Reads the body of a report request.
 * @returns an error answer for a body that is too long or does not arrive
 */
export const readReportBody = (request: IncomingMessage): Promise<Buffer | Answer> =>
  readBody(request, MAX_BODY_BYTES).catch(() => incompleteBodyAnswer);
