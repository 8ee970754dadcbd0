import type { Answer } from '@/media-worker/kit/http/answer';
import type { Peer, PeerEnd, PeerTrack } from './peer';
import type { OpenRequest } from './rtc-request';
import type { SessionDescription } from './sdp';

/** The handler of offers for one direction of media: WHIP receives media, WHEP sends media. */
export interface RtcDirection<R extends OpenRequest> {
  /**
   * Accepts or rejects an offer, before its connection exists.
   * @returns the accepted offer, or the HTTP response of the rejection
   */
  accept(
    request: R,
    offer: SessionDescription,
    connection: OpenedConnection,
  ): Promise<AcceptedOffer | Answer>;
}

/** A connection whose offer has arrived. */
export interface OpenedConnection {
  /** Public id of the connection, for the log. */
  readonly id: string;
  /** Secret id of the session in requests. Anyone who knows the id can end the connection, so it is never logged. */
  readonly sessionId: string;
  /** Ends the connection from this side. May be called twice, and before it is connected. */
  readonly close: () => void;
}

/** An accepted offer, which handles its connection until the connection ends. */
export interface AcceptedOffer {
  /** The offer reduced to the tracks that this side accepts, because the library accepts everything that is offered. */
  readonly offer: SessionDescription;
  /** Adds the tracks that this side sends. Called before the answer. */
  prepare?(peer: Peer): void;
  /** Called for each media section in which the peer sends. */
  onTrack?(track: PeerTrack): void;
  /** Called when ICE and DTLS are complete. */
  onConnected?(peer: Peer): void;
  /** Called when an ICE restart of the client was rejected: the client is expected to connect again. */
  onIceRestartRejected?(): void;
  /** Completes the library's answer for the client. */
  finish?(answer: SessionDescription): SessionDescription;
  /** Called once, when the connection ends or the offer cannot be answered. */
  onEnd(reason: PeerEnd): void;
}

export const isAccepted = (result: AcceptedOffer | Answer): result is AcceptedOffer => 'offer' in result;
