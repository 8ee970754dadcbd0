import { createHash, randomBytes } from 'node:crypto';
import type { Logger } from '@/lib/infra/logger';
import type { OperatorSettings } from '@/lib/infra/env';
import { newId } from '@/lib/infra/ids';
import { networkOfIp } from '@/lib/infra/egress/ip-address';
import { errorAnswer, jsonAnswer, type Answer } from '@/media-worker/kit/http/answer';
import type { InternalWrites } from '@/media-worker/kit/http/internal-writes';
import { ConnectionLimits } from '@/media-worker/ingest/publisher/connection-limits';
import { Peer } from './peer';
import { type AcceptedOffer, isAccepted, type RtcDirection } from './rtc-direction';
import { defaultRtcLimits, type RtcLimits } from './rtc-limits';
import {
  type OpenRequest,
  type PublishOffer,
  type RtcRequest,
  parseRtcRequest,
  wrapReply,
  rtcRequestPath,
  type WatchOffer,
} from './rtc-request';
import type { ViewerProgress } from './viewers/viewer-sessions';
import {
  attributeOf,
  parseFragment,
  parseSdp,
  type SessionDescription,
  withHostCandidates,
  writeSdp,
} from './sdp';

/** Path of a WHIP or WHEP session at the public HTTP server. */
export const sessionPath = (id: string): string => `/webrtc/session/${id}`;

const invalidOffer = errorAnswer(400, 'The body is not an SDP offer with audio or video.');
const sessionNotFound = errorAnswer(404, 'No such WebRTC session.');
const streamNotFound = errorAnswer(404, 'No stream at this URL.');
const offerNotAnswered = errorAnswer(422, 'This offer cannot be answered.');
const tooManyMessage = 'Too many WebRTC connections from this address. Try again later.';
const tooManyConnections = errorAnswer(503, tooManyMessage, { 'Retry-After': 10 });

/** Handlers of the two directions. Requests for a direction without a handler get status 404. */
export interface RtcDirections {
  readonly publish?: RtcDirection<PublishOffer>;
  readonly watch?: RtcDirection<WatchOffer>;
}

export interface SignallingOptions {
  readonly settings: Pick<OperatorSettings, 'host' | 'rtcPublicAddresses'> & { readonly rtcPort: number };
  readonly log: Logger;
  readonly directions: RtcDirections;
  /** Returns the progress of viewers. Absent if the process serves no viewers. */
  readonly takeProgress?: (ids: readonly string[]) => readonly ViewerProgress[];
  readonly limits?: Partial<RtcLimits>;
}

interface Session {
  readonly peer: Peer;
  readonly acceptedOffer: AcceptedOffer;
  readonly etag: string;
  /** ICE username fragment of the client; another one in a later request means an ICE restart. */
  readonly ufrag: string | null;
}

/** Handles the requests that the origin forwards for WHIP (RFC 9725) and WHEP: offers, candidates and deletions. */
export class Signalling {
  readonly #options: SignallingOptions;
  readonly #limits: RtcLimits;
  readonly #slots: ConnectionLimits;
  /** Connections whose offer was answered, by their secret session id. */
  readonly #sessions = new Map<string, Session>();

  constructor(options: SignallingOptions) {
    this.#options = options;
    this.#limits = { ...defaultRtcLimits, ...options.limits };
    this.#slots = new ConnectionLimits(this.#limits);
  }

  /** Number of connections, including those whose offer is not answered yet. */
  get count(): number {
    return this.#slots.total;
  }

  /** Handler of the requests of the origin, by its path. */
  get writes(): InternalWrites {
    return {
      [rtcRequestPath]: async (body) => {
        const request = parseRtcRequest(body);
        if (!request) return errorAnswer(400, 'Not a WebRTC request of this version.');
        return wrapReply(await this.answer(request));
      },
    };
  }

  async answer(request: RtcRequest): Promise<Answer> {
    switch (request.kind) {
      case 'publish':
        return this.#open(request, this.#options.directions.publish);
      case 'watch':
        return this.#open(request, this.#options.directions.watch);
      case 'trickle':
        return this.#handleTrickle(request);
      case 'close':
        return this.#closeSession(request.id);
      case 'progress':
        return jsonAnswer(200, this.#options.takeProgress?.(request.ids) ?? []);
    }
  }

  /** Ends every connection. May be called twice. */
  close(): void {
    for (const { peer } of this.#sessions.values()) peer.close();
  }

  async #open<R extends OpenRequest>(request: R, direction: RtcDirection<R> | undefined): Promise<Answer> {
    if (!direction) return streamNotFound;
    const offer = parseSdp(request.offer);
    if (!offer?.media.some(({ kind }) => kind !== 'application')) return invalidOffer;
    const connection = new SignalledConnection();
    const slot = this.#slots.takeSlot(networkOfIp(request.ip), () => connection.close());
    if ('fullLimit' in slot) return tooManyConnections;
    connection.onClosed(() => slot.release());
    const { publicId: id, sessionId } = connection;
    const opened = { id, sessionId, close: () => connection.close() };
    const decision = await direction.accept(request, offer, opened).catch((error: unknown) => {
      connection.close();
      throw error;
    });
    if (!isAccepted(decision)) {
      connection.close();
      return decision;
    }
    return this.#connect(connection, decision, { keepSlot: () => slot.keep(), offer });
  }

  async #connect(
    connection: SignalledConnection,
    acceptedOffer: AcceptedOffer,
    { keepSlot, offer }: { readonly keepSlot: () => void; readonly offer: SessionDescription },
  ): Promise<Answer> {
    const { sessionId, publicId } = connection;
    const { settings, log } = this.#options;
    const { rtcPort: port, host, rtcPublicAddresses } = settings;
    const peer = new Peer(
      { id: publicId, port, host, log, connectTimeoutMs: this.#limits.connectTimeoutMs },
      {
        onTrack: (track) => acceptedOffer.onTrack?.(track),
        onConnected: () => {
          keepSlot();
          acceptedOffer.onConnected?.(peer);
        },
        onEnd: (reason) => {
          this.#sessions.delete(sessionId);
          connection.close();
          acceptedOffer.onEnd(reason);
        },
      },
    );
    // The connection may have been closed while its admission was pending.
    connection.onClosed(() => peer.close());
    try {
      acceptedOffer.prepare?.(peer);
      const libraryAnswer = parseSdp(await peer.answer(writeSdp(acceptedOffer.offer)));
      if (!libraryAnswer || connection.isClosed) throw new Error('no answer');
      const answer = withHostCandidates(
        acceptedOffer.finish?.(libraryAnswer) ?? libraryAnswer,
        rtcPublicAddresses,
        port,
      );
      const etag = etagOf(answer);
      this.#sessions.set(sessionId, { peer, acceptedOffer, etag, ufrag: ufragOf(offer) });
      const headers = {
        'Content-Type': 'application/sdp',
        Location: sessionPath(sessionId),
        ETag: etag,
        'Cache-Control': 'no-store',
      };
      return { status: 201, headers, body: [Buffer.from(writeSdp(answer))] };
    } catch (error) {
      log.info({ err: error, connection: publicId }, 'WebRTC offer not answered');
      peer.close();
      return offerNotAnswered;
    }
  }

  /**
   * Handles candidates that a client sends after its offer. They are validated and then ignored, because the connectivity checks
   * show the address of the client. ICE restarts are rejected with status 422 (RFC 9725 §4.3), because the library has none.
   */
  #handleTrickle({ id, ifMatch, fragment: fragmentText }: RtcRequest & { kind: 'trickle' }): Answer {
    const session = this.#sessions.get(id);
    if (!session) return sessionNotFound;
    if (ifMatch === null)
      return errorAnswer(428, { field: 'If-Match', message: 'required, with the ETag of the session.' });
    const fragment = parseFragment(fragmentText);
    if (!fragment) return errorAnswer(400, 'The body is not an SDP fragment with ICE candidates.');
    const isRestart = fragment.ufrag !== null && session.ufrag !== null && fragment.ufrag !== session.ufrag;
    if (isRestart) {
      session.acceptedOffer.onIceRestartRejected?.();
      return errorAnswer(422, 'ICE restarts are not supported. Start a new session with POST.');
    }
    if (ifMatch !== '*' && ifMatch !== session.etag)
      return errorAnswer(412, { field: 'If-Match', message: 'does not match the current ICE session.' });
    return { status: 204, headers: { ETag: session.etag } };
  }

  #closeSession(id: string): Answer {
    const session = this.#sessions.get(id);
    if (!session) return sessionNotFound;
    session.peer.close('finished');
    return { status: 200 };
  }
}

/** A connection from its offer to its end. */
class SignalledConnection {
  /** Id in the log, which cannot be used to end the connection. */
  readonly publicId = newId();
  /** Secret id in requests: anyone who knows it can end the connection. */
  readonly sessionId = randomBytes(24).toString('base64url');
  readonly #closeActions: (() => void)[] = [];
  #isClosed = false;

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Runs an action when the connection is closed; immediately if it already is. */
  onClosed(action: () => void): void {
    if (this.#isClosed) action();
    else this.#closeActions.push(action);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const action of this.#closeActions) action();
  }
}

/** Entity tag that identifies one ICE session (RFC 9725 §4.3.1): a hash of the ICE username fragment in the answer. */
function etagOf(answer: SessionDescription): string {
  const hash = createHash('sha256')
    .update(ufragOf(answer) ?? '')
    .digest('hex');
  return `"${hash.slice(0, 16)}"`;
}

function ufragOf({ session, media }: SessionDescription): string | null {
  return attributeOf([...session, ...media.flatMap(({ lines }) => lines)], 'ice-ufrag');
}
