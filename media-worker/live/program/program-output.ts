import type { AnnouncedTracks } from '@/lib/core/media/track-set';
import type { Clock } from '@/lib/infra/clock';
import type { Logger } from '@/lib/infra/logger';
import type { ProgramSettings } from '@/lib/domain/streams';
import { constantTracks } from '@/media-worker/media/packets/constant-tracks';
import { fillSilence } from '@/media-worker/media/packets/fill-silence';
import type { MediaPacket } from '@/media-worker/media/packets/media-packet';
import { PacketBus } from '@/media-worker/media/packets/packet-bus';
import type { PublishEnd, PublishNames, PublishSink } from '@/media-worker/media/packets/publish';
import type { Rendition } from '@/media-worker/media/packaging/rendition';
import type { ProgramInput } from './program-input';
import { ProgramLine } from './program-line';
import { ProgramPackage, type ProgramPackageOptions } from './program-package';
import { ProgramSlate } from './program-slate';
import type { MakeSlate } from './slate';

export interface ProgramOutputOptions extends Pick<
  ProgramPackageOptions,
  'segment' | 'onPlayable' | 'issue' | 'onResolve' | 'onRefuse' | 'onFailure'
> {
  readonly names: PublishNames;
  readonly rendition: Rendition;
  readonly clock: Clock;
  readonly log: Logger;
  /** Absent: there are no slates. */
  readonly makeSlate?: MakeSlate | undefined;
}

/** What a program is made of now: one encoder, the slate, or nothing. Joined into one bus and one window. */
export class ProgramOutput {
  readonly #options: ProgramOutputOptions;
  readonly #bus: PacketBus;
  readonly #package: ProgramPackage;
  readonly #line: ProgramLine;
  readonly #slate: ProgramSlate;
  /** Of the period: another encoder may send other sound, or none. */
  #tracks: PublishSink;
  /** The packets of the encoder on air, as it sent them. */
  #encoder: PacketBus | null = null;
  #isEmpty = true;

  constructor(options: ProgramOutputOptions) {
    const { names, rendition, clock, log, makeSlate } = options;
    this.#options = options;
    this.#bus = new PacketBus({
      about: names,
      onSubscriberError: (error) => log.error({ err: error }, 'program subscriber failed'),
    });
    this.#package = new ProgramPackage(options);
    this.#tracks = this.#openTracks();
    this.#line = new ProgramLine((packet) => {
      if (packet.role === 'config') this.#slate.announceConfig(packet);
      this.#tracks.push(packet);
    }, clock);
    this.#slate = new ProgramSlate({ clock, log, makeSlate, emit: (packet) => this.#line.push(packet) });
    rendition.begin(this.#bus);
  }

  /** `coming`: it is being made. Null: there is none. */
  get slate(): 'ready' | 'coming' | null {
    return this.#slate.ready ? 'ready' : this.#slate.isComing ? 'coming' : null;
  }

  configure(settings: ProgramSettings): void {
    this.#slate.configure(settings);
  }

  /** The publish that names the segments that follow. */
  startRun(run: number): void {
    this.#package.startRun(run);
  }

  /** What the encoder on air says it will send. */
  announce(tracks: AnnouncedTracks): void {
    this.#tracks.announce?.(tracks);
  }

  /** Of the encoder on air. */
  push(packet: MediaPacket): void {
    this.#encoder?.push(packet);
    this.#line.push(this.#slate.withRecord(packet));
  }

  /** An encoder whose packets follow from its first one on: nothing is on air that could go on meanwhile. */
  begin(): void {
    this.#newPeriod();
    this.#line.join();
    this.#shows(true);
  }

  /**
   * An encoder goes on where the program is.
   * @param packet the packet that it can begin with, if it sends no pictures
   */
  enter(encoder: Pick<ProgramInput, 'announced' | 'configs' | 'pictures'>, packet?: MediaPacket): void {
    const { announced, configs, pictures } = encoder;
    const configPackets = configs.map((config) => this.#slate.withRecord(config));
    this.#seam(false, configPackets);
    this.#shows(true);
    if (announced) this.announce(announced);
    for (const config of configPackets) this.#line.push(config);
    if (pictures.length > 0) this.#line.enter(pictures);
    else {
      this.#line.join();
      if (packet) this.#line.push(packet);
    }
  }

  showSlate(): void {
    const configs = this.#slate.configs();
    this.#seam(true, configs);
    this.#shows(false);
    this.#line.join();
    for (const config of configs) this.#line.push(config);
    this.#slate.start();
  }

  /** Nothing is on air; what has gathered is shown. */
  hold(): void {
    this.#shows(false);
    this.#isEmpty = true;
    this.#newPeriod();
  }

  /** Nothing follows; ends what reads it. May be called twice. */
  end(reason: PublishEnd): void {
    this.#slate.close();
    this.#package.finish();
    this.#encoder?.end(reason);
    this.#bus.end(reason);
  }

  /** What gathers from now on is a period of its own. */
  #newPeriod(): void {
    this.#tracks.end('replaced');
    this.#package.newPeriod();
    this.#tracks = this.#openTracks();
  }

  #openTracks(): PublishSink {
    const { names: about, clock } = this.#options;
    const push = (packet: MediaPacket) => {
      this.#package.push(packet);
      this.#bus.push(packet);
    };
    return constantTracks(fillSilence({ about, push, end: () => undefined }, clock));
  }

  /** A slate that needs no other configuration is a part of the period; everything else begins one. */
  #seam(isSlate: boolean, configs: readonly MediaPacket[]): void {
    const isSlateSeam = isSlate || this.#slate.isOn;
    const isSame = isSlateSeam && !this.#isEmpty && this.#slate.isAnnounced(configs);
    if (!isSame) this.#newPeriod();
    this.#package.seam(isSlate);
  }

  #shows(isEncoder: boolean): void {
    const { rendition, log } = this.#options;
    this.#slate.stop();
    this.#encoder?.end('replaced');
    this.#encoder = null;
    this.#isEmpty = false;
    if (!isEncoder) return;
    this.#encoder = new PacketBus({
      gopBytes: 0,
      onSubscriberError: (error) => log.error({ err: error }, 'subscriber of the encoder failed'),
    });
    rendition.beginEncoder(this.#encoder);
  }
}
