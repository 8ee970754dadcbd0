import type { IncomingMessage } from 'node:http';
import {
  edgeReportPath,
  isHash,
  maxInReport,
  type ReportedViewer,
} from '@/media-worker/kit/http/edge-report';
import { type Clock, systemClock } from '@/lib/infra/clock';
import { ViewsPerAddress } from '@/media-worker/kit/http/views-per-address';
import { type ViewerHash, hashViewers } from '@/media-worker/kit/http/viewer-hash';
import type { WatchingViewer } from './edge-request';
import type { Upstream } from './upstream';

interface SeenViewersOptions {
  readonly upstream: Pick<Upstream, 'post'>;
  /** Of requests to the upstream. */
  readonly via: string;
  readonly addressOf: (request: IncomingMessage) => string;
  readonly clock?: Pick<Clock, 'monotonic'>;
  readonly max?: number;
}

/** More in one interval are not counted. */
const defaultMax = 50_000;

/**
 * Notes who got a playlist or started an asset, and tells the upstream every few seconds: one request instead of one for
 * each playlist. The tokens of a playlist's URL go on as they are; who has none is a hash of address and user agent with a
 * salt that only this process knows.
 */
export class ViewerLog {
  readonly #options: Required<Omit<SeenViewersOptions, 'clock'>>;
  readonly #hashOf: ViewerHash;
  readonly #perAddress: ViewsPerAddress;
  #viewers = new Map<string, ReportedViewer>();

  constructor({ max = defaultMax, clock = systemClock, ...options }: SeenViewersOptions) {
    this.#options = { ...options, max };
    this.#hashOf = hashViewers(options.addressOf);
    this.#perAddress = new ViewsPerAddress({ clock, addressOf: options.addressOf });
  }

  /** A media playlist, or the start of an asset, went to who sent this request. */
  saw(request: IncomingMessage, { playbackId, token, isAsset }: WatchingViewer): void {
    const viewer = isAsset ? this.#hashOf(request) : (token ?? this.#hashOf(request));
    if (!this.#perAddress.counts(request, playbackId, viewer)) return;
    this.#note(isAsset ? [playbackId, viewer, 'asset'] : [playbackId, viewer]);
  }

  /** What another edge saw. @param trusted whether its viewers without a token are believed */
  receive(viewers: readonly ReportedViewer[], trusted: boolean): void {
    for (const each of viewers) if (trusted || !isHash(each[1])) this.#note(each);
  }

  /** Tells the upstream. Rejects when it did not take that in; viewers who stay are noted again. */
  async report(): Promise<void> {
    const viewers = [...this.#viewers.values()];
    this.#viewers = new Map();
    for (let from = 0; from < viewers.length; from += maxInReport) {
      const body = JSON.stringify(viewers.slice(from, from + maxInReport));
      const status = await this.#options.upstream.post(edgeReportPath, body, { Via: this.#options.via });
      if (status >= 300) throw new Error(`the upstream answered a report of viewers with ${status}`);
    }
  }

  #note(viewer: ReportedViewer): void {
    if (this.#viewers.size < this.#options.max) this.#viewers.set(viewer.join(' '), viewer);
  }
}
