import type { Tracks } from '../cmaf/codec-config';
import type { MediaPacket } from '../ingest/media-packet';
import type { PackagerLimits } from './packager-limits';
import type { TrackConfigs } from './packager-tracks';

/** A packet and the wall clock of its arrival, ms since 1970. */
export interface Arrival {
  readonly packet: MediaPacket;
  readonly wallMs: number;
}

/** `refused`: no usable track arrived within the limit. */
export type WaitVerdict = 'wait' | 'start' | 'refused';

/**
 * Keeps the first packets until it is known which tracks there are: an init segment cannot be amended, and FLV headers
 * claim tracks that never come.
 */
export class TrackWait {
  readonly #limits: PackagerLimits;
  #kept: Arrival[] = [];
  #tracks: Tracks = { video: undefined, audio: undefined };
  #bytes = 0;
  #packets = 0;
  #firstDts: number | undefined;
  #passedMs = 0;

  constructor(limits: PackagerLimits) {
    this.#limits = limits;
  }

  /** Takes a packet that `configs` has already seen; `usable`: it is a frame that can be decoded. */
  add(arrival: Arrival, usable: boolean, configs: TrackConfigs): WaitVerdict {
    const { packet } = arrival;
    this.#packets++;
    if (this.#tracks[packet.kind] !== configs.tracks[packet.kind]) {
      // Frames of a configuration that was replaced during the wait decode with no init segment we will write.
      this.#kept = this.#kept.filter((kept) => kept.packet.kind !== packet.kind);
      this.#tracks = configs.tracks;
    }
    if (packet.role === 'frame') {
      this.#firstDts ??= packet.dts;
      this.#passedMs = Math.max(this.#passedMs, Math.abs(packet.dts - this.#firstDts));
    }
    if (usable) {
      this.#kept.push(arrival);
      this.#bytes += packet.payload.length;
    }
    return this.#verdict(configs);
  }

  /** The kept packets in order of arrival; nothing is kept afterwards. */
  drain(): readonly Arrival[] {
    const kept = this.#kept;
    this.#kept = [];
    return kept;
  }

  #verdict(configs: TrackConfigs): WaitVerdict {
    const limits = this.#limits;
    const full = this.#bytes > limits.maxWaitingBytes || this.#packets > limits.maxWaitingPackets;
    if (configs.settled || full || this.#passedMs >= limits.secondTrackWaitMs) {
      if (configs.usable) return 'start';
      if (full || configs.refusal !== undefined) return 'refused';
    }
    return this.#passedMs >= limits.firstTrackWaitMs ? 'refused' : 'wait';
  }
}
