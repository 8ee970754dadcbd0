import { createHash, randomBytes } from 'node:crypto';
import type { Logger } from '@/lib/infra/logger';
import type { OperatorSettings } from '@/lib/infra/env';
import { newId } from '@/lib/infra/ids';
import { clientNetwork } from '@/lib/infra/egress/ip-address';
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
  readRtcRequest,
  replyOf,
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

/** A path of a session on the public HTTP. */
export const sessionPath = (id: string): string => `/webrtc/session/${id}`;

const badOffer = errorAnswer(400, 'The body is not an SDP offer with audio or video.');
const noSession = errorAnswer(404, 'No such WebRTC session.');
const nothing = errorAnswer(404, 'No stream at this URL.');
const broken = errorAnswer(422, 'This offer cannot be answered.');
const full = errorAnswer(503, 'Too many WebRTC connections from this address. Try again later.', {
  'Retry-After': 10,
});

/** What connections are for; one that is absent is not offered. */
export interface RtcDirections {
  readonly publish?: RtcDirection<PublishOffer>;
  readonly watch?: RtcDirection<WatchOffer>;
}

export interface SignallingOptions {
  readonly settings: Pick<OperatorSettings, 'host' | 'rtcPublicAddresses'> & { readonly rtcPort: number };
  readonly log: Logger;
  readonly directions: RtcDirections;
  /** Of viewers. Absent: there are none. */
  readonly progress?: (ids: readonly string[]) => readonly ViewerProgress[];
  readonly limits?: Partial<RtcLimits>;
}

interface Session {
  readonly peer: Peer;
  readonly accepted: AcceptedOffer;
  readonly etag: string;
  /** Of the client's ICE. */
  readonly ufrag: string | null;
}

/** Offers, candidates and ends of all connections: WHIP (RFC 9725) and WHEP, whose requests the origin forwards. */
export class Signalling {
  readonly #options: SignallingOptions;
  readonly #limits: RtcLimits;
  readonly #slots: ConnectionLimits;
  readonly #sessions = new Map<string, Session>();

  constructor(options: SignallingOptions) {
    this.#options = options;
    this.#limits = { ...defaultRtcLimits, ...options.limits };
    this.#slots = new ConnectionLimits(this.#limits);
  }

  /** Connections, those that are being made included. */
  get count(): number {
    return this.#slots.total;
  }

  get writes(): InternalWrites {
    return {
      [rtcRequestPath]: async (body) => {
        const request = readRtcRequest(body);
        if (!request) return errorAnswer(400, 'Not a WebRTC request of this version.');
        return replyOf(await this.answer(request));
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
        return this.#trickle(request);
      case 'close':
        return this.#close(request.id);
      case 'progress':
        return jsonAnswer(200, this.#options.progress?.(request.ids) ?? []);
    }
  }

  /** Ends every connection. May be called twice. */
  close(): void {
    for (const { peer } of this.#sessions.values()) peer.close();
  }

  async #open<R extends OpenRequest>(request: R, direction: RtcDirection<R> | undefined): Promise<Answer> {
    if (!direction) return nothing;
    const offer = parseSdp(request.offer);
    if (!offer?.media.some(({ kind }) => kind !== 'application')) return badOffer;
    const opening = new Opening();
    const slot = this.#slots.enter(clientNetwork(request.ip), () => opening.close());
    if ('full' in slot) return full;
    opening.onClosed(() => slot.leave());
    const accepted = await direction
      .accept(request, offer, { id: opening.name, session: opening.id, close: () => opening.close() })
      .catch((error: unknown) => {
        opening.close();
        throw error;
      });
    if (!isAccepted(accepted)) {
      opening.close();
      return accepted;
    }
    return this.#connect(opening, accepted, { keep: () => slot.keep(), offer });
  }

  async #connect(
    opening: Opening,
    accepted: AcceptedOffer,
    { keep, offer }: { readonly keep: () => void; readonly offer: SessionDescription },
  ): Promise<Answer> {
    const { id, name } = opening;
    const { settings, log } = this.#options;
    const { rtcPort: port, host, rtcPublicAddresses } = settings;
    const peer = new Peer(
      { id: name, port, host, log, connectMs: this.#limits.connectMs },
      {
        onTrack: (track) => accepted.onTrack?.(track),
        onConnected: () => {
          keep();
          accepted.onConnected?.(peer);
        },
        onEnd: (reason) => {
          this.#sessions.delete(id);
          opening.close();
          accepted.onEnd(reason);
        },
      },
    );
    // It may have been closed while it was decided about.
    opening.onClosed(() => peer.close());
    try {
      accepted.prepare?.(peer);
      const answered = parseSdp(await peer.answer(writeSdp(accepted.offer)));
      if (!answered || opening.isClosed) throw new Error('no answer');
      const answer = withHostCandidates(accepted.finish?.(answered) ?? answered, rtcPublicAddresses, port);
      const etag = etagOf(answer);
      this.#sessions.set(id, { peer, accepted, etag, ufrag: ufragOf(offer) });
      const headers = {
        'Content-Type': 'application/sdp',
        Location: sessionPath(id),
        ETag: etag,
        'Cache-Control': 'no-store',
      };
      return { status: 201, headers, body: [Buffer.from(writeSdp(answer))] };
    } catch (error) {
      log.info({ err: error, connection: name }, 'WebRTC offer not answered');
      peer.close();
      return broken;
    }
  }

  /**
   * Candidates that follow an offer are read and not used, as those in it: the peer's own checks say where it is. The
   * library cannot restart ICE (ADR 103), which the client learns by the status that RFC 9725 §4.3 names.
   */
  #trickle({ id, ifMatch, fragment: text }: RtcRequest & { kind: 'trickle' }): Answer {
    const session = this.#sessions.get(id);
    if (!session) return noSession;
    if (ifMatch === null) return errorAnswer(428, 'If-Match: required, with the ETag of the session.');
    const fragment = parseFragment(text);
    if (!fragment) return errorAnswer(400, 'The body is not an SDP fragment with ICE candidates.');
    const restarts = fragment.ufrag !== null && session.ufrag !== null && fragment.ufrag !== session.ufrag;
    if (restarts) {
      session.accepted.onRestart?.();
      return errorAnswer(422, 'ICE restarts are not supported. Start a new session with POST.');
    }
    if (ifMatch !== '*' && ifMatch !== session.etag)
      return errorAnswer(412, 'If-Match: this ICE session is over.');
    return { status: 204, headers: { ETag: session.etag } };
  }

  #close(id: string): Answer {
    const session = this.#sessions.get(id);
    if (!session) return noSession;
    session.peer.close();
    return { status: 200 };
  }
}

/** A connection from its offer to its end. Anyone who knows the id may end it, so the id is random. */
class Opening {
  /** In the log: not the one that ends it. */
  readonly name = newId();
  readonly id = randomBytes(24).toString('base64url');
  readonly #closed: (() => void)[] = [];
  #isClosed = false;

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** At once, when it is closed already. */
  onClosed(action: () => void): void {
    if (this.#isClosed) action();
    else this.#closed.push(action);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const action of this.#closed) action();
  }
}

/** Names one ICE session (RFC 9725 §4.3.1). */
function etagOf(answer: SessionDescription): string {
  const hash = createHash('sha256')
    .update(ufragOf(answer) ?? '')
    .digest('hex');
  return `"${hash.slice(0, 16)}"`;
}

function ufragOf({ session, media }: SessionDescription): string | null {
  return attributeOf([...session, ...media.flatMap(({ lines }) => lines)], 'ice-ufrag');
}
