import { PeerConnection, RtcpReceivingSession, type Track } from 'node-datachannel';
import { withoutCandidates } from '@/media-worker/rtc/sdp';

/** The answering side of a WHIP endpoint, which counts the RTP packets of the first media section. */
export class WhipReceiver {
  readonly #connection = new PeerConnection('receiver', {
    iceServers: [],
    bindAddress: '127.0.0.1',
    disableAutoNegotiation: true,
  });
  #tracks: Track[] = [];
  /** Number of packets so far with the payload type that WHIP targets offer for video (102). */
  packetCount = 0;

  constructor() {
    this.#connection.onTrack((track) => {
      track.setMediaHandler(new RtcpReceivingSession());
      track.onMessage((packet) => {
        if (track.mid() === '0' && ((packet[1] ?? 0) & 0x7f) === 102) this.packetCount += 1;
      });
      this.#tracks.push(track);
    });
  }

  /**
   * Answers an offer.
   * @param address IP address to write into the candidates
   */
  async answer(offer: string, address = '127.0.0.1'): Promise<string> {
    const whenGathered = new Promise<void>((resolve) =>
      this.#connection.onGatheringStateChange((state) => {
        if (state === 'complete') resolve();
      }),
    );
    this.#connection.setRemoteDescription(withoutCandidates(offer), 'offer');
    this.#connection.setLocalDescription('answer');
    await whenGathered;
    const { sdp = '' } = this.#connection.localDescription() ?? {};
    return sdp.replaceAll(/(?<=a=candidate:.*)127\.0\.0\.1/g, address);
  }

  /** Requests a keyframe (RFC 4585 PLI). */
  requestKeyframe(): void {
    this.#tracks.find((track) => track.mid() === '0')?.requestKeyframe();
  }

  close(): void {
    this.#connection.close();
  }
}
