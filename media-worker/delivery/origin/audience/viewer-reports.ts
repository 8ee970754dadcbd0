import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import { readReports } from '@/lib/core/audience/read-cmcd';
import { type ViewFacts, type ViewState, nextView } from '@/lib/core/audience/view-state';
import type { Clock } from '@/lib/infra/clock';
import { clientNetwork } from '@/lib/infra/egress/ip-address';
import { type Answer, errorAnswer, pathOf } from '@/media-worker/kit/http/answer';
import { bodyOf } from '@/media-worker/kit/http/internal-writes';
import type { GuardViewers } from '@/media-worker/delivery/origin/access/viewer-gate';

export const reportsPath = '/cmcd/';

/** Answers a POST of a player's reports. */
export type TakeReports = (request: IncomingMessage, guard: GuardViewers) => Promise<Answer>;

interface ViewerReportsOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly addressOf: (request: IncomingMessage) => string;
  /** Called with what each report adds to the sums. */
  readonly measured: (facts: ViewFacts) => void;
  readonly counted: (lines: { readonly accepted: number; readonly malformed: number }) => void;
  /** Views in memory; of more, those that reported last longest ago are forgotten. */
  readonly maxViews?: number;
  /** Requests of one network in a minute. */
  readonly perMinute?: number;
  /** Bodies that are read at once. */
  readonly maxBodies?: number;
}

const maxBodyBytes = 65_536;
/** A view that is silent for this long is over. */
const silentMs = 300_000;
const maxNetworks = 50_000;
const taken: Answer = { status: 204, headers: { 'Cache-Control': 'no-store' } };
const gone = errorAnswer(410, 'Nothing can be played here.');
const overloaded = errorAnswer(429, 'Too many reports. Send them later.', { 'Retry-After': 10 });
const broken = errorAnswer(400, 'The body did not arrive.');

/**
 * Sums up how playback goes, from what players report (CMCD version 2, event mode). A view is in memory alone, by the
 * player's own id; the network is kept as a hash with a salt of this process, for a minute.
 */
export class ViewerReports {
  readonly #options: Required<ViewerReportsOptions>;
  readonly #salt = randomBytes(32);
  readonly #views: LRUCache<string, ViewState>;
  readonly #requests: LRUCache<string, number>;
  #bodies = 0;

  constructor({ maxViews = 100_000, perMinute = 1_200, maxBodies = 256, ...options }: ViewerReportsOptions) {
    this.#options = { maxViews, perMinute, maxBodies, ...options };
    // To lru-cache, an entry of the moment 0 never expires.
    const perf = { now: () => options.clock.monotonic() + 1 };
    this.#views = new LRUCache({ max: maxViews, ttl: silentMs, perf });
    this.#requests = new LRUCache({ max: maxNetworks, ttl: 60_000, noUpdateTTL: true, perf });
  }

  /** Who may watch may report. */
  readonly take: TakeReports = async (request, guard) => {
    if (this.#isLimited(request)) return overloaded;
    const serve = (url: string) => this.#receive(request, playbackIdOf(url));
    return guard(inFolder(request), reportsPath.slice(0, -1), serve, () => Promise.resolve(gone));
  };

  async #receive(request: IncomingMessage, playbackId: string): Promise<Answer> {
    if (this.#bodies >= this.#options.maxBodies) return overloaded;
    this.#bodies++;
    const body = await bodyOf(request, maxBodyBytes)
      .catch(() => broken)
      .finally(() => this.#bodies--);
    if (!Buffer.isBuffer(body)) return body;
    const { reports, malformed } = readReports(body.toString('utf8'));
    for (const report of reports) {
      const key = `${playbackId} ${report.sessionId}`;
      const { view, facts } = nextView(this.#views.get(key) ?? null, report);
      this.#views.set(key, view);
      this.#options.measured(facts);
    }
    this.#options.counted({ accepted: reports.length, malformed });
    return taken;
  }

  #isLimited(request: IncomingMessage): boolean {
    const { addressOf, perMinute } = this.#options;
    const network = createHash('sha256')
      .update(this.#salt)
      .update(clientNetwork(addressOf(request)))
      .digest('base64url');
    const requests = (this.#requests.get(network) ?? 0) + 1;
    this.#requests.set(network, requests);
    return requests > perMinute;
  }
}

const playbackIdOf = (url: string) => pathOf(url).slice(reportsPath.length).split('/', 1)[0] ?? '';

/** The same request with a slash at the end of its path, as the folders have in which a token may stand. */
function inFolder(request: IncomingMessage): IncomingMessage {
  const { url = '', headers } = request;
  const path = pathOf(url);
  const folder = path.endsWith('/') ? path : `${path}/`;
  return Object.create(request, {
    url: { value: folder + url.slice(path.length) },
    headers: { value: headers },
  }) as IncomingMessage;
}
