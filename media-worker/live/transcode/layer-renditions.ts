import type { Clock } from '@/lib/infra/clock';
import type { AuthorizedPublish } from '@/lib/domain/streams';
import { MAX_LAYERS } from '@/media-worker/media/packets/layer-tag';
import type { MediaPacket, VideoPacket } from '@/media-worker/media/packets/media-packet';
import type { TimedPeriod } from '@/media-worker/media/packaging/rendition';
import type {
  FeatureHost,
  SessionFeature,
  StartFeature,
} from '@/media-worker/media/packaging/session-feature';
import { LayerRendition } from './layer-rendition';
import { SAME_PICTURE_MS, SourceTimes } from './source-times';

/** Interval at which the layers are checked. */
const CHECK_INTERVAL_MS = 1_000;
/** A layer that an encoder on air has not sent for this long has no rendition. */
const ABSENT_MS = 10_000;
/** Maximum frames of the source that wait for the same picture of the layers. */
const MAX_WAITING_FRAMES = 120;

/** Creates the feature that makes renditions of the smaller layers that an encoder sends, without encoding. */
export const startLayerRenditions =
  (clock: Clock): StartFeature =>
  (host) =>
    new LayerRenditions(host, clock);

/** Packages the smaller layers of the encoder on air with the segments of the source. */
class LayerRenditions implements SessionFeature {
  readonly #clock: Clock;
  readonly #times = new SourceTimes();
  readonly #layers: readonly LayerRendition[];
  readonly #unsubscribers: readonly (() => void)[];
  readonly #checkTimer: NodeJS.Timeout;
  /** Frames of the source that wait, in order. */
  #waitingFrames: VideoPacket[] = [];
  #period: TimedPeriod | null = null;
  /** When the encoder went on air, in monotonic milliseconds; null while none is. */
  #onAirSinceMs: number | null = null;
  /** Whether a layer has arrived. Most streams have none. */
  #hasLayers = false;
  #profiles: AuthorizedPublish['settings']['profiles'] = [];

  constructor(host: FeatureHost, clock: Clock) {
    const { source } = host.renditions;
    this.#clock = clock;
    this.#layers = Array.from(
      { length: MAX_LAYERS },
      (_, index) =>
        new LayerRendition({ host, clock, name: () => this.#nameOf(index + 1), times: this.#times }),
    );
    this.#unsubscribers = [
      source.onLayer((layer, packet) => {
        this.#hasLayers = true;
        this.#layers[layer - 1]?.push(packet);
      }),
      source.onEncoder((bus) => {
        this.#restart(true);
        bus.subscribe({ packet: () => undefined, end: () => this.#restart(false) });
      }),
      source.onPeriod((period) => this.#startPeriod(period)),
    ];
    this.#checkTimer = setInterval(() => this.#check(), CHECK_INTERVAL_MS);
  }

  follow({ settings }: AuthorizedPublish): void {
    this.#profiles = settings.profiles;
    const isTaken = (name: string | null) => this.#profiles.some((profile) => profile.name === name);
    for (const layer of this.#layers) if (isTaken(layer.name)) layer.remove();
  }

  close(): Promise<void> {
    clearInterval(this.#checkTimer);
    for (const unsubscribe of this.#unsubscribers) unsubscribe();
    this.#endPeriod();
    return Promise.resolve();
  }

  /** Called when an encoder goes on air or off air. The next one has times on another clock. */
  #restart(isEncoderOnAir: boolean): void {
    this.#onAirSinceMs = isEncoderOnAir ? this.#clock.monotonic() : null;
    this.#advance(Infinity);
    this.#times.clear();
    for (const layer of this.#layers) layer.restart();
  }

  #startPeriod(period: TimedPeriod): void {
    this.#endPeriod();
    this.#period = period;
    for (const layer of this.#layers) layer.startPeriod(period);
    period.bus.subscribe({
      packet: (packet) => this.#onSource(packet),
      end: () => {
        if (this.#period === period) this.#endPeriod();
      },
    });
  }

  #endPeriod(): void {
    this.#advance(Infinity);
    this.#period = null;
    for (const layer of this.#layers) layer.endPeriod();
  }

  #onSource(packet: MediaPacket): void {
    if (!this.#hasLayers) return;
    if (packet.kind === 'audio') for (const layer of this.#layers) layer.pushAudio(packet);
    else if (packet.role === 'frame') {
      if (this.#onAirSinceMs !== null) this.#times.add(packet);
      this.#waitingFrames.push(packet);
      this.#advance(packet.dts - SAME_PICTURE_MS);
    }
  }

  /** Hands the frames of the source up to `ms` over to the layers. */
  #advance(ms: number): void {
    for (let frame = this.#waitingFrames[0]; frame; frame = this.#waitingFrames[0]) {
      if (frame.dts > ms && this.#waitingFrames.length <= MAX_WAITING_FRAMES) return;
      this.#waitingFrames.shift();
      for (const layer of this.#layers) layer.advance(frame);
    }
  }

  #check(): void {
    const absentSinceMs = this.#clock.monotonic() - ABSENT_MS;
    // During the slate, the renditions show the slate. An encoder that returns needs a moment to send its layers.
    if (this.#onAirSinceMs === null || this.#onAirSinceMs > absentSinceMs) return;
    for (const layer of this.#layers)
      if (layer.name !== null && layer.receivedAtMs <= absentSinceMs) layer.remove();
  }

  #nameOf(layer: number): string {
    let name = `layer-${layer}`;
    while (this.#profiles.some((profile) => profile.name === name)) name += '+';
    return name;
  }
}
