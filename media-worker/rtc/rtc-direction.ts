import type { Answer } from '@/media-worker/kit/http/answer';
import type { Peer, PeerEnd, PeerTrack } from './peer';
import type { OpenRequest } from './rtc-request';
import type { SessionDescription } from './sdp';

/** What a connection is for: WHIP takes media in, WHEP gives it out. */
export interface RtcDirection<R extends OpenRequest> {
  /**
   * Decides about an offer before there is a connection.
   * @param close ends the connection from this side
   * @returns what becomes of it, or the refusal
   */
  accept(
    request: R,
    offer: SessionDescription,
    connection: OpenedConnection,
  ): Promise<AcceptedOffer | Answer>;
}

export interface OpenedConnection {
  readonly id: string;
  /** In requests about it: who knows it may end it, so it is not for the log. */
  readonly session: string;
  /** Ends it from this side. May be called twice, also before it is connected. */
  readonly close: () => void;
}

/** One accepted offer, until its connection ends. */
export interface AcceptedOffer {
  /** The offer with what this side answers: the library accepts all that is offered. */
  readonly offer: SessionDescription;
  /** Called before the answer: adds the tracks that this side sends. */
  prepare?(peer: Peer): void;
  /** A media section that the peer sends. */
  onTrack?(track: PeerTrack): void;
  /** ICE and DTLS are done. */
  onConnected?(peer: Peer): void;
  /** The client was refused an ICE restart. */
  onRestart?(): void;
  /** The answer as the client gets it. */
  finish?(answer: SessionDescription): SessionDescription;
  /** Called once, also when there never was an answer. */
  onEnd(reason: PeerEnd): void;
}

export const isAccepted = (result: AcceptedOffer | Answer): result is AcceptedOffer => 'offer' in result;
