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
  choose: (realTime: boolean) => void;
}

interface RealTime {
  /** URL of the WHEP endpoint; undefined: HLS. Each choice makes a new URL, so that it starts a new attempt. */
  readonly whep: string | undefined;
  /** The choice for the settings of the player; undefined if only one latency is available. */
  readonly choiceFor: (fellBack: boolean) => LatencyChoice | undefined;
}

/**
 * Keeps the viewer's choice between WebRTC and HLS.
 * @param isLive whether the live playlist plays, instead of the DVR playlist
 */
export function useRealTime(offer: RealTimeOffer | undefined, isLive: boolean): RealTime {
  const [choiceState, setChoiceState] = useState({ isOn: offer?.isRequested ?? false, attempt: 0 });
  const isOn = choiceState.isOn && isLive;
  return {
    whep: offer && isOn ? `${offer.url}#${choiceState.attempt}` : undefined,
    choiceFor: (fellBack) =>
      offer && isLive
        ? {
            isRealTime: isOn && !fellBack,
            choose: (on) => setChoiceState(({ attempt }) => ({ isOn: on, attempt: attempt + 1 })),
          }
        : undefined,
  };
}
