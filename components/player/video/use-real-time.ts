import { useState } from 'react';

/** A live stream that is offered over WebRTC, too. */
export interface RealTimeOffer {
  /** Address of the WHEP endpoint. */
  readonly url: string;
  /** The link asks for it. */
  readonly chosen: boolean;
}

/** Real time, or the usual latency of HLS. */
export interface LatencyChoice {
  readonly isRealTime: boolean;
  choose: (realTime: boolean) => void;
}

interface RealTime {
  /** Undefined: HLS plays. A new address for each choice, so that a choice is a new attempt. */
  readonly whep: string | undefined;
  /** Undefined where there is nothing to choose. */
  readonly choice: (fellBack: boolean) => LatencyChoice | undefined;
}

/** @param isLive the live playlist plays, and not what was sent before */
export function useRealTime(offer: RealTimeOffer | undefined, isLive: boolean): RealTime {
  const [chosen, setChosen] = useState({ on: offer?.chosen ?? false, attempt: 0 });
  const isOn = chosen.on && isLive;
  return {
    whep: offer && isOn ? `${offer.url}#${chosen.attempt}` : undefined,
    choice: (fellBack) =>
      offer && isLive
        ? {
            isRealTime: isOn && !fellBack,
            choose: (on) => setChosen(({ attempt }) => ({ on, attempt: attempt + 1 })),
          }
        : undefined,
  };
}
