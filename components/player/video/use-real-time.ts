import { useState } from 'react';

/** A live stream that is also available over WebRTC. */
export interface RealTimeOffer {
  /** URL of the WHEP endpoint. */
  readonly url: string;
  /** Whether the link asks for WebRTC. */
  readonly isRequested: boolean;
}

/** Choice between real time and the usual latency of HLS. */
export interface LatencyChoice {
  readonly isRealTime: boolean;
  choose: (isRealTime: boolean) => void;
}

interface RealTime {
  /** URL of the WHEP endpoint; undefined: HLS. Its fragment differs for each choice, so that each starts a new attempt. */
  readonly whepUrl: string | undefined;
  /**
   * The choice for the settings of the player; undefined if only one latency is available.
   * @param fellBack whether HLS plays although WebRTC was requested
   */
  readonly choiceFor: (fellBack: boolean) => LatencyChoice | undefined;
}

/**
 * Keeps the viewer's choice between WebRTC and HLS.
 * @param isLive whether the live playlist plays, instead of the DVR playlist
 */
export function useRealTime(offer: RealTimeOffer | undefined, isLive: boolean): RealTime {
  const [choice, setChoice] = useState({ isRealTime: offer?.isRequested ?? false, attempt: 0 });
  const usesWebRtc = choice.isRealTime && isLive;
  return {
    whepUrl: offer && usesWebRtc ? `${offer.url}#${choice.attempt}` : undefined,
    choiceFor: (fellBack) =>
      offer && isLive
        ? {
            isRealTime: usesWebRtc && !fellBack,
            choose: (isRealTime) => setChoice(({ attempt }) => ({ isRealTime, attempt: attempt + 1 })),
          }
        : undefined,
  };
}
