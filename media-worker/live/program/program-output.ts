import type { AnnouncedTracks } from '@/lib/core/media/track-set';
import type { Clock } from '@/lib/infra/clock';
import type { Logger } from '@/lib/infra/logger';
import type { ProgramSettings } from '@/lib/domain/streams';
import { withConstantTracks } from '@/media-worker/media/packets/constant-tracks';
import { fillSilence } from '@/media-worker/media/packets/fill-silence';
import type { MediaPacket, VideoPacket } from '@/media-worker/media/packets/media-packet';
import { PacketBus } from '@/media-worker/media/packets/packet-bus';
import type { PublishEnd, PublishIds, PublishSink } from '@/media-worker/media/packets/publish';
import type { Rendition } from '@/media-worker/media/packaging/rendition';
import type { ProgramInput } from './program-input';
import { ProgramTimeline } from './program-timeline';
import { ProgramPackage, type ProgramPackageOptions } from './program-package';
import { ProgramSlate } from './program-slate';
import type { MakeSlate } from './slate';

export interface ProgramOutputOptions extends Pick<
  ProgramPackageOptions,
  'onSegmentClosed' | 'onPlayable' | 'onIssue' | 'onResolve' | 'onReject' | 'onFailure'
> {
  readonly ids: PublishIds;
  readonly rendition: Rendition;
  readonly clock: Clock;
  readonly log: Logger;
  /** Absent: the program has no slate. */
  readonly makeSlate?: MakeSlate | undefined;
}

/** The output of a program: one encoder, the slate, or nothing, joined into one bus and one window. */
export class ProgramOutput {
  readonly #options: ProgramOutputOptions;
  readonly #bus: PacketBus;
  readonly #package: ProgramPackage;
  readonly #timeline: ProgramTimeline;
  readonly #slate: ProgramSlate;
  /** Sink of the current period. Each period has its own sink, because another encoder may send other tracks. */
  #periodSink: PublishSink;
  /** Bus with the unchanged packets of the encoder on air. */
  #encoderBus: PacketBus | null = null;
  /** Whether the current period has no input yet. */
  #isEmpty = true;

  constructor(options: ProgramOutputOptions) {
    const { ids, rendition, clock, log, makeSlate } = options;
    this.#options = options;
    this.#bus = new PacketBus({
      ids,
      onSubscriberError: (error) => log.error({ err: error }, 'program subscriber failed'),
    });
    this.#package = new ProgramPackage(options);
    this.#periodSink = this.#openPeriodSink();
    this.#timeline = new ProgramTimeline((packet) => {
      if (packet.role === 'config') this.#slate.recordConfig(packet);
      this.#periodSink.push(packet);
    }, clock);
    this.#slate = new ProgramSlate({ clock, log, makeSlate, emit: (packet) => this.#timeline.push(packet) });
    rendition.startPublish(this.#bus);
  }

  /** State of the slate. `coming`: the slate is being made. Null: there is no slate. */
  get slate(): 'ready' | 'coming' | null {
    return this.#slate.ready ? 'ready' : this.#slate.isComing ? 'coming' : null;
  }

  configure(settings: ProgramSettings): void {
    this.#slate.configure(settings);
  }

  /** Sets the publish number for the following segments. */
  startPublish(publishNumber: number): void {
    this.#package.startPublish(publishNumber);
  }

  /** Sets the tracks announced by the encoder on air. */
  announce(tracks: AnnouncedTracks): void {
    this.#periodSink.announce?.(tracks);
  }

  /** Adds a packet of the encoder on air. */
  push(packet: MediaPacket): void {
    this.#encoderBus?.push(packet);
    this.#timeline.push(this.#slate.setEncoderConfig(packet));
  }

  /** Adds a packet of a smaller layer of the encoder on air. */
  pushLayer(layer: number, packet: VideoPacket): void {
    this.#options.rendition.pushLayer(layer, packet);
  }

  /** Puts an encoder on air from its next packet on, when nothing else is on air. */
  startFirst(): void {
    this.#startPeriod();
    this.#timeline.startInput();
    this.#startSource(true);
  }

  /**
   * Switches to an encoder.
   * @param packet the packet to begin with, for an encoder without video
   */
  switchTo(encoder: Pick<ProgramInput, 'announced' | 'configs' | 'frames'>, packet?: MediaPacket): void {
    const { announced, configs, frames } = encoder;
    const configPackets = configs.map((config) => this.#slate.setEncoderConfig(config));
    this.#startInputChange(false, configPackets);
    this.#startSource(true);
    if (announced) this.announce(announced);
    for (const config of configPackets) this.#timeline.push(config);
    if (frames.length > 0) this.#timeline.startInputWithGop(frames);
    else {
      this.#timeline.startInput();
      if (packet) this.#timeline.push(packet);
    }
  }

  showSlate(): void {
    const configs = this.#slate.configs();
    this.#startInputChange(true, configs);
    this.#startSource(false);
    this.#timeline.startInput();
    for (const config of configs) this.#timeline.push(config);
    this.#slate.start();
  }

  /** Takes the input off air and closes the open segment. */
  takeOffAir(): void {
    this.#startSource(false);
    this.#isEmpty = true;
    this.#startPeriod();
  }

  /** Ends the program and its readers. May be called twice. */
  end(reason: PublishEnd): void {
    this.#slate.close();
    this.#package.finish();
    this.#encoderBus?.end(reason);
    this.#bus.end(reason);
  }

  /** Starts a new period for the following packets. */
  #startPeriod(): void {
    this.#periodSink.end('replaced');
    this.#package.startPeriod();
    this.#periodSink = this.#openPeriodSink();
  }

  #openPeriodSink(): PublishSink {
    const { ids, clock } = this.#options;
    const push = (packet: MediaPacket) => {
      this.#package.push(packet);
      this.#bus.push(packet);
    };
    return withConstantTracks(fillSilence({ ids, push, end: () => undefined }, clock));
  }

  /**
   * Ends the media of the previous input. A change from or to the slate continues the period if the configuration is the same;
   * other changes start a new one.
   */
  #startInputChange(isSlate: boolean, configs: readonly MediaPacket[]): void {
    const involvesSlate = isSlate || this.#slate.isOn;
    const isSame = involvesSlate && !this.#isEmpty && this.#slate.isAnnounced(configs);
    if (!isSame) this.#startPeriod();
    this.#package.setSlate(isSlate);
  }

  /**
   * Stops the previous input.
   * @param isEncoder whether an encoder follows, whose packets readers get on a bus of their own
   */
  #startSource(isEncoder: boolean): void {
    const { rendition, log } = this.#options;
    this.#slate.stop();
    this.#encoderBus?.end('replaced');
    this.#encoderBus = null;
    this.#isEmpty = false;
    if (!isEncoder) return;
    this.#encoderBus = new PacketBus({
      // Its readers subscribe before the first packet, so no GOP is kept for later ones.
      maxGopBytes: 0,
      onSubscriberError: (error) => log.error({ err: error }, 'subscriber of the encoder failed'),
    });
    rendition.startEncoder(this.#encoderBus);
  }
}
