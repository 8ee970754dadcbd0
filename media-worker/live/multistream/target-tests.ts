import type { SystemContext } from '@/lib/domain/context';
import { parseTargetUrl } from '@/lib/core/targets/target-url';
import type { EgressSockets } from '@/lib/infra/egress/egress-socket';
import { openTargetTestRequest } from '@/lib/domain/nodes';
import { errorAnswer, jsonAnswer, type Answer } from '@/media-worker/kit/http/answer';
import { isOwnIngest } from './own-ingest';
import { tryTarget, type TrialLimits } from './try-target';
import type { AskWhip } from './whip-requests';

interface TargetTestsOptions {
  readonly ctx: Pick<SystemContext, 'db' | 'secrets' | 'settings'>;
  readonly sockets: EgressSockets;
  readonly askWhip: AskWhip;
  /** Limits for automated tests. Default: those of `tryTarget`. */
  readonly limits?: TrialLimits;
}

/** Maximum number of concurrent tests in this process: each runs an ffmpeg for a second beside the live streams. */
const MAX_RUNNING = 4;

/** Tests targets on behalf of the API. A team can run one test at a time. */
export class TargetTests {
  readonly #options: TargetTestsOptions;
  readonly #running = new Set<string>();

  constructor(options: TargetTestsOptions) {
    this.#options = options;
  }

  async answer(body: string): Promise<Answer> {
    const { ctx, sockets, askWhip, limits } = this.#options;
    const testRequest = openTargetTestRequest(ctx.secrets, body);
    if (!testRequest) return errorAnswer(403, 'Not a request of this service.');
    if (this.#running.has(testRequest.teamId)) return errorAnswer(409, 'A test of this team is running.');
    if (this.#running.size >= MAX_RUNNING) return errorAnswer(503, 'Too many tests at the moment.');
    this.#running.add(testRequest.teamId);
    try {
      const destination = parseTargetUrl(testRequest.url);
      if (typeof destination === 'string') {
        return jsonAnswer(200, { outcome: 'url_invalid', detail: destination });
      }
      if (destination.kind === 'whip') {
        const { url, token } = destination;
        const { finding } = await askWhip({ kind: 'test', url, token });
        return jsonAnswer(200, finding);
      }
      const isOwn = (destination: { address: string; port: number }) => isOwnIngest(destination, ctx);
      return jsonAnswer(200, await tryTarget({ destination, sockets, isOwn, ...(limits ? { limits } : {}) }));
    } finally {
      this.#running.delete(testRequest.teamId);
    }
  }
}
