import { readHeaderExtension } from './rtp-packet';

/** Offset of the SSRC in an RTP packet. */
const SSRC_OFFSET = 8;

/**
 * Finds the layer of RTP packets: by the RID in their header extension (RFC 8852), and by SSRC in packets without one. Senders
 * leave out the RID after the receiver has reported the SSRC.
 */
export class LayerSsrcs {
  readonly #rids: readonly string[];
  readonly #ridExtensionId: number;
  /** The latest SSRC of each layer. */
  readonly #ssrcs: (number | null)[];

  constructor({
    rids,
    ridExtensionId,
  }: {
    readonly rids: readonly string[];
    readonly ridExtensionId: number;
  }) {
    this.#rids = rids;
    this.#ridExtensionId = ridExtensionId;
    this.#ssrcs = rids.map(() => null);
  }

  /** @returns the index of the layer; null for packets of no accepted layer */
  layerOf(packet: Buffer): number | null {
    if (packet.length < SSRC_OFFSET + 4) return null;
    const ssrc = packet.readUInt32BE(SSRC_OFFSET);
    const knownLayerIndex = this.#ssrcs.indexOf(ssrc);
    if (knownLayerIndex !== -1) return knownLayerIndex;
    const rid = readHeaderExtension(packet, this.#ridExtensionId)?.toString('latin1');
    const layerIndex = rid === undefined ? -1 : this.#rids.indexOf(rid);
    if (layerIndex === -1) return null;
    this.#ssrcs[layerIndex] = ssrc;
    return layerIndex;
  }
}
