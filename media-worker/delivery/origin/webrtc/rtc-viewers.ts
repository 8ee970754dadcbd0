import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import type { Clock } from '@/lib/infra/clock';
import type { Logger } from '@/lib/infra/logger';
import type { ViewerAccess } from '@/media-worker/delivery/origin/access/viewer-access';
import type { QuotaGate } from '@/media-worker/delivery/origin/access/quota-gate';
import type { NodeFinder } from '@/media-worker/delivery/origin/live/find-node';
import type { RecordViewer, WatchConnection } from '@/media-worker/delivery/origin/live/watch-connections';
import { type Answer, type Delivery, errorAnswer } from '@/media-worker/kit/http/answer';
import { withTrailingSlash } from '@/media-worker/kit/http/trailing-slash';
import { MAX_PROGRESS_IDS, type RtcRequest } from '@/media-worker/rtc/rtc-request';

export interface RtcViewersOptions {
  readonly access: ViewerAccess;
  readonly quotas: Pick<QuotaGate, 'findRejection'>;
  readonly nodes: Pick<NodeFinder, 'find'>;
  readonly watch: WatchConnection;
  readonly onDelivery: (delivery: Delivery, bytes: number) => void;
  /** Sends a request to the rtc process of this machine. Rejects if the process does not respond. */
  readonly ask: (request: RtcRequest) => Promise<Answer>;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly log: Pick<Logger, 'debug'>;
}

/** A viewer who has access. */
export interface AdmittedViewer {
  /** URL of the live process that has the stream. */
  readonly liveUrl: string;
  /**
   * Called when the viewer has a connection.
   * @param id id of the connection
   */
  readonly onOpen: (id: string) => void;
}

interface ViewerSession {
  readonly playbackId: string;
  /** The path token with which the viewer was admitted; null if the content is public. */
  readonly pathToken: string | null;
  readonly recordViewer: RecordViewer;
  reportedAt: number;
}

const MAX_VIEWERS = 20_000;
const folder = '/webrtc';
/** Ends the access check of an admitted viewer; it is not sent. */
const noContentAnswer: Answer = { status: 204 };
const notLiveAnswer = errorAnswer(404, 'The stream is not live.');
const unavailableAnswer = errorAnswer(503, 'The stream is temporarily unavailable. Try again.', {
  'Retry-After': 1,
});
const tooManyViewersAnswer = errorAnswer(503, 'Too many viewers over WebRTC. Try again later.', {
  'Retry-After': 10,
});

const progressSchema = z.array(z.object({ id: z.string(), bytes: z.number(), isOver: z.boolean() }));

/**
 * Viewers over WebRTC that this origin has admitted. As for HLS, the origin decides about access, counts viewers and
 * delivered bytes, and disconnects viewers who lose access. The caller runs `refresh` every few seconds.
 */
export class RtcViewers {
  readonly #options: RtcViewersOptions;
  readonly #viewerSessions = new Map<string, ViewerSession>();

  constructor(options: RtcViewersOptions) {
    this.#options = options;
  }

  /** Admits the viewer of a request for `/webrtc/<playback id>`, or returns the rejection. */
  async admit(request: IncomingMessage, playbackId: string): Promise<AdmittedViewer | Answer> {
    const { quotas, access, nodes, watch } = this.#options;
    if (this.#viewerSessions.size >= MAX_VIEWERS) return tooManyViewersAnswer;
    const quotaRejection = await quotas.findRejection(`${folder}/${playbackId}`);
    if (quotaRejection) return quotaRejection;
    let pass: string | null | undefined;
    const answer = await access.guard(
      withTrailingSlash(request),
      folder,
      (_url, _headers, _object, viewerPass) => {
        pass = viewerPass;
        return Promise.resolve(noContentAnswer);
      },
      () => Promise.resolve(notLiveAnswer),
    );
    if (pass === undefined) return answer;
    const viewer = { playbackId, pathToken: pass, recordViewer: watch(request, playbackId) };
    const liveUrl = await nodes.find(playbackId).catch(() => undefined);
    if (!liveUrl) return liveUrl === undefined ? unavailableAnswer : notLiveAnswer;
    const reportedAt = this.#options.clock.monotonic();
    return { liveUrl, onOpen: (id) => void this.#viewerSessions.set(id, { ...viewer, reportedAt }) };
  }

  /**
   * Counts viewers and delivered bytes, and disconnects viewers who have lost access. Rejects if the rtc process does
   * not respond.
   */
  async refresh(): Promise<void> {
    const ids = [...this.#viewerSessions.keys()];
    for (let start = 0; start < ids.length; start += MAX_PROGRESS_IDS)
      await this.#refreshBatch(ids.slice(start, start + MAX_PROGRESS_IDS));
  }

  async #refreshBatch(ids: readonly string[]): Promise<void> {
    const { body = [] } = await this.#options.ask({ kind: 'progress', ids: [...ids] });
    const progress = progressSchema.parse(JSON.parse(Buffer.concat(body).toString('utf8')));
    const connectedIds = new Set<string>();
    for (const { id, bytes, isOver } of progress) {
      const viewerSession = this.#viewerSessions.get(id);
      if (!viewerSession) continue;
      this.#count(viewerSession, bytes);
      if (!isOver) connectedIds.add(id);
    }
    for (const id of ids) if (!connectedIds.has(id)) this.#viewerSessions.delete(id);
    await Promise.all([...connectedIds].map((id) => this.#closeIfRejected(id)));
  }

  #count(viewerSession: ViewerSession, bytes: number): void {
    const { clock, onDelivery } = this.#options;
    const now = clock.monotonic();
    const seconds = (now - viewerSession.reportedAt) / 1_000;
    viewerSession.reportedAt = now;
    if (bytes <= 0) return;
    viewerSession.recordViewer();
    onDelivery({ kind: 'stream', id: viewerSession.playbackId, secondsPerByte: seconds / bytes }, bytes);
  }

  async #closeIfRejected(id: string): Promise<void> {
    const viewerSession = this.#viewerSessions.get(id);
    if (!viewerSession) return;
    const { access, quotas, ask, log } = this.#options;
    const { playbackId, pathToken } = viewerSession;
    const isRejected =
      !(await access.mayContinue(playbackId, pathToken)) ||
      (await quotas.findRejection(`${folder}/${playbackId}`)) !== null;
    if (!isRejected) return;
    log.debug({ playbackId }, 'WebRTC viewer disconnected: access ended');
    await ask({ kind: 'close', id });
  }
}
