import type { Tracks } from '@/media-worker/media/cmaf/codec-config';
import type { MediaPacket } from '@/media-worker/media/packets/media-packet';
import { PacketBus } from '@/media-worker/media/packets/packet-bus';
import type { EncoderInput } from './packager';
import type { Rendition } from './rendition';

/**
 * Forwards the packets that a packager has placed on the media timeline to the subscribers of a rendition, on one
 * bus per period.
 */
export class PeriodFeed implements EncoderInput {
  readonly #rendition: Pick<Rendition, 'startPeriod'>;
  readonly #onSubscriberError: (error: unknown) => void;
  #bus: PacketBus | undefined;

  constructor(rendition: Pick<Rendition, 'startPeriod'>, onSubscriberError: (error: unknown) => void) {
    this.#rendition = rendition;
    this.#onSubscriberError = onSubscriberError;
  }

  begin(tracks: Tracks): void {
    this.#bus = new PacketBus({ onSubscriberError: this.#onSubscriberError });
    const time = { dts: 0, pts: 0, role: 'config' } as const;
    const { video, audio } = tracks;
    if (video) this.frame({ ...time, kind: 'video', codec: video.coding, key: false, payload: video.record });
    if (audio) this.frame({ ...time, kind: 'audio', codec: 'aac', payload: audio.record });
    this.#rendition.startPeriod({ tracks, bus: this.#bus });
  }

  frame(frame: MediaPacket): void {
    this.#bus?.push(frame);
  }

  end(): void {
    this.#bus?.end('finished');
    this.#bus = undefined;
  }
}
