import type { IncomingMessage } from 'node:http';
import type { Answer } from '@/media-worker/kit/http/answer';
import { overloadedAnswer, reportsOf } from '@/media-worker/delivery/origin/audience/viewer-reports';
import { answerWith, cachePolicyOf } from './cached-answer';
import { limitedBody, pickHeaders } from './proxy-request';
import type { Upstream } from './upstream';

const maxBodies = 256;

/** Forwards player reports to the upstream, which sums them up, because an edge has no database. */
export class PlayerReports {
  readonly #upstream: Pick<Upstream, 'open'>;
  #bodies = 0;

  constructor(upstream: Pick<Upstream, 'open'>) {
    this.#upstream = upstream;
  }

  /** @param ofViewer headers that identify the viewer to the upstream */
  async forward(request: IncomingMessage, ofViewer: Readonly<Record<string, string>>): Promise<Answer> {
    if (this.#bodies >= maxBodies) return overloadedAnswer;
    this.#bodies += 1;
    try {
      return await this.#forward(request, ofViewer);
    } finally {
      this.#bodies -= 1;
    }
  }

  async #forward(request: IncomingMessage, ofViewer: Readonly<Record<string, string>>): Promise<Answer> {
    const { url = '', headers } = request;
    const body = await reportsOf(request);
    if (!Buffer.isBuffer(body)) return body;
    const response = await this.#upstream.open(url, {
      method: 'POST',
      headers: { ...ofViewer, ...pickHeaders(headers, ['content-type', 'user-agent']) },
      body,
    });
    const { status } = response;
    const policy = cachePolicyOf(url, status, response.headers);
    return answerWith({ status, headers: response.headers, body: await limitedBody(response), policy }, {});
  }
}
