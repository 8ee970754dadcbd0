import type { IncomingMessage } from 'node:http';
import {
  edgeReportPath,
  isHash,
  MAX_REPORTED_VIEWERS,
  type ReportedViewer,
} from '@/media-worker/kit/http/edge-report';
import { type Clock, systemClock } from '@/lib/infra/clock';
import { ViewsPerAddress } from '@/media-worker/kit/http/views-per-address';
import { type ViewerHash, createViewerHash } from '@/media-worker/kit/http/viewer-hash';
import type { WatchingViewer } from './edge-request';
import type { Upstream } from './upstream';

interface ViewerLogOptions {
  readonly upstream: Pick<Upstream, 'post'>;
  /** `Via` header of requests to the upstream. */
  readonly via: string;
  readonly addressOf: (request: IncomingMessage) => string;
  readonly clock?: Pick<Clock, 'monotonic'>;
  /** Maximum number of viewers per interval; more are not counted. */
  readonly maxViewers?: number;
}

const DEFAULT_MAX_VIEWERS = 50_000;

/**
 * Collects viewers of playlists and started assets, and reports them to the upstream every few seconds, in one request
 * instead of one per playlist. Tokens are forwarded unchanged. A viewer without a token is identified by a hash of address
 * and user agent with a salt of this process.
 */
export class ViewerLog {
  readonly #options: Required<Omit<ViewerLogOptions, 'clock'>>;
  readonly #hashOf: ViewerHash;
  readonly #perAddress: ViewsPerAddress;
  #viewers = new Map<string, ReportedViewer>();

  constructor({ maxViewers = DEFAULT_MAX_VIEWERS, clock = systemClock, ...options }: ViewerLogOptions) {
    this.#options = { ...options, maxViewers };
    this.#hashOf = createViewerHash(options.addressOf);
    this.#perAddress = new ViewsPerAddress({ clock, addressOf: options.addressOf });
  }

  /** Records that the sender of this request got a media playlist or started an asset. */
  record(request: IncomingMessage, { playbackId, token, isAsset }: WatchingViewer): void {
    const viewer = isAsset ? this.#hashOf(request) : (token ?? this.#hashOf(request));
    if (!this.#perAddress.counts(request, playbackId, viewer)) return;
    this.#add(isAsset ? [playbackId, viewer, 'asset'] : [playbackId, viewer]);
  }

  /**
   * Adds viewers that another edge reported.
   * @param isTrusted whether the viewers of that edge without a token count
   */
  receive(viewers: readonly ReportedViewer[], isTrusted: boolean): void {
    for (const viewer of viewers) if (isTrusted || !isHash(viewer[1])) this.#add(viewer);
  }

  /**
   * Reports to the upstream. Rejects on failure: starts of assets are reported again. Viewers of streams are collected again if
   * they keep watching.
   */
  async report(): Promise<void> {
    const viewers = [...this.#viewers.values()];
    this.#viewers = new Map();
    let sentCount = 0;
    try {
      while (sentCount < viewers.length) {
        const body = JSON.stringify(viewers.slice(sentCount, sentCount + MAX_REPORTED_VIEWERS));
        const status = await this.#options.upstream.post(edgeReportPath, body, { Via: this.#options.via });
        // A report that the upstream cannot read would block all later ones.
        if (status < 300 || status === 400) sentCount += MAX_REPORTED_VIEWERS;
        if (status >= 300) throw new Error(`the upstream answered a report of viewers with ${status}`);
      }
    } finally {
      for (const viewer of viewers.slice(sentCount)) if (viewer[2] === 'asset') this.#add(viewer);
    }
  }

  #add(viewer: ReportedViewer): void {
    if (this.#viewers.size < this.#options.maxViewers) this.#viewers.set(viewer.join(' '), viewer);
  }
}
