import type { IncomingMessage } from 'node:http';
import type { Answer } from '@/media-worker/kit/http/answer';
import { pathOf } from '@/media-worker/kit/http/request-url';
import { edgeWaitedHeader, hasEdgeWaited } from '@/media-worker/kit/http/edge-waited';
import {
  overloadedAnswer,
  readReportBody,
  reportsPath,
} from '@/media-worker/delivery/origin/audience/viewer-reports';
import { answerWith, cachePolicyOf } from './cached-answer';
import type { OriginWaits } from './origin-waits';
import { readLimitedBody, pickHeaders } from './proxy-request';
import type { Upstream } from './upstream';

const MAX_CONCURRENT_REPORTS = 256;

/** Forwards player reports to the upstream, which sums them up, because an edge has no database. */
export class PlayerReports {
  readonly #upstream: Pick<Upstream, 'open'>;
  readonly #waits: Pick<OriginWaits, 'hasWaited'>;
  #pendingReports = 0;

  constructor(upstream: Pick<Upstream, 'open'>, waits: Pick<OriginWaits, 'hasWaited'>) {
    this.#upstream = upstream;
    this.#waits = waits;
  }

  /**
   * Forwards a report. Rejects with UpstreamError if the upstream does not respond.
   * @param identityHeaders headers that identify the viewer to the upstream
   */
  async forward(
    request: IncomingMessage,
    identityHeaders: Readonly<Record<string, string>>,
  ): Promise<Answer> {
    if (this.#pendingReports >= MAX_CONCURRENT_REPORTS) return overloadedAnswer;
    this.#pendingReports += 1;
    try {
      return await this.#forward(request, identityHeaders);
    } finally {
      this.#pendingReports -= 1;
    }
  }

  async #forward(
    request: IncomingMessage,
    identityHeaders: Readonly<Record<string, string>>,
  ): Promise<Answer> {
    const { url = '', headers } = request;
    const body = await readReportBody(request);
    if (!Buffer.isBuffer(body)) return body;
    const [playbackId = ''] = pathOf(url).slice(reportsPath.length).split('/');
    // An edge between this one and the viewer may have waited.
    const edgeWaited = this.#waits.hasWaited(playbackId) || hasEdgeWaited(headers);
    const response = await this.#upstream.open(url, {
      method: 'POST',
      headers: {
        ...identityHeaders,
        ...pickHeaders(headers, ['content-type', 'user-agent']),
        ...(edgeWaited ? edgeWaitedHeader : {}),
      },
      body,
    });
    const { status } = response;
    const policy = cachePolicyOf(url, status, response.headers);
    return answerWith(
      { status, headers: response.headers, body: await readLimitedBody(response), policy },
      {},
    );
  }
}
