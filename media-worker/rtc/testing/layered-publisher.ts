import { once, EventEmitter } from 'node:events';
import { PeerConnection, type Track, Video } from 'node-datachannel';
import { parseFeedback } from '@/media-worker/rtc/viewers/rtcp';
import { FRAME_MS, type LayeredSender } from './layered-sender';

const PAYLOAD_TYPE = 96;
const FIRST_SSRC = 100;

/** An encoder of several layers that uses libdatachannel, like OBS: its offer declares the SSRC of the first layer only. */
export class LayeredPublisher {
  readonly #events = new EventEmitter();
  readonly #connection = new PeerConnection('layers', { iceServers: [], disableAutoNegotiation: true });
  readonly #sender: LayeredSender;
  readonly #track: Track;
  #timer: NodeJS.Timeout | undefined;

  constructor(sender: LayeredSender) {
    const video = new Video('0', 'SendOnly');
    video.addH264Codec(PAYLOAD_TYPE);
    video.addSSRC(FIRST_SSRC, 'publisher', 'stream', 'video');
    this.#sender = sender;
    this.#track = this.#connection.addTrack(video);
    this.#track.onMessage((packet) => {
      if (parseFeedback(packet).needsKeyframe) sender.requestKeyframe();
    });
    this.#connection.onStateChange((state) => this.#events.emit(state));
  }

  /**
   * Publishes to a WHIP endpoint and sends in real time.
   * @returns the SDP answer
   */
  async publish(url: string): Promise<string> {
    const whenGathered = new Promise<void>((resolve) =>
      this.#connection.onGatheringStateChange((state) => {
        if (state === 'complete') resolve();
      }),
    );
    this.#connection.setLocalDescription('offer');
    await whenGathered;
    const body = (this.#connection.localDescription()?.sdp ?? '') + this.#sender.offerLines;
    const headers = { 'Content-Type': 'application/sdp' };
    const response = await fetch(url, { method: 'POST', headers, body });
    if (response.status !== 201) throw new Error(`status ${response.status}`);
    const answer = await response.text();
    const whenConnected = once(this.#events, 'connected', { signal: AbortSignal.timeout(60_000) });
    this.#connection.setRemoteDescription(answer, 'answer');
    await whenConnected;
    this.#timer = setInterval(() => this.#send(), FRAME_MS);
    return answer;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#connection.close();
  }

  #send(): void {
    for (const packet of this.#sender.packetizeNextFrame())
      if (this.#track.isOpen()) this.#track.sendMessageBinary(packet);
  }
}
