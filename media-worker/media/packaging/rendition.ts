import { renditionFolder, sourceProfile } from '@/lib/core/renditions/profile-rules';
import type { Tracks } from '@/media-worker/media/cmaf/codec-config';
import type { VideoPacket } from '@/media-worker/media/packets/media-packet';
import type { PacketBus } from '@/media-worker/media/packets/packet-bus';
import { SessionBus } from './session-bus';
import type { LiveWindow } from './window';

export type BusListener = (bus: PacketBus) => void;

/** The media between two discontinuities: packets on the window's media timeline, until the bus ends. */
export interface TimedPeriod {
  readonly tracks: Tracks;
  readonly bus: PacketBus;
}

export type PeriodListener = (period: TimedPeriod) => void;

/** @param layer number of the layer, from 1 */
type LayerListener = (layer: number, packet: VideoPacket) => void;

/** Size in pixels. */
interface FrameSize {
  readonly width: number;
  readonly height: number;
}

/** One rendition of a live session: the packets of each publish, and their window. */
export class Rendition {
  readonly name: string;
  /** Folder of the rendition in HLS URLs. */
  readonly folder: string;
  readonly window: LiveWindow;
  /**
   * Size of the layer that the rendition contains (one of several sizes in which the publisher sends its video); null for other
   * renditions.
   */
  layerSize: FrameSize | null = null;
  readonly #busListeners = new Set<BusListener>();
  readonly #periodListeners = new Set<PeriodListener>();
  readonly #sessionBusListeners = new Set<BusListener>();
  readonly #sessionBus = new SessionBus((bus) => {
    for (const listener of this.#sessionBusListeners) listener(bus);
  });
  readonly #encoderListeners = new Set<BusListener>();
  readonly #layerListeners = new Set<LayerListener>();
  #encoderBus: PacketBus | null = null;
  #bus: PacketBus | null = null;
  #period: TimedPeriod | null = null;

  constructor(name: string, window: LiveWindow) {
    this.name = name;
    this.folder = renditionFolder(name);
    this.window = window;
  }

  /** Whether an encoder of this service makes the rendition, as opposed to the publisher. */
  get isTranscoded(): boolean {
    return this.name !== sourceProfile && this.layerSize === null;
  }

  /** Starts a publish: its packets follow on `bus`, which ends with it. */
  startPublish(bus: PacketBus): void {
    this.#bus = bus;
    for (const listener of this.#busListeners) listener(bus);
    if (this.name !== sourceProfile) this.#sessionBus.follow(bus);
  }

  /**
   * Calls `listener`, which connects to another service, with the current and every later bus: the bus of each publish
   * for the source, or a bus that outlasts transcoder runs for the other renditions.
   * @returns a function that unsubscribes
   */
  onSessionBus(listener: BusListener): () => void {
    if (this.name === sourceProfile) return this.onBus(listener);
    this.#sessionBusListeners.add(listener);
    if (this.#sessionBus.openBus) listener(this.#sessionBus.openBus);
    return () => void this.#sessionBusListeners.delete(listener);
  }

  /** Ends the bus that outlasts transcoder runs. */
  close(): void {
    this.#sessionBus.end();
  }

  /**
   * Calls `listener` with the current and every later bus.
   * @returns a function that unsubscribes
   */
  onBus(listener: BusListener): () => void {
    this.#busListeners.add(listener);
    if (this.#bus && !this.#bus.ended) listener(this.#bus);
    return () => void this.#busListeners.delete(listener);
  }

  /** Starts a bus with the unchanged packets of the encoder that is on air; it ends when the encoder goes off air. */
  startEncoder(bus: PacketBus): void {
    this.#encoderBus = bus;
    for (const listener of this.#encoderListeners) listener(bus);
  }

  /**
   * Calls `listener` with the current and every later bus of an encoder.
   * @returns a function that unsubscribes
   */
  onEncoder(listener: BusListener): () => void {
    this.#encoderListeners.add(listener);
    if (this.#encoderBus && !this.#encoderBus.ended) listener(this.#encoderBus);
    return () => void this.#encoderListeners.delete(listener);
  }

  /** Adds a packet of a smaller layer of the encoder that is on air. */
  pushLayer(layer: number, packet: VideoPacket): void {
    for (const listener of this.#layerListeners) listener(layer, packet);
  }

  /**
   * Calls `listener` with the packets of smaller layers.
   * @returns a function that unsubscribes
   */
  onLayer(listener: LayerListener): () => void {
    this.#layerListeners.add(listener);
    return () => void this.#layerListeners.delete(listener);
  }

  /** Resolves when no publish is running. */
  waitUntilIdle(): Promise<void> {
    const bus = this.#bus;
    if (!bus || bus.ended) return Promise.resolve();
    return new Promise((resolve) => bus.subscribe({ packet: () => undefined, end: () => resolve() }));
  }

  /** Starts a period of the window with its timed packets. */
  startPeriod(period: TimedPeriod): void {
    this.#period = period;
    for (const listener of this.#periodListeners) listener(period);
  }

  /**
   * Calls `listener` with the current and every later period.
   * @returns a function that unsubscribes
   */
  onPeriod(listener: PeriodListener): () => void {
    this.#periodListeners.add(listener);
    if (this.#period && !this.#period.bus.ended) listener(this.#period);
    return () => void this.#periodListeners.delete(listener);
  }
}

export interface RenditionsListener {
  onAdd(rendition: Rendition): void;
  onRemove(rendition: Rendition): void;
}

/** The renditions of a live session: the source, and those transcoded from it. */
export class Renditions {
  readonly source: Rendition;
  readonly #byName = new Map<string, Rendition>();
  readonly #listeners = new Set<RenditionsListener>();

  constructor(source: LiveWindow) {
    this.source = new Rendition(sourceProfile, source);
    this.#byName.set(sourceProfile, this.source);
  }

  /** The source first, then the others in the order they were added. */
  get all(): readonly Rendition[] {
    return [...this.#byName.values()];
  }

  get(name: string): Rendition | undefined {
    return this.#byName.get(name);
  }

  findByFolder(folder: string): Rendition | undefined {
    return this.all.find((rendition) => rendition.folder === folder);
  }

  /** @throws Error if a rendition of this name exists: remove it first */
  add(rendition: Rendition): void {
    if (this.#byName.has(rendition.name)) throw new Error(`Rendition ${rendition.name} already exists`);
    this.#byName.set(rendition.name, rendition);
    for (const listener of this.#listeners) listener.onAdd(rendition);
  }

  remove(rendition: Rendition): void {
    if (rendition === this.source || this.#byName.get(rendition.name) !== rendition) return;
    this.#byName.delete(rendition.name);
    rendition.close();
    for (const listener of this.#listeners) listener.onRemove(rendition);
  }

  /**
   * Calls `listener` with the current renditions, then with every change.
   * @returns a function that unsubscribes
   */
  observe(listener: RenditionsListener): () => void {
    this.#listeners.add(listener);
    for (const rendition of this.all) listener.onAdd(rendition);
    return () => void this.#listeners.delete(listener);
  }
}
