import { describe, expect, it } from 'vitest';
import type { MediaPacket } from '@/media-worker/media/packets/media-packet';
import { Rendition } from '@/media-worker/media/packaging/rendition';
import { RenditionFeed } from './rendition-feed';
import { Packaging } from '@/media-worker/media/packaging/testing/packaging';
import {
  audioConfig,
  audioFrame,
  steadyFrames,
  videoConfig,
} from '@/media-worker/media/packaging/testing/synthetic-packets';
import { LiveWindow } from '@/media-worker/media/packaging/window';

const packets = steadyFrames({ untilMs: 10_100 });

/** Opens a packaged source with segments of 2 s, and one rendition of the source. */
function openRendition() {
  const packaging = new Packaging({ minListedCount: 100 });
  packaging.begin([videoConfig(), audioConfig(), ...packets]);
  const rendition = new Rendition('360p', new LiveWindow({ clock: packaging.clock, minListedCount: 100 }));
  const buses: MediaPacket[][] = [];
  rendition.onBus((bus) => {
    const packets: MediaPacket[] = [];
    buses.push(packets);
    bus.subscribe({ packet: (packet) => packets.push(packet), end: () => undefined });
  });
  const openFeed = (fromMsn = 0, predecessor?: RenditionFeed) =>
    new RenditionFeed({
      rendition,
      leader: packaging.window,
      audio: packaging.segments[0]?.period.tracks.audio,
      fromMsn,
      predecessor,
      onError: (error) => expect(error).toBeUndefined(),
    });
  const msns = () => rendition.window.view().segments.map(({ msn }) => msn);
  return { packaging, rendition, buses, openFeed, msns, firstMsn: packaging.segments[0]?.msn ?? 0 };
}

/** Delivers the output of a job for this period, audio first because it needs no encoding. */
function deliver(feed: RenditionFeed, fromMs: number, untilMs: number): void {
  feed.pushAudio(audioConfig());
  feed.pushVideo(videoConfig());
  const duePackets = packets.filter(({ dts }) => dts >= fromMs && dts < untilMs);
  for (const packet of duePackets) if (packet.kind === 'audio') feed.pushAudio(packet);
  for (const packet of duePackets) if (packet.kind === 'video') feed.pushVideo(packet);
}

const framesOf = (packets: readonly MediaPacket[] = []) => packets.filter(({ role }) => role === 'frame');
const timesOf = (packets: readonly MediaPacket[] | undefined, kind: string) =>
  framesOf(packets).flatMap((packet) => (packet.kind === kind ? [packet.dts] : []));

describe('the feed of a rendition', () => {
  it('joins the audio with the video of the same time', () => {
    const { openFeed, buses, msns, packaging } = openRendition();
    const feed = openFeed();
    deliver(feed, 0, 5_000);
    feed.end(true);
    const frameTimes = framesOf(buses[0]).map(({ dts }) => dts);
    expect(frameTimes).toEqual(frameTimes.toSorted((a, b) => a - b));
    expect(timesOf(buses[0], 'audio')).toHaveLength(
      packets.filter(({ kind, dts }) => kind === 'audio' && dts < 5_000).length,
    );
    expect(msns()).toEqual(packaging.segments.slice(0, 3).map(({ msn }) => msn));
    expect(feed.videoMs).toBe(4_960);
  });

  it('that is aborted drops its unfinished segment', () => {
    const { openFeed, msns, firstMsn } = openRendition();
    const feed = openFeed();
    deliver(feed, 0, 5_000);
    feed.end(false);
    feed.end(true);
    expect(msns()).toEqual([firstMsn, firstMsn + 1]);
    expect(feed.lastMsn).toBe(firstMsn + 2);
  });

  it('drops the oldest audio if no video arrives', () => {
    const { openFeed, buses } = openRendition();
    const feed = openFeed();
    for (let n = 0; n < 10_000; n++) feed.pushAudio(audioFrame(n));
    feed.end(true);
    expect(framesOf(buses[0]).length).toBeLessThanOrEqual(8_192);
    expect(timesOf(buses[0], 'audio').at(-1)).toBe(9_999);
  });
});

describe('a feed that takes over', () => {
  it('continues at the next segment, without a repeated or missing one', () => {
    const { openFeed, buses, msns, packaging, firstMsn } = openRendition();
    const oldFeed = openFeed();
    deliver(oldFeed, 0, 5_000);
    const nextFeed = openFeed(oldFeed.lastMsn + 1, oldFeed);
    deliver(nextFeed, 4_000, 9_000);
    expect(buses).toHaveLength(1);
    deliver(oldFeed, 5_000, 7_000);
    expect(oldFeed.isOver).toBe(true);
    nextFeed.end(true);
    expect(msns()).toEqual([0, 1, 2, 3, 4].map((n) => firstMsn + n));
    expect(buses).toHaveLength(2);
    for (const kind of ['video', 'audio']) {
      const sentTimes = [...timesOf(buses[0], kind), ...timesOf(buses[1], kind)];
      expect(sentTimes).toEqual(
        packets.flatMap((packet) => (packet.kind === kind && packet.dts < 9_000 ? [packet.dts] : [])),
      );
    }
    const durations = packaging.segments.map(({ durationMs }) => durationMs);
    expect(durations.slice(0, 4)).toEqual([2_000, 2_000, 2_000, 2_000]);
  });

  it('begins immediately if there is nothing to wait for', () => {
    const { openFeed, buses, msns, firstMsn } = openRendition();
    const idleFeed = openFeed();
    const nextFeed = openFeed(0, idleFeed);
    expect(idleFeed.isOver).toBe(true);
    deliver(nextFeed, 0, 5_000);
    expect(buses).toHaveLength(2);
    expect(msns()).toEqual([firstMsn, firstMsn + 1]);
    const thirdFeed = openFeed(nextFeed.lastMsn + 1, nextFeed);
    nextFeed.end(false);
    deliver(thirdFeed, 4_000, 9_000);
    expect(msns().at(-1)).toBe(firstMsn + 3);
  });

  it('waits until the end of the other feed at most', () => {
    const { openFeed, msns, firstMsn } = openRendition();
    const oldFeed = openFeed();
    deliver(oldFeed, 0, 5_000);
    const nextFeed = openFeed(oldFeed.lastMsn + 1, oldFeed);
    deliver(nextFeed, 4_000, 9_000);
    expect(msns()).toEqual([firstMsn, firstMsn + 1]);
    oldFeed.end(false);
    expect(msns()).toEqual([firstMsn + 3]);
  });

  it('that ends before it takes over leaves the rendition to the other feed', () => {
    const { openFeed, msns, firstMsn } = openRendition();
    const oldFeed = openFeed();
    deliver(oldFeed, 0, 5_000);
    const nextFeed = openFeed(oldFeed.lastMsn + 1, oldFeed);
    nextFeed.end(false);
    deliver(oldFeed, 5_000, 7_000);
    expect(msns()).toEqual([firstMsn, firstMsn + 1, firstMsn + 2]);
  });
});
