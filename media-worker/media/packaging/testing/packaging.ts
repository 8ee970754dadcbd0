import { formatMediaPlaylist } from '@/lib/core/hls/playlist';
import type { MediaPacket } from '@/media-worker/media/packets/media-packet';
import { Packager } from '@/media-worker/media/packaging/packager';
import type { PackagerEvent } from '@/media-worker/media/packaging/packager-events';
import type { PackagerLimits } from '@/media-worker/media/packaging/packager-limits';
import { LiveWindow, type WindowOptions } from '@/media-worker/media/packaging/window';
import { Renditions } from '@/media-worker/media/packaging/rendition';
import type { WindowSegment } from '@/media-worker/media/packaging/window-segment';

/** Wall clock at 0 ms of a SteppedClock. */
export const TEST_EPOCH = Date.UTC(2030, 0, 1);

/** A clock that advances only on request. */
export class SteppedClock {
  ms = 0;
  now = (): Date => new Date(TEST_EPOCH + this.ms);
  monotonic = (): number => this.ms;
}

interface RunOptions {
  readonly limits?: Partial<PackagerLimits>;
  readonly startMs?: number;
}

/**
 * A window fed by one packager per publish, with packets that arrive at their timestamps. Keeps all emitted
 * events.
 */
export class Packaging {
  readonly clock = new SteppedClock();
  readonly window: LiveWindow;
  readonly renditions: Renditions;
  readonly events: PackagerEvent[] = [];
  readonly segments: WindowSegment[] = [];
  #publishCount = 0;

  constructor(options: Omit<WindowOptions, 'clock'> = {}) {
    this.window = new LiveWindow({ ...options, clock: this.clock });
    this.renditions = new Renditions(this.window);
    this.window.observe({ onSegment: (segment) => this.segments.push(segment) });
  }

  /** Publishes the packets as one complete publish. */
  run(packets: readonly MediaPacket[], options: RunOptions = {}): void {
    this.begin(packets, options).finish();
  }

  /** Publishes the packets as a publish that is still running. */
  begin(packets: readonly MediaPacket[], { limits = {}, startMs }: RunOptions = {}): Packager {
    this.window.startPublish(++this.#publishCount);
    const packager = new Packager({
      clock: this.clock,
      emit: (event) => this.#take(event),
      startMs: startMs ?? this.window.mediaEndMs,
      limits,
      maxSegmentMs: () => this.window.maxSegmentMs,
    });
    this.push(packager, packets);
    return packager;
  }

  /** Pushes more packets of a publish, at their timestamps. The clock advances by at most a second for each, also at a jump. */
  push(packager: Packager, packets: readonly MediaPacket[]): void {
    let last = packets.find(({ role }) => role === 'frame')?.dts ?? 0;
    for (const packet of packets) {
      if (packet.role === 'frame') {
        this.clock.ms += Math.min(Math.max(packet.dts - last, 0), 1000);
        last = packet.dts;
      }
      packager.push(packet);
    }
  }

  /** Codes of all issues so far. */
  issues(): string[] {
    return this.events.flatMap((event) => (event.type === 'issue' ? [event.code] : []));
  }

  #take(event: PackagerEvent): void {
    this.events.push(event);
    if (event.type === 'init' || event.type === 'part' || event.type === 'segment') this.window.apply(event);
  }

  /** Ends the window. Returns name and bytes of its playlist and of every file in it. */
  endAndGetFiles(): Map<string, Buffer> {
    const files = new Map<string, Buffer>();
    for (const segment of this.segments) {
      files.set(segment.init, segment.period.initData);
      files.set(`${segment.msn}.m4s`, Buffer.concat(segment.parts.flatMap((part) => part.data)));
    }
    this.window.end();
    files.set('index.m3u8', Buffer.from(formatMediaPlaylist(this.window.view(), { lowLatency: false })));
    return files;
  }
}
